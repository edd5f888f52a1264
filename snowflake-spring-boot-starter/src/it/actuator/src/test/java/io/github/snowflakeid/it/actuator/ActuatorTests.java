package io.github.snowflakeid.it.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.WorkerLeaseExpiredException;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Reports of the application over HTTP and in its log: in normal operation, during an outage of its database and after it. */
@ExtendWith(OutputCaptureExtension.class)
class ActuatorTests {

    /** A key that is used in tests only. */
    static final String KEY = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private DatabaseProcess database;
    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() throws Exception {
        database = new DatabaseProcess(directory);
        database.start();
        context = SpringApplication.run(
                ActuatorShop.class,
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=sa",
                "--PUBLIC_ID_KEY=" + KEY);
    }

    @AfterEach
    void stop() throws Exception {
        context.close();
        database.kill();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:%s/actuator/%s"
                .formatted(context.getEnvironment().getProperty("local.server.port"), path));
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private DocumentContext json(String path, int status) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return JsonPath.parse(answer.body());
    }

    private Double meter(String name) throws IOException, InterruptedException {
        return get("prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains("generator=\"default\""))
                .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void outageIsSeenFromItsBeginningToItsEnd(CapturedOutput output) throws Exception {
        IdGenerator ids = context.getBean(IdGenerator.class);
        List<SnowflakeLeaseEvent> events = context.getBean(ActuatorShop.class).events;
        seeThatAllIsWell(ids);

        database.kill();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(get("health/snowflake").statusCode()).isEqualTo(503));

        DocumentContext health = json("health/snowflake", 503);
        assertThat(health.<String>read("$.status")).isEqualTo("DOWN");
        assertThat(health.<Boolean>read("$.details.default.issuesIds")).isFalse();
        assertThat(health.<String>read("$.details.default.lease.state")).isEqualTo("ended");
        assertThat(health.<String>read("$.details.default.lease.remaining")).isEqualTo("PT0S");
        assertThat(health.<String>read("$.details.default.lease.reason")).isNotBlank();
        assertThat(health.<Boolean>read("$.details.tickets.issuesIds")).isTrue();
        assertThat(get("health/readiness").statusCode()).isEqualTo(503);
        assertThat(get("health/liveness").statusCode()).isEqualTo(200);
        assertThatExceptionOfType(WorkerLeaseExpiredException.class).isThrownBy(ids::nextId);
        assertThat(meter("snowflake_lease_remaining_seconds")).isZero();
        assertThat(meter("snowflake_lease_failures_total")).isPositive();
        assertThat(get("prometheus").body())
                .containsPattern("snowflake_ids_refused_total\\{.*generator=\"default\",reason=\"lease\".*} 1[.]0");
        assertThat(json("snowflake", 200).<String>read("$.namespaces[0].error"))
                .startsWith("the registry is unavailable: ");
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(output)
                        .contains(
                                "WARN",
                                "could not be renewed (",
                                "IDs continue for",
                                "ERROR",
                                "ID generation stopped: the lease of worker ID 0, datacenter ID 0 expired"));

        database.start();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(get("health/snowflake").statusCode()).isEqualTo(200));
        assertThat(get("health/readiness").statusCode()).isEqualTo(200);
        assertThat(ids.nextId()).isPositive();
        assertThat(meter("snowflake_lease_remaining_seconds")).isPositive();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(events)
                        .extracting(SnowflakeLeaseEvent::kind)
                        // A busy machine renews such a short lease late at other times as well.
                        .containsSubsequence(Kind.HELD, Kind.EXPIRING, Kind.ENDED, Kind.RECOVERED));
        assertThat(events).anySatisfy(event -> {
            assertThat(event.kind()).isEqualTo(Kind.RECOVERED);
            assertThat(event.outage()).isPositive();
        });
        assertThat(output)
                .containsPattern(
                        "INFO .*Recovered: generating IDs with worker ID [01], datacenter ID 0 again after .* s of outage");
    }

    private void seeThatAllIsWell(IdGenerator ids) throws Exception {
        long id = ids.nextId();
        ids.nextIds(99);
        // A renewal may be late.
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(json("health/snowflake", 200).<String>read("$.details.default.lease.state"))
                                .isEqualTo("held"));
        DocumentContext health = json("health/snowflake", 200);
        assertThat(health.<Map<String, Object>>read("$.details.default"))
                .containsEntry("workerId", 0)
                .containsEntry("datacenterId", 0)
                .containsEntry("strategy", "jdbc")
                .containsEntry("layoutEnds", "2094-09-07T15:47:35.552Z")
                .containsEntry("issuesIds", true);
        assertThat(health.<String>read("$.details.tickets.strategy")).isEqualTo("fixed");
        assertThat(json("health/readiness", 200).<String>read("$.components.snowflake.status"))
                .isEqualTo("UP");
        assertThat(get("health/liveness").body()).doesNotContain("snowflake");

        assertThat(json("info", 200).<Integer>read("$.snowflake.tickets.layout.bits.sequence"))
                .isEqualTo(7);

        DocumentContext overview = json("snowflake", 200);
        assertThat(overview.<List<Map<String, Object>>>read("$.namespaces[0].leases"))
                .singleElement()
                .satisfies(lease -> assertThat(lease)
                        .containsEntry("state", "leased")
                        .containsEntry("thisGenerator", true)
                        .hasEntrySatisfying(
                                "owner", owner -> assertThat(owner).asString().startsWith("watched, ")));

        DocumentContext fields = json("snowflake/" + id, 200);
        assertThat(fields.<String>read("$.id")).isEqualTo(Long.toString(id));
        assertThat(fields.<Integer>read("$.generators.default.workerId")).isZero();
        assertThat(fields.<Boolean>read("$.generators.default.worker.known")).isTrue();
        assertThat(fields.<Boolean>read("$.generators.default.worker.mayExist")).isTrue();
        assertThat(get("snowflake/x1").statusCode()).isEqualTo(400);

        assertThat(meter("snowflake_ids_issued_total")).isEqualTo(100);
        assertThat(meter("snowflake_lease_acquisitions_total")).isOne();
        assertThat(meter("snowflake_lease_remaining_seconds")).isPositive();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(get("prometheus").body())
                        .containsPattern("snowflake_workers\\{.*generator=\"default\",state=\"leased\".*} 1[.]0")
                        .containsPattern("snowflake_workers\\{.*generator=\"default\",state=\"free\".*} 1023[.]0"));
    }
}
