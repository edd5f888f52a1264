package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.text.PublicIds;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;

/** An application that creates the mapper for JSON itself. */
@ExtendWith(OutputCaptureExtension.class)
class OwnMapperTests {

    @Configuration
    @EnableAutoConfiguration
    @Import({OwnMapper.WithModule.class, OrderController.class})
    static class WithModule {}

    @Configuration
    @EnableAutoConfiguration
    @Import(OwnMapper.WithoutModule.class)
    static class WithoutModule {}

    @Configuration
    @EnableAutoConfiguration
    @Import({OwnMapper.WithoutModule.class, OrderController.class})
    static class WithoutModuleButIds {}

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void withTheModuleWritesPublicIds(String type) throws Exception {
        try (WebServer server = WebServer.start(WithModule.class, "spring.main.web-application-type=" + type)) {
            assertThatIdsArePublic(server);
        }
    }

    private static void assertThatIdsArePublic(WebServer server) throws Exception {
        PublicIds publicIds = server.context.getBean(PublicIds.class);
        String text = publicIds.encode("order", PublicIdContract.ID);

        assertThat(server.get("/receipts/" + text).body()).contains("\"order\":\"%s\"".formatted(text));
        assertThat(server.postAs(
                                MediaType.APPLICATION_JSON,
                                "/receipts",
                                "{\"order\":%s}".formatted(PublicIdContract.ID).getBytes())
                        .statusCode())
                .isEqualTo(400);
    }

    /** The module can be added to a mapper of Jackson 2, but not to a mapper of Jackson 3. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void withoutTheModuleWritesPublicIdsOrDoesNotStart(String type, CapturedOutput output) throws Exception {
        if (OwnMapper.CAN_BE_CHANGED) {
            try (WebServer server =
                    WebServer.start(WithoutModuleButIds.class, "spring.main.web-application-type=" + type)) {
                assertThatIdsArePublic(server);
            }
            return;
        }
        assertThatThrownBy(() -> WebServer.start(WithoutModuleButIds.class, "spring.main.web-application-type=" + type))
                .hasRootCauseInstanceOf(ConfigurationException.class);
        assertThat(output)
                .contains(
                        "would write and read numbers instead of public IDs: its mapper does not have the module of this library.",
                        "@Qualifier(\"snowflake.jackson3Module\") JacksonModule ids");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void withoutTheModuleStartsIfThereAreNoPublicIds(String type) {
        try (WebServer server = WebServer.start(
                WithoutModule.class, "snowflake.public-ids.keys=", "spring.main.web-application-type=" + type)) {
            assertThat(server.context.isActive()).isTrue();
        }
    }
}
