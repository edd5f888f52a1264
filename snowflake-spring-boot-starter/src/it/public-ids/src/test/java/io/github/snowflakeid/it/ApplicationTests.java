package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.PublicIds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** What an application can change, and what it gets wrong. */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationTests {

    @Configuration
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class WithAdvice {

        @ControllerAdvice
        static class Advice {

            @ExceptionHandler
            ResponseEntity<String> answer(ResponseStatusException error) {
                return ResponseEntity.status(error.getStatusCode()).body("nothing here");
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class NoKey {}

    @Configuration
    @EnableAutoConfiguration
    static class OfText {

        @RestController
        static class Controller {

            @GetMapping("/{id}")
            String get(@PathVariable @PublicId("order") String id) {
                return id;
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class OnAMethod {

        @RestController
        static class Controller {

            @GetMapping("/{id}")
            @PublicId("order")
            long get() {
                return 1;
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class OnABody {

        @RestController
        static class Controller {

            @GetMapping("/{id}")
            long get(@RequestBody @PublicId("order") long id) {
                return id;
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class FirstUse {

        record Nested(@PublicId("order") List<List<Long>> ids) {}

        record Single(@PublicId("order") long id) {}

        record Whole(@PublicId("order") int id) {}

        record Form(@PublicId("order") Long id) {}

        @RestController
        static class Controller {

            @GetMapping("/nested")
            Nested nested() {
                return new Nested(List.of(List.of(7L)));
            }

            @GetMapping("/single")
            Single single() {
                return new Single(7);
            }

            @PostMapping("/whole")
            int whole(@RequestBody Whole whole) {
                return whole.id();
            }

            @GetMapping("/form")
            long form(Form form) {
                return form.id();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void theApplicationsOwnAdviceTakesPart(String type) throws Exception {
        try (WebServer server = start(WithAdvice.class, type)) {
            PublicIds publicIds = server.context.getBean(PublicIds.class);

            for (String text : List.of(publicIds.encode("order", 404), "x", "249828685941993514")) {
                assertThat(server.get("/orders/" + text).statusCode()).isEqualTo(404);
                assertThat(server.get("/orders/" + text).body()).isEqualTo("nothing here");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void problemDetailsAreTheSameForBadTextsAndMissingRows(String type) throws Exception {
        try (WebServer server = start(
                Shop.class,
                type,
                "spring.mvc.problemdetails.enabled=true",
                "spring.webflux.problemdetails.enabled=true")) {
            PublicIds publicIds = server.context.getBean(PublicIds.class);
            String missing = publicIds.encode("order", 404);
            String bad = publicIds.encode("line", 404);

            assertThat(server.get("/orders/" + missing).body())
                    .contains("\"title\":\"Not Found\"", "\"status\":404")
                    .isEqualTo(server.get("/orders/" + bad).body().replace(bad, missing));
            assertThat(server.get("/orders/" + bad).headers().firstValue("Content-Type"))
                    .contains("application/problem+json");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void doesNotStartWithoutAKey(String type, CapturedOutput output) {
        assertThatThrownBy(() -> start(NoKey.class, type, "snowflake.public-ids.keys="));
        assertThat(output)
                .contains("@PublicId(\"order\") needs a key, but 'snowflake.public-ids.keys' is not set.")
                .contains("snowflake.public-ids.keys: a:${PUBLIC_ID_KEY}");
    }

    @Test
    void doesNotStartWithAnAnnotationInVain(CapturedOutput output) {
        String type = "servlet";
        assertThatThrownBy(() -> start(OfText.class, type));
        assertThat(output)
                .contains("@PublicId(\"order\") of parameter 1 of " + OfText.Controller.class.getName()
                        + "#get(String) stands on a java.lang.String, which holds no ids.");

        assertThatThrownBy(() -> start(OnAMethod.class, type));
        assertThat(output).contains("#get() stands on a method, and so would not change its result.");

        assertThatThrownBy(() -> start(OnABody.class, type));
        assertThat(output).contains("#get(long) stands on a body, and so would not change it.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void whatCannotBeKnownAtTheStartFailsAtTheFirstUse(String type, CapturedOutput output) throws Exception {
        try (WebServer server = start(FirstUse.class, type, "snowflake.public-ids.keys=")) {
            for (String path : List.of("/single", "/form?id=7", "/nested")) {
                assertThat(server.get(path).statusCode()).as(path).isEqualTo(500);
            }
            assertThat(server.post("/whole", "{\"id\":7}").statusCode()).isGreaterThanOrEqualTo(400);
            assertThat(output)
                    .contains("@PublicId(\"order\") needs a key, but 'snowflake.public-ids.keys' is not set.")
                    .contains(
                            "@PublicId(\"order\") of an attribute stands on a java.util.List<java.util.List<java.lang.Long>>,"
                                    + " which holds no ids.");
        }
    }

    @Test
    void springdocDescribesTextsAndShowsOne() throws Exception {
        try (WebServer server = start(Shop.class, "servlet")) {
            PublicIds publicIds = server.context.getBean(PublicIds.class);
            DocumentContext api = JsonPath.parse(server.get("/v3/api-docs").body());

            for (String text : List.of(
                    "$.paths['/orders/{id}'].get.parameters[0].schema", "$.components.schemas.Order.properties.id")) {
                assertThat(api.<Map<String, Object>>read(text))
                        .as(text)
                        .containsEntry("type", "string")
                        .containsEntry("pattern", "^[0-9A-Za-z]{19}$")
                        .containsEntry("example", publicIds.encode("order", 0))
                        .doesNotContainKey("format");
            }
            assertThat(api.<String>read("$.components.schemas.Order.properties.lines.items.example"))
                    .isEqualTo(publicIds.encode("line", 0));
            assertThat(api.<String>read("$.paths['/tickets/{id}'].get.parameters[0].schema.example"))
                    .isEqualTo("0000000000000");
            assertThat(api.<String>read("$.paths['/plain/{id}'].get.parameters[0].schema.type"))
                    .isEqualTo("integer");
        }
    }

    private static WebServer start(Class<?> application, String type, String... properties) {
        String[] all = new String[properties.length + 1];
        all[0] = "spring.main.web-application-type=" + type;
        System.arraycopy(properties, 0, all, 1, properties.length);
        return WebServer.start(application, all);
    }
}
