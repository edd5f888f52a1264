package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkTests {

    private static final String TEXT = EdgesServer.publicId("barrel", 42);

    @Test
    void linksOfHateoasContainPublicIds() throws Exception {
        assertThat(EdgesServer.get("/links/typed/" + TEXT).body()).isEqualTo("/links/typed/" + TEXT);
        assertThat(EdgesServer.get("/links/number/" + TEXT).body()).isEqualTo("/links/number/" + TEXT);
    }

    @Test
    void bodiesOfFunctionalEndpointsContainPublicIds() throws Exception {
        String json = "{\"barrel\":\"%1$s\",\"number\":\"%1$s\"}".formatted(TEXT);

        assertThat(EdgesServer.send("POST", "/functional", json).body()).isEqualTo(json);
        assertThat(EdgesServer.send("POST", "/functional", json.replace(TEXT, "42"))
                        .statusCode())
                .isGreaterThanOrEqualTo(400);
    }
}
