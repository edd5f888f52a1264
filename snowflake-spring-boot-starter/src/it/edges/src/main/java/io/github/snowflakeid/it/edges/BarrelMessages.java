package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.publicid.PublicId;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/** Receives messages by WebSocket. */
@Controller
public class BarrelMessages {

    @Configuration
    @EnableWebSocketMessageBroker
    static class Sockets implements WebSocketMessageBrokerConfigurer {

        @Override
        public void registerStompEndpoints(StompEndpointRegistry registry) {
            registry.addEndpoint("/socket");
        }
    }

    public record Payload(
            BarrelId barrel, @PublicId("barrel") long number) {}

    final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @MessageMapping("/typed/{id}")
    void typed(@DestinationVariable BarrelId id, Payload payload) {
        received.add(id.value() + " " + payload.barrel().value() + " " + payload.number());
    }

    @MessageMapping("/number/{id}")
    void number(@DestinationVariable @PublicId("barrel") long id) {
        received.add(Long.toString(id));
    }

    @MessageExceptionHandler
    void failed(Exception failure) {
        received.add("failed: " + failure.getClass().getSimpleName());
    }
}
