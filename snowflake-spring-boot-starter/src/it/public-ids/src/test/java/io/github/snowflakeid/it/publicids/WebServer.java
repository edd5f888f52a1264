package io.github.snowflakeid.it.publicids;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;

/** The application with its answers by HTTP. */
final class WebServer implements AutoCloseable {

    /** A key that is used in tests only. */
    static final String KEY = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    final ConfigurableApplicationContext context;

    private WebServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static WebServer start(Class<?> application, String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--PUBLIC_ID_KEY=" + KEY));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        SpringApplication started = new SpringApplication(application, ReactiveServer.class);
        return new WebServer(started.run(arguments.toArray(String[]::new)));
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri(path)).header("Accept", "application/json, text/plain");
        return CLIENT.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(uri(path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Returns the body as bytes, for formats that are not text. */
    HttpResponse<byte[]> getAs(MediaType type, String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(uri(path))
                        .header("Accept", type.toString())
                        .build(),
                BodyHandlers.ofByteArray());
    }

    HttpResponse<String> postAs(MediaType type, String path, byte[] body) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(uri(path))
                        .header("Content-Type", type.toString())
                        .header("Accept", "text/plain")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create(
                "http://localhost:%s%s".formatted(context.getEnvironment().getProperty("local.server.port"), path));
    }

    @Override
    public void close() {
        context.close();
    }
}
