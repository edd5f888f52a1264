package io.github.snowflakeid.it;

class MvcTests extends PublicIdContract {

    MvcTests() {
        super("servlet");
    }
}
