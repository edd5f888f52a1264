package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.publicid.web.SnowflakeWebMvcAutoConfiguration;
import io.github.snowflakeid.text.PublicIds;
import java.util.ArrayList;
import java.util.List;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpEntity;
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Settings that an application can change, and mistakes at which startup fails. */
@ExtendWith(OutputCaptureExtension.class)
class PublicIdApplicationTests {

    @Configuration
    @EnableAutoConfiguration
    @Import(OrderController.class)
    static class NoKey {}

    @Configuration
    @EnableWebMvc
    static class Mvc {

        @Bean
        PublicIds publicIds() {
            return PublicIds.of(PublicIds.Key.of("a", WebServer.KEY));
        }
    }

    @RestController
    static class OfText {

        @GetMapping("/{id}")
        String get(@PathVariable @PublicId("order") String id) {
            return id;
        }
    }

    @RestController
    static class OnAMethod {

        @GetMapping("/{id}")
        @PublicId("order")
        long get() {
            return 1;
        }
    }

    @RestController
    static class OnABody {

        @GetMapping("/{id}")
        long get(@RequestBody @PublicId("order") long id) {
            return id;
        }
    }

    @RestController
    static class OnAPart {

        @PostMapping("/")
        long post(@RequestPart @PublicId("order") long id) {
            return id;
        }
    }

    @RestController
    static class Nested {

        @GetMapping("/")
        int get(@RequestParam @PublicId("order") List<List<Long>> ids) {
            return ids.size();
        }
    }

    record Key(long value) {}

    @RestController
    static class OfForm {

        record Form(@PublicId("order") Key order) {}

        @GetMapping("/")
        long get(Form form) {
            return form.order().value();
        }
    }

    @RestController
    static class OfForms {

        static class Page {

            private List<Key> orders = new ArrayList<>();

            public List<Key> getOrders() {
                return orders;
            }

            @PublicId("order")
            public void setOrders(List<Key> orders) {
                this.orders = orders;
            }
        }

        record Form(Page page) {}

        @GetMapping("/")
        int get(@ModelAttribute Form form) {
            return form.page().getOrders().size();
        }
    }

    @RestController
    static class OfModel {

        @GetMapping("/")
        long get(@PublicId("order") Key order) {
            return order.value();
        }
    }

    @Test
    void doesNotStartIfTheOnlyAttributeOfAnIdWouldBeBound() {
        for (Class<?> each : List.of(OfForm.class, OfForms.class, OfModel.class)) {
            try (AnnotationConfigWebApplicationContext context = mvc(each)) {
                assertThatThrownBy(context::refresh)
                        .rootCause()
                        .hasMessageStartingWith("Spring would read a number instead of @PublicId(\"order\") in ");
            }
        }
    }

    record Body(@PublicId("order") Key order) {}

    @RestController
    static class OfBody {

        @PostMapping("/")
        Body post(HttpEntity<Body> body, Continuation<Body> result) {
            return body.getBody();
        }
    }

    /** A body is read and written by Jackson, for which an annotated attribute of any type is an ID. */
    @Test
    void bodiesWithoutAnAnnotationAreNotBound() {
        try (AnnotationConfigWebApplicationContext context = mvc(OfBody.class)) {
            context.refresh();
        }
    }

    @RestController
    static class OfNothing {

        @GetMapping("/{id}")
        long get(@PathVariable @PublicId("") long id) {
            return id;
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class FirstUse {

        record Nested(@PublicId("order") List<List<Long>> ids) {}

        record Single(@PublicId("order") long id, String name) {}

        record Whole(@PublicId("order") int id, String name) {}

        record Form(@PublicId("order") Long id, String name) {}

        @RestController
        static class Controller {

            @GetMapping("/nested")
            Nested nested() {
                return new Nested(List.of(List.of(7L)));
            }

            @GetMapping("/single")
            Single single() {
                return new Single(7, "tea");
            }

            @PostMapping("/whole")
            int whole(@RequestBody Whole whole) {
                return whole.id();
            }

            @PostMapping("/same")
            long same(@RequestBody Single single) {
                return single.id();
            }

            @GetMapping("/form")
            long form(Form form) {
                return form.id();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void problemDetailsAreTheSameForBadTextsAndMissingRows(String type) throws Exception {
        try (WebServer server = start(
                PublicIdShop.class,
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

    @Test
    void doesNotStartWithoutAKey(CapturedOutput output) {
        assertThatThrownBy(() -> start(NoKey.class, "reactive", "snowflake.public-ids.keys="));

        // The order in which Spring examines its methods depends on the virtual machine.
        assertThat(output)
                .containsPattern(
                        "@PublicId\\(\"(order|invoice)\"\\) needs a key, but 'snowflake.public-ids.keys' is not set\\.")
                .contains("snowflake.public-ids.keys[0].secret: ${PUBLIC_ID_KEY}");
    }

    @Test
    void doesNotStartWithAnAnnotationThatHasNoEffect() {
        assertThatStartFails(
                OfText.class,
                "@PublicId(\"order\") of parameter 1 of " + OfText.class.getName()
                        + "#get(String) is on a java.lang.String, which does not hold IDs.");
        assertThatStartFails(
                OnAMethod.class,
                "@PublicId(\"order\") of " + OnAMethod.class.getName()
                        + "#get() is on a method, so it would not change the result.");
        assertThatStartFails(
                OnABody.class,
                "@PublicId(\"order\") of parameter 1 of " + OnABody.class.getName()
                        + "#get(long) is on a request body, so it would not change the body.");
        assertThatStartFails(
                OnAPart.class,
                "@PublicId(\"order\") of parameter 1 of " + OnAPart.class.getName()
                        + "#post(long) is on a request body, so it would not change the body.");
        assertThatStartFails(
                Nested.class,
                "@PublicId(\"order\") of parameter 1 of " + Nested.class.getName()
                        + "#get(List) is on a java.util.List<java.util.List<java.lang.Long>>, which does not hold IDs.");
        assertThatStartFails(OfNothing.class, "the type of a public ID must have 1 to 64 bytes, but \"\" has 0");
    }

    /** With Spring MVC alone. */
    private static void assertThatStartFails(Class<?> controller, String message) {
        try (AnnotationConfigWebApplicationContext context = mvc(controller)) {
            assertThatThrownBy(context::refresh).rootCause().hasMessage(message);
        }
    }

    private static AnnotationConfigWebApplicationContext mvc(Class<?> controller) {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.setServletContext(new MockServletContext());
        context.register(Mvc.class, SnowflakeWebMvcAutoConfiguration.class, controller);
        return context;
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void errorsThatCannotBeKnownAtStartupFailTheFirstUse(String type, CapturedOutput output) throws Exception {
        try (WebServer server = start(FirstUse.class, type, "snowflake.public-ids.keys=")) {
            for (String path : List.of("/single", "/form?id=7", "/nested")) {
                assertThat(server.get(path).statusCode()).as(path).isEqualTo(500);
            }
            for (String path : List.of("/whole", "/same")) {
                assertThat(server.post(path, "{\"id\":\"7\"}").statusCode())
                        .as(path)
                        .isEqualTo(500);
            }
            assertThat(output)
                    .contains("@PublicId(\"order\") needs a key, but 'snowflake.public-ids.keys' is not set.")
                    .contains(
                            "@PublicId(\"order\") of an attribute is on a java.util.List<java.util.List<java.lang.Long>>,"
                                    + " which does not hold IDs.");
        }
    }

    private static WebServer start(Class<?> application, String type, String... properties) {
        String[] all = new String[properties.length + 1];
        all[0] = "spring.main.web-application-type=" + type;
        System.arraycopy(properties, 0, all, 1, properties.length);
        return WebServer.start(application, all);
    }
}
