package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageTests {

    private static final String TEXT = EdgesServer.publicId("barrel", 42);

    @Test
    void convertedExpressionsAndFieldsContainPublicIds() throws Exception {
        assertThat(EdgesServer.get("/pages/" + TEXT).body())
                .contains(
                        "<p>%s</p>".formatted(TEXT),
                        "href=\"/barrels/%s\"".formatted(TEXT),
                        "name=\"id\" value=\"%s\"".formatted(TEXT),
                        "name=\"number\" value=\"%s\"".formatted(TEXT))
                .doesNotContain("42");
    }

    @Test
    void redirectsContainPublicIds() throws Exception {
        assertThat(EdgesServer.get("/redirects/" + TEXT).headers().firstValue("Location"))
                .get()
                .asString()
                .endsWith("/pages/" + TEXT);
    }
}
