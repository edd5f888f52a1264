package io.github.snowflakeid.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.snowflakeid.internal.http.HttpServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logins at a server that answers as certain versions of etcd do. */
class EtcdLoginTests {

    /** The tokens with which keys were read, and the logins. */
    private final List<String> requests = new ArrayList<>();

    private final AtomicReference<String> invalid = new AtomicReference<>("");
    private int rejection;
    private String message = "";
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(token == null ? body : token);
            boolean isRejected = invalid.get().equals(token);
            byte[] answer = (isRejected
                            ? "{\"error\": \"%1$s\", \"code\": 2, \"message\": \"%1$s\"}".formatted(message)
                            : "{\"header\": {}, \"token\": \"token-%s\"}".formatted(requests.size()))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isRejected ? rejection : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Versions, statuses and messages: 3.4.18 and 3.5.1, later versions, and a member that was restarted. */
    @ParameterizedTest
    @CsvSource({
        "500, auth: revision in header is old",
        "400, etcdserver: revision of auth store is old",
        "401, etcdserver: invalid auth token"
    })
    void logsInAgainWithTheCurrentPassword(int status, String rejected) {
        rejection = status;
        message = rejected;
        AtomicReference<String> password = new AtomicReference<>("first");
        EtcdDocuments documents = new EtcdDocuments(
                new HttpServers(
                        "etcd",
                        List.of(URI.create(
                                "http://127.0.0.1:" + server.getAddress().getPort())),
                        () -> null,
                        Duration.ofSeconds(60),
                        "Start it."),
                "shop",
                password::get,
                "ids/",
                new AtomicReference<>(),
                System::nanoTime);
        documents.get("ids/a");

        password.set("second");
        invalid.set("token-1");
        documents.get("ids/a");

        assertThat(requests)
                .satisfiesExactly(
                        login -> assertThat(login).contains("shop", "first"),
                        read -> assertThat(read).isEqualTo("token-1"),
                        rejection -> assertThat(rejection).isEqualTo("token-1"),
                        login -> assertThat(login).contains("shop", "second"),
                        read -> assertThat(read).isEqualTo("token-4"));
    }
}
