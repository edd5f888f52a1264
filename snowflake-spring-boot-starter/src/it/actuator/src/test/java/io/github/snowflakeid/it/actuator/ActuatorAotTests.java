package io.github.snowflakeid.it.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Runs the application as it was processed ahead of time, when its key was not known. */
// Slow: starts another JVM from what was processed ahead of time.
@Tag("full")
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ActuatorAotTests {

    private int port;

    private HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void isSeenAndHidesIds() throws Exception {
        Path processed = Path.of(System.getProperty("aot.classes"));
        assertThat(processed.resolve(
                        "io/github/snowflakeid/it/actuator/ActuatorShop__ApplicationContextInitializer.class"))
                .exists();
        try (JavaProcess application = new JavaProcess(
                List.of("-Dspring.aot.enabled=true"),
                processed.toString(),
                ActuatorShop.class,
                "--spring.datasource.url=jdbc:h2:mem:shop",
                "--PUBLIC_ID_KEY=" + ActuatorTests.KEY)) {
            application.readTo("Starting AOT-processed ActuatorShop");
            port = Integer.parseInt(
                    application.readTo("Tomcat started on port (\\d+)").group(1));
            application.readTo("event HELD");

            assertThat(get("/actuator/health/readiness").body()).contains("\"snowflake\":{\"", "\"strategy\":\"jdbc\"");
            assertThat(get("/actuator/info").body()).contains("\"tickets\":{\"workerId\":7");
            assertThat(get("/actuator/snowflake").body()).contains("\"state\":\"leased\"", "\"thisGenerator\":true");
            assertThat(get("/actuator/snowflake/7").body()).contains("\"id\":\"7\"");
            assertThat(get("/actuator/snowflake/x").statusCode()).isEqualTo(400);
            assertThat(get("/actuator/prometheus").body()).contains("snowflake_ids_issued_total{", "snowflake_lease_");
            String receipt = get("/receipts?ticket=249828685941993514").body();
            assertThat(receipt).contains("\"ticket\":\"249828685941993514\"").doesNotContain("\"id\":\"2498");
            String id = receipt.replaceAll(".*\"id\":\"(\\w+)\".*", "$1");
            assertThat(get("/receipts/" + id).body()).isEqualTo(receipt);
            assertThat(get("/receipts/7").statusCode()).isEqualTo(404);
        }
    }
}
