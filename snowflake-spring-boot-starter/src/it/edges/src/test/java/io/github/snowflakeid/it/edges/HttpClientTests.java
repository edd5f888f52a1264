package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Requests to other services. */
class HttpClientTests {

    private static final String TEXT = EdgesServer.publicId("barrel", 42);

    private final BarrelClients.FeignBarrels feign = EdgesServer.CONTEXT.getBean(BarrelClients.FeignBarrels.class);

    @Test
    void feignSendsPublicIds() {
        BarrelId id = new BarrelId(42);

        assertThat(feign.typed(id, List.of(id), id)).isEqualTo("/typed/%1$s?more=%1$s %1$s ".formatted(TEXT));
        assertThat(feign.number(42, List.of(42L), 42L)).isEqualTo("/number/%1$s?more=%1$s %1$s ".formatted(TEXT));
        assertThat(feign.post(new BarrelClients.Content(id, 42)))
                .isEqualTo("/content null {\"barrel\":\"%1$s\",\"number\":\"%1$s\"}".formatted(TEXT));
    }

    @Test
    void httpExchangeSendsPublicIds() {
        BarrelId id = new BarrelId(42);
        BarrelClients.ExchangedBarrels exchanged = EdgesServer.CONTEXT.getBean(BarrelClients.ExchangedBarrels.class);

        assertThat(exchanged.typed(id, List.of(id), id)).isEqualTo("/typed/%1$s?more=%1$s %1$s ".formatted(TEXT));
        assertThat(exchanged.post(new BarrelClients.Content(id, 42)))
                .isEqualTo("/content null {\"barrel\":\"%1$s\",\"number\":\"%1$s\"}".formatted(TEXT));
    }

    private static <T> T withDefaultConversion(Class<T> client) {
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(RestClient.create(EdgesServer.ECHO)))
                .build()
                .createClient(client);
    }

    @Test
    void httpExchangeWithoutOurConverterFails() {
        BarrelId id = new BarrelId(42);
        BarrelClients.ExchangedBarrels exchanged = withDefaultConversion(BarrelClients.ExchangedBarrels.class);

        assertThatThrownBy(() -> exchanged.typed(id, List.of(id), id)).isInstanceOf(ConverterNotFoundException.class);
    }
}
