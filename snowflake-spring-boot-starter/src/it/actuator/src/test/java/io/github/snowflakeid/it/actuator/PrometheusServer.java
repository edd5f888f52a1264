package io.github.snowflakeid.it.actuator;

import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.it.common.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A real Prometheus that monitors an application by the rules of docs/prometheus-alerts.yml. At a speed of 10, all durations in the rules,
 * the scrape interval and the required rest of a lease are a tenth: for leases of 6 s instead of 60 s.
 */
final class PrometheusServer implements AutoCloseable {

    /** The default of Prometheus. */
    private static final long MILLIS_BETWEEN_LOOKS = 15_000;

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;
    private final Process process;

    PrometheusServer(Path directory, String application, int speed) throws IOException {
        port = FreePort.choose();
        Path rules = Path.of(System.getProperty("docs"), "prometheus-alerts.yml");
        Files.writeString(directory.resolve("rules.yml"), faster(Files.readString(rules), speed));
        Files.writeString(
                directory.resolve("prometheus.yml"), """
                global:
                  scrape_interval: %1$sms
                  scrape_timeout: %1$sms
                  evaluation_interval: %1$sms
                rule_files: [rules.yml]
                scrape_configs:
                  - job_name: application
                    metrics_path: /actuator/prometheus
                    static_configs:
                      - targets: ["%2$s"]
                """.formatted(MILLIS_BETWEEN_LOOKS / speed, application));
        process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + directory.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> !query("up == 1").isEmpty());
    }

    static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static String faster(String rules, int speed) {
        return Pattern.compile("(?<=for: |\\[|:)(\\d+)([sm])")
                .matcher(rules)
                .replaceAll(duration ->
                        Long.parseLong(duration.group(1)) * (duration.group(2).equals("m") ? 60_000 : 1_000) / speed
                                + "ms")
                .replace("< 35", "< " + 35.0 / speed);
    }

    private String get(String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Returns the series that an expression yields. */
    List<Object> query(String expression) throws IOException, InterruptedException {
        return JsonPath.read(
                get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8)), "$.data.result");
    }

    /** Returns the names of firing alerts. */
    Set<String> firing() throws IOException, InterruptedException {
        List<String> names =
                JsonPath.read(get("/api/v1/alerts"), "$.data.alerts[?(@.state == 'firing')].labels.alertname");
        return new TreeSet<>(names);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
