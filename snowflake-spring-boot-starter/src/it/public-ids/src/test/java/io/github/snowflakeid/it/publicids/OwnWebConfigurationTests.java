package io.github.snowflakeid.it.publicids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.publicid.web.SnowflakeWebFluxAutoConfiguration;
import io.github.snowflakeid.publicid.web.SnowflakeWebMvcAutoConfiguration;
import io.github.snowflakeid.text.PublicIds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.format.support.FormattingConversionService;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.validation.Validator;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.reactive.config.WebFluxConfigurationSupport;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.mvc.method.annotation.MvcUriComponentsBuilder;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** An application that configures its web server itself. */
class OwnWebConfigurationTests {

    private static final PublicIds PUBLIC_IDS = PublicIds.of(PublicIds.Key.of("a", WebServer.KEY));

    private static final String NUMBER = Long.toString(PublicIdContract.ID);
    private static final String TEXT = PUBLIC_IDS.encode("order", PublicIdContract.ID);

    @Configuration
    static class Support extends WebMvcConfigurationSupport {}

    @Configuration
    static class OwnService extends WebMvcConfigurationSupport {

        @Override
        protected ConfigurableWebBindingInitializer getConfigurableWebBindingInitializer(
                FormattingConversionService service, Validator validator) {
            ConfigurableWebBindingInitializer initializer = new ConfigurableWebBindingInitializer();
            initializer.setConversionService(new DefaultFormattingConversionService());
            return initializer;
        }
    }

    @Configuration
    static class NoService extends WebMvcConfigurationSupport {

        @Override
        protected ConfigurableWebBindingInitializer getConfigurableWebBindingInitializer(
                FormattingConversionService service, Validator validator) {
            return new ConfigurableWebBindingInitializer();
        }
    }

    /** Replaces the object that binds parameters. */
    private record Replacing(WebBindingInitializer initializer) implements BeanPostProcessor {

        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            if (bean instanceof RequestMappingHandlerAdapter adapter) {
                adapter.setWebBindingInitializer(initializer);
            }
            return bean;
        }
    }

    @Configuration
    static class NoInitializer extends WebMvcConfigurationSupport {

        @Bean
        static BeanPostProcessor replacing() {
            return new Replacing(null);
        }
    }

    @Configuration
    static class ForeignInitializer extends WebMvcConfigurationSupport {

        @Bean
        static BeanPostProcessor replacing() {
            return new Replacing(binder -> binder.setConversionService(new DefaultFormattingConversionService()));
        }
    }

    @Configuration
    static class Reactive extends WebFluxConfigurationSupport {}

    private static WebApplicationContextRunner mvc(Class<?> configuration) {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakeWebMvcAutoConfiguration.class))
                .withBean(PublicIds.class, () -> PUBLIC_IDS)
                .withUserConfiguration(configuration, OrderController.class);
    }

    @ParameterizedTest
    @ValueSource(classes = {Support.class, OwnService.class, NoService.class, NoInitializer.class})
    void mvcAcceptsNoNumberAsAPublicId(Class<?> configuration) {
        mvc(configuration).run(context -> {
            assertThat(context).hasNotFailed();
            MockMvc server = MockMvcBuilders.webAppContextSetup(context.getSourceApplicationContext())
                    .build();
            for (Map.Entry<String, Integer> each : Map.of(
                            TEXT, 200, NUMBER, 404, PUBLIC_IDS.encode("line", PublicIdContract.ID), 404)
                    .entrySet()) {
                for (String path : List.of("/orders/%s", "/search?after=%s", "/numbers?list=%s", "/numbers?one=%s")) {
                    String asked = path.formatted(each.getKey());
                    assertThat(server.perform(MockMvcRequestBuilders.get(asked))
                                    .andReturn()
                                    .getResponse()
                                    .getStatus())
                            .as(asked)
                            .isEqualTo(each.getValue());
                }
            }
            assertThat(server.perform(MockMvcRequestBuilders.get("/plain/17"))
                            .andReturn()
                            .getResponse()
                            .getContentAsString())
                    .isEqualTo("17");
            assertThat(linkIn(context.getSourceApplicationContext())).isEqualTo("http://localhost/orders/" + TEXT);
        });
    }

    private static String linkIn(ApplicationContext context) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setAttribute(DispatcherServlet.WEB_APPLICATION_CONTEXT_ATTRIBUTE, context);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            return MvcUriComponentsBuilder.fromMethodName(OrderController.class, "product", PublicIdContract.ID)
                    .toUriString();
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
    }

    @Test
    void mvcDoesNotStartIfParametersAreBoundOtherwise() {
        mvc(ForeignInitializer.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .message()
                        .endsWith(" cannot convert texts to IDs: it is not a ConfigurableWebBindingInitializer."));
    }

    @Test
    void webFluxAcceptsNoNumberAsAPublicId() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakeWebFluxAutoConfiguration.class))
                .withBean(PublicIds.class, () -> PUBLIC_IDS)
                .withUserConfiguration(Reactive.class, OrderController.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    WebTestClient client = WebTestClient.bindToApplicationContext(context.getSourceApplicationContext())
                            .build();
                    for (String path : List.of("/orders/", "/search?after=", "/numbers?list=")) {
                        client.get().uri(path + TEXT).exchange().expectStatus().isOk();
                        client.get()
                                .uri(path + NUMBER)
                                .exchange()
                                .expectStatus()
                                .isNotFound();
                    }
                });
    }
}
