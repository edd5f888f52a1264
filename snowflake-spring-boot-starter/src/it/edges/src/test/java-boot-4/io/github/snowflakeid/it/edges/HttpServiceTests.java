package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.service.registry.ImportHttpServices;

/** Clients that Spring creates, new in Spring Boot 4. */
class HttpServiceTests {

    private static final String TEXT = EdgesServer.publicId("barrel", 42);

    @Configuration
    @ImportHttpServices(group = "barrels", types = BarrelClients.ExchangedBarrels.class)
    static class Imported {}

    @Test
    void importedClientsSendPublicIds() {
        BarrelId id = new BarrelId(42);
        SpringApplication application = new SpringApplication(StartupCheck.class, Imported.class);
        try (ConfigurableApplicationContext context = application.run(
                "--server.port=0",
                "--PUBLIC_ID_KEY=" + EdgesServer.KEY,
                "--spring.http.serviceclient.barrels.base-url=" + EdgesServer.ECHO)) {
            BarrelClients.ExchangedBarrels client = context.getBean(BarrelClients.ExchangedBarrels.class);

            assertThat(client.typed(id, List.of(id), id)).isEqualTo("/typed/%1$s?more=%1$s %1$s ".formatted(TEXT));
            assertThat(client.number(42, new long[] {42}, Optional.of(42L)))
                    .isEqualTo("/number/%1$s?more=%1$s %1$s ".formatted(TEXT));
        }
    }
}
