package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
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
        BarrelPages.BarrelForm query = new BarrelPages.BarrelForm();
        query.setId(id);
        query.setNumber(42);
        assertThat(feign.query(query)).contains("id=" + TEXT, "number=" + TEXT).doesNotContain("42");
        assertThat(feign.post(new BarrelClients.Content(id, 42)))
                .isEqualTo("/content null {\"barrel\":\"%1$s\",\"number\":\"%1$s\"}".formatted(TEXT));
    }

    @Test
    void httpExchangeSendsPublicIds() {
        BarrelId id = new BarrelId(42);
        BarrelClients.ExchangedBarrels exchanged = EdgesServer.CONTEXT.getBean(BarrelClients.ExchangedBarrels.class);

        assertThat(exchanged.typed(id, List.of(id), id)).isEqualTo("/typed/%1$s?more=%1$s %1$s ".formatted(TEXT));
        assertThat(exchanged.number(42, new long[] {42, 42}, Optional.of(42L)))
                .isEqualTo("/number/%1$s?more=%1$s&more=%1$s %1$s ".formatted(TEXT));
        assertThat(exchanged.post(new BarrelClients.Content(id, 42)))
                .isEqualTo("/content null {\"barrel\":\"%1$s\",\"number\":\"%1$s\"}".formatted(TEXT));
    }

    @Test
    void httpExchangeSendsPublicIdsOfMaps() {
        BarrelId id = new BarrelId(42);
        BarrelClients.ExchangedBarrels exchanged = EdgesServer.CONTEXT.getBean(BarrelClients.ExchangedBarrels.class);

        assertThat(exchanged.several(
                        Map.of("more", List.of(id, id)), MultiValueMap.fromSingleValue(Map.of("X-Barrel", id))))
                .isEqualTo("/several?more=%1$s&more=%1$s %1$s ".formatted(TEXT));
    }

    /** Attributes stay in this process: interceptors of the client read them. */
    @Test
    void attributesOfRequestsKeepTheirType() {
        RestClient client = RestClient.builder()
                .baseUrl(EdgesServer.ECHO)
                .requestInterceptor((request, body, execution) -> {
                    request.getHeaders()
                            .set(
                                    "X-Barrel",
                                    request.getAttributes()
                                            .get("barrel")
                                            .getClass()
                                            .getSimpleName());
                    return execution.execute(request, body);
                })
                .build();
        SpringApplication application = new SpringApplication(StartupCheck.class);
        application.addInitializers(context -> ((GenericApplicationContext) context)
                .registerBean(
                        BarrelClients.ExchangedBarrels.class,
                        () -> HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                                .build()
                                .createClient(BarrelClients.ExchangedBarrels.class)));
        try (ConfigurableApplicationContext context =
                application.run("--server.port=0", "--PUBLIC_ID_KEY=" + EdgesServer.KEY)) {
            assertThat(context.getBean(BarrelClients.ExchangedBarrels.class).attribute(new BarrelId(42)))
                    .isEqualTo("/attribute BarrelId ");
        }
    }

    @Test
    void clientsThatAreNoBeansUseTheConversionService() {
        BarrelId id = new BarrelId(42);
        RestClientAdapter adapter = RestClientAdapter.create(RestClient.create(EdgesServer.ECHO));
        ConversionService conversion = EdgesServer.CONTEXT.getBean("mvcConversionService", ConversionService.class);
        HttpServiceProxyFactory clients = HttpServiceProxyFactory.builderFor(adapter)
                .conversionService(conversion)
                .build();
        BarrelClients.ExchangedBarrels exchanged = clients.createClient(BarrelClients.ExchangedBarrels.class);

        assertThat(exchanged.typed(id, List.of(id), id)).isEqualTo("/typed/%1$s?more=%1$s %1$s ".formatted(TEXT));
    }

    @Configuration
    static class AdvisedClient {

        @Bean
        static BeanNameAutoProxyCreator proxies() {
            BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
            proxies.setBeanNames("advisedClient");
            proxies.setInterceptorNames("advice");
            return proxies;
        }

        @Bean
        MethodInterceptor advice() {
            return MethodInvocation::proceed;
        }

        @Bean
        BarrelClients.ExchangedBarrels advisedClient() {
            return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(RestClient.create(EdgesServer.ECHO)))
                    .build()
                    .createClient(BarrelClients.ExchangedBarrels.class);
        }
    }

    @Test
    void clientsWithAspectsSendPublicIds() {
        SpringApplication application = new SpringApplication(StartupCheck.class, AdvisedClient.class);
        try (ConfigurableApplicationContext context =
                application.run("--server.port=0", "--PUBLIC_ID_KEY=" + EdgesServer.KEY)) {
            assertThat(context.getBean(BarrelClients.ExchangedBarrels.class)
                            .number(42, new long[] {42}, Optional.of(42L)))
                    .isEqualTo("/number/%1$s?more=%1$s %1$s ".formatted(TEXT));
        }
    }

    interface Misplaced {

        @GetExchange("/{id}")
        String get(@PathVariable @PublicId("barrel") String id);
    }

    @Configuration
    static class MisplacedClient {

        @Bean
        Misplaced misplaced() {
            return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(RestClient.create()))
                    .build()
                    .createClient(Misplaced.class);
        }
    }

    @Test
    void httpExchangeWithoutAnIdIsRejectedAtStartup() {
        SpringApplication application = new SpringApplication(StartupCheck.class, MisplacedClient.class);

        assertThatThrownBy(() -> application.run("--server.port=0", "--PUBLIC_ID_KEY=" + EdgesServer.KEY))
                .hasStackTraceContaining(" is on a java.lang.String, which does not hold IDs.");
    }
}
