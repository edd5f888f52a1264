package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.publicid.PublicId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.codec.StringDecoder;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.DestinationPatternsMessageCondition;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.reactive.MessageMappingMessageHandler;
import org.springframework.messaging.handler.invocation.reactive.HandlerMethodReturnValueHandler;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.stereotype.Controller;
import org.springframework.util.AntPathMatcher;
import org.springframework.util.SimpleRouteMatcher;
import reactor.core.publisher.Mono;

/** The handler of messages on which RSocket is based. */
class ReactiveMessageTests {

    private static final String TEXT = EdgesServer.publicId("barrel", 42);

    @Controller
    static class Barrels {

        private String received = "";

        @MessageMapping("number/{id}")
        void number(@DestinationVariable @PublicId("barrel") long id, @Header("X-Barrel") BarrelId header) {
            received = id + " " + header.value();
        }
    }

    @Controller
    static class Payloads {

        @MessageMapping("payload")
        void number(@Payload @PublicId("barrel") long id) {}
    }

    @Configuration
    static class Reactive {

        @Bean
        MessageMappingMessageHandler reactiveMessages() {
            MessageMappingMessageHandler handler = new MessageMappingMessageHandler();
            handler.setDecoders(List.of(StringDecoder.allMimeTypes()));
            handler.getReturnValueHandlerConfigurer().addCustomHandler(new HandlerMethodReturnValueHandler() {

                @Override
                public boolean supportsReturnType(MethodParameter type) {
                    return true;
                }

                @Override
                public Mono<Void> handleReturnValue(Object value, MethodParameter type, Message<?> message) {
                    return Mono.empty();
                }
            });
            return handler;
        }
    }

    private static ConfigurableApplicationContext run(Class<?> controller) {
        return new SpringApplication(StartupCheck.class, Reactive.class, controller)
                .run("--server.port=0", "--PUBLIC_ID_KEY=" + EdgesServer.KEY);
    }

    private static void send(ConfigurableApplicationContext context, String destination, String header) {
        MessageHeaderAccessor headers = new MessageHeaderAccessor();
        headers.setLeaveMutable(true);
        headers.setHeader(
                DestinationPatternsMessageCondition.LOOKUP_DESTINATION_HEADER,
                new SimpleRouteMatcher(new AntPathMatcher()).parseRoute(destination));
        headers.setHeader("X-Barrel", header);
        context.getBean(MessageMappingMessageHandler.class)
                .handleMessage(MessageBuilder.createMessage("", headers.getMessageHeaders()))
                .block();
    }

    @Test
    void destinationsAndHeadersContainPublicIds() {
        try (ConfigurableApplicationContext context = run(Barrels.class)) {
            send(context, "number/" + TEXT, TEXT);
            assertThat(context.getBean(Barrels.class).received).isEqualTo("42 42");

            assertThatThrownBy(() -> send(context, "number/42", TEXT)).isInstanceOf(ConversionFailedException.class);
            assertThatThrownBy(() -> send(context, "number/" + TEXT, "42"))
                    .isInstanceOf(ConversionFailedException.class);
        }
    }

    @Test
    void annotatedPayloadIsRejectedAtStartup() {
        assertThatThrownBy(() -> run(Payloads.class)).hasStackTraceContaining(" is on the payload of a message");
    }
}
