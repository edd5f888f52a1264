package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.graphql.data.ArgumentValue;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.Arguments;
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
        assertThat(query(
                        "barrel(id: \"%s\") {id number content labels later streamed iterated weight}".formatted(TEXT)))
                .isEqualTo(("{\"data\":{\"barrel\":{\"id\":\"%1$s\",\"number\":\"%1$s\",\"content\":[\"%1$s\"],"
                                + "\"labels\":[\"%1$s\"],\"later\":\"%1$s\",\"streamed\":[\"%1$s\"],\"iterated\":[\"%1$s\"],"
                                + "\"weight\":7}}}")
                        .formatted(TEXT));
    }

    @Test
    void eventsContainPublicIds() throws Exception {
        String events = EdgesServer.send(
                        "POST", "/graphql", "{\"query\":\"subscription {moved}\"}", "text/event-stream")
                .body();

        assertThat(events)
                .contains(
                        "{\"data\":{\"moved\":\"%s\"}}".formatted(TEXT),
                        "{\"data\":{\"moved\":\"%s\"}}".formatted(EdgesServer.publicId("barrel", 43)));
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

    /** As aspects do. */
    @Configuration
    static class Proxied {

        @Bean
        public Numbers numbers() {
            ProxyFactory proxies = new ProxyFactory(new Numbers());
            proxies.setProxyTargetClass(true);
            return (Numbers) proxies.getProxy();
        }
    }

    @Controller
    interface Declared {

        @QueryMapping
        String barrel(@Argument @PublicId("barrel") long id);
    }

    static class Implemented implements Declared {

        @Override
        public String barrel(long id) {
            return Long.toString(id);
        }
    }

    @Configuration
    static class ProxiedInterface {

        @Bean
        public Declared numbers() {
            return (Declared) new ProxyFactory(new Implemented()).getProxy();
        }
    }

    @Controller
    static class Together {

        @QueryMapping
        public String barrel(@Arguments Inputs.Search by) {
            return by.toString();
        }
    }

    @Controller
    static class Wrapped {

        @QueryMapping
        public String barrel(@Argument @PublicId("barrel") ArgumentValue<Long> id) {
            return id.toString();
        }
    }

    @Controller
    static class WrappedInputs {

        @QueryMapping
        public String search(@Argument ArgumentValue<List<List<Inputs.Search>>> by) {
            return by.toString();
        }
    }

    @Test
    void annotatedMethodsAreRejectedAtStartup() {
        assertThatThrownBy(() -> run(Results.class))
                .hasStackTraceContaining("@PublicId(\"barrel\") of ")
                .hasStackTraceContaining("is on a method, so it would not change the result");
    }

    @Controller
    static class Results {

        @QueryMapping
        @PublicId("barrel")
        public long barrel() {
            return 42;
        }
    }

    @Controller
    static class Constructed {

        static class Search {

            private final long number;

            Search(@PublicId("barrel") long id) {
                number = id;
            }
        }

        @QueryMapping
        public String search(@Argument Search by) {
            return Long.toString(by.number);
        }
    }

    @Controller
    static class Setters {

        static class Search {

            private long number;

            public void setId(@PublicId("barrel") long id) {
                number = id;
            }
        }

        @QueryMapping
        public String search(@Argument Search by) {
            return Long.toString(by.number);
        }
    }

    @Controller
    static class Unmarked {

        record Key(long value) {}

        record Search(@PublicId("barrel") Key id) {}

        @QueryMapping
        public String search(@Argument Search by) {
            return by.toString();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Implemented.class,
                ProxiedInterface.class,
                Numbers.class,
                Inputs.class,
                Proxied.class,
                Together.class,
                Wrapped.class,
                WrappedInputs.class,
                Constructed.class,
                Setters.class,
                Unmarked.class
            })
    void annotatedNumbersAreRejectedAtStartup(Class<?> controller) {
        assertThatThrownBy(() -> run(controller))
                .hasStackTraceContaining("Spring for GraphQL would read a number instead of @PublicId(\"barrel\") in ");
    }

    private static void run(Class<?> controller) {
        new SpringApplication(StartupCheck.class, controller)
                .run("--server.port=0", "--PUBLIC_ID_KEY=" + EdgesServer.KEY)
                .close();
    }
}
