package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.stereotype.Controller;

class GraphQlTests {

    private static final String TEXT = EdgesServer.publicId("barrel", 42);

    private static String query(String query) throws Exception {
        return EdgesServer.send("POST", "/graphql", "{\"query\":\"{%s}\"}".formatted(query.replace("\"", "\\\"")))
                .body();
    }

    @Test
    void resultsContainPublicIds() throws Exception {
        assertThat(query("barrel(id: \"%s\") {id number content labels later weight}".formatted(TEXT)))
                .isEqualTo(("{\"data\":{\"barrel\":{\"id\":\"%1$s\",\"number\":\"%1$s\",\"content\":[\"%1$s\"],"
                                + "\"labels\":[\"%1$s\"],\"later\":\"%1$s\",\"weight\":7}}}")
                        .formatted(TEXT));
    }

    @Test
    void listsAndInputsAreBound() throws Exception {
        assertThat(query("barrels(ids: [\"%s\"]) {id}".formatted(TEXT)))
                .isEqualTo("{\"data\":{\"barrels\":[{\"id\":\"%s\"}]}}".formatted(TEXT));
        assertThat(query("search(by: {id: \"%s\"}) {id}".formatted(TEXT)))
                .isEqualTo("{\"data\":{\"search\":{\"id\":\"%s\"}}}".formatted(TEXT));
    }

    @Test
    void numbersAreRejected() throws Exception {
        for (String each : List.of("barrel(id: 42) {id}", "barrels(ids: [42]) {id}", "search(by: {id: 42}) {id}")) {
            assertThat(query(each)).as(each).contains("\"errors\":").doesNotContain(TEXT);
        }
    }

    @Controller
    static class Numbers {

        @QueryMapping
        public String barrel(@Argument @PublicId("barrel") long id) {
            return Long.toString(id);
        }
    }

    @Controller
    static class Inputs {

        record Search(@PublicId("barrel") long id) {}

        @QueryMapping
        public String search(@Argument List<Search> by) {
            return by.toString();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Numbers.class, Inputs.class})
    void annotatedNumbersAreRejectedAtStartup(Class<?> controller) {
        SpringApplication application = new SpringApplication(StartupCheck.class, controller);

        assertThatThrownBy(() -> application.run("--server.port=0", "--PUBLIC_ID_KEY=" + EdgesServer.KEY))
                .hasStackTraceContaining("Spring for GraphQL would read a number instead of @PublicId(\"barrel\") in ");
    }
}
