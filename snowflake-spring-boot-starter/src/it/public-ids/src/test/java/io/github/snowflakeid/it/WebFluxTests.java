package io.github.snowflakeid.it;

class WebFluxTests extends PublicIdContract {

    WebFluxTests() {
        super("reactive");
    }
}
