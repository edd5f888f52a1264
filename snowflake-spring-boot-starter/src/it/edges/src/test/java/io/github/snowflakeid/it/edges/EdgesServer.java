package io.github.snowflakeid.it.edges;

import com.sun.net.httpserver.HttpServer;
import io.github.snowflakeid.text.PublicIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application, and another service that answers each request with what it has received. All tests share them. */
final class EdgesServer {

    /** A key that is used in tests only. */
    static final String KEY = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";

    static final PublicIds PUBLIC_IDS = PublicIds.of(PublicIds.Key.of("a", KEY));

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static final String ECHO = echo();
    static final ConfigurableApplicationContext CONTEXT =
            SpringApplication.run(EdgesShop.class, "--server.port=0", "--PUBLIC_ID_KEY=" + KEY, "--echo.url=" + ECHO);

    private EdgesServer() {}

    private static String echo() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                byte[] received = "%s %s %s"
                        .formatted(
                                exchange.getRequestURI(),
                                exchange.getRequestHeaders().getFirst("X-Barrel"),
                                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, received.length);
                exchange.getResponseBody().write(received);
                exchange.close();
            });
            server.start();
            return "http://127.0.0.1:" + server.getAddress().getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String publicId(String type, long id) {
        return PUBLIC_IDS.encode(type, id);
    }

    static HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)).header("Accept", "*/*").build());
    }

    static HttpResponse<String> send(String method, String path, String json) throws Exception {
        return send(method, path, json, "application/json, application/hal+json");
    }

    static HttpResponse<String> send(String method, String path, String json, String accepted) throws Exception {
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .header("Accept", accepted)
                .method(method, BodyPublishers.ofString(json))
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return path.startsWith("http")
                ? URI.create(path)
                : URI.create("http://localhost:%s%s"
                        .formatted(CONTEXT.getEnvironment().getProperty("local.server.port"), path));
    }
}
