package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.util.MimeTypeUtils;

class WebSocketTests {

    private static final String TEXT = EdgesServer.publicId("barrel", 42);

    private final BarrelMessages messages = EdgesServer.CONTEXT.getBean(BarrelMessages.class);

    private String send(String destination, String json) throws Exception {
        SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
        headers.setDestination(destination);
        headers.setSessionId("1");
        headers.setSessionAttributes(new HashMap<>());
        headers.setContentType(MimeTypeUtils.APPLICATION_JSON);
        EdgesServer.CONTEXT
                .getBean("clientInboundChannel", MessageChannel.class)
                .send(MessageBuilder.createMessage(json.getBytes(StandardCharsets.UTF_8), headers.getMessageHeaders()));
        return messages.received.poll(1, TimeUnit.MINUTES);
    }

    @Test
    void destinationsAndPayloadsContainPublicIds() throws Exception {
        assertThat(send("/typed/" + TEXT, "{\"barrel\":\"%1$s\",\"number\":\"%1$s\"}".formatted(TEXT)))
                .isEqualTo("42 42 42");
        assertThat(send("/number/" + TEXT, "{}")).isEqualTo("42");
    }

    @Test
    void numbersAreRejected() throws Exception {
        assertThat(send("/typed/42", "{\"barrel\":\"%1$s\",\"number\":\"%1$s\"}".formatted(TEXT)))
                .startsWith("failed: ");
        assertThat(send("/typed/" + TEXT, "{\"barrel\":\"42\",\"number\":\"%1$s\"}".formatted(TEXT)))
                .startsWith("failed: ");
        assertThat(send("/number/42", "{}")).startsWith("failed: ");
    }
}
