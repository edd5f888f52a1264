package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.text.PublicIds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.convert.ConversionService;

/** Cookies, matrix variables and conversion services. */
class ParameterTests {

    private static final String TEXT =
            PublicIds.of(PublicIds.Key.of("a", WebServer.KEY)).encode("order", 42);

    @ParameterizedTest
    @CsvSource({"servlet, mvcConversionService", "reactive, webFluxConversionService"})
    void publicIdsAreReadAndWritten(String type, String conversion) throws Exception {
        try (WebServer server = WebServer.start(PublicIdShop.class, "spring.main.web-application-type=" + type)) {
            assertThat(server.get("/cookie", "Cookie", "id=" + TEXT).body()).isEqualTo("42");
            assertThat(server.get("/cookie", "Cookie", "id=42").statusCode()).isEqualTo(404);
            assertThat(server.get("/matrix/any;id=" + TEXT).body()).isEqualTo("42");
            assertThat(server.get("/matrix/any;id=42").statusCode()).isEqualTo(404);

            assertThat(server.context
                            .getBean(conversion, ConversionService.class)
                            .convert(new OrderController.OrderId(42), String.class))
                    .isEqualTo(TEXT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void parametersOfEndpointsAreReadFromPublicIds(String type) throws Exception {
        try (WebServer server = WebServer.start(PublicIdShop.class, "spring.main.web-application-type=" + type)) {
            assertThat(server.get("/actuator/orders/%1$s/%1$s?after=%1$s&limit=7".formatted(TEXT))
                            .body())
                    .isEqualTo("42 42 42 7");
            for (String path :
                    List.of("42/%s?after=%1$s&limit=7", "%s/42?after=%1$s&limit=7", "%1$s/%1$s?after=42&limit=7")) {
                assertThat(server.get("/actuator/orders/" + path.formatted(TEXT))
                                .statusCode())
                        .as(path)
                        .isEqualTo(400);
            }
            assertThat(server.get("/actuator/orders/42").statusCode()).isEqualTo(500);
        }
    }

    /** The annotation is on another element than the one to which Spring binds the parameter. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void attributesOfFormsAreReadFromPublicIds(String type) throws Exception {
        try (WebServer server = WebServer.start(PublicIdShop.class, "spring.main.web-application-type=" + type)) {
            for (String form : List.of("accessor", "getter", "superclass", "constructor", "interface")) {
                assertThat(server.get("/forms/%s?id=%s".formatted(form, TEXT)).body())
                        .as(form)
                        .isEqualTo("42");
                assertThat(server.get("/forms/%s?id=42".formatted(form)).statusCode())
                        .as(form)
                        .isEqualTo(404);
            }
            assertThat(server.get("/forms/list?ids=%1$s&ids=%1$s".formatted(TEXT))
                            .body())
                    .isEqualTo("[42, 42]");
            assertThat(server.get("/forms/list?ids=42").statusCode()).isEqualTo(404);
        }
    }
}
