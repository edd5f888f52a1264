package io.github.snowflakeid.it.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.internal.actuate.GeneratorReport;
import io.github.snowflakeid.it.actuator.crac.Core;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;

/** A checkpoint of the process and its restore, as far as a JVM can simulate them that cannot take checkpoints. */
// Slow: starts other JVMs, and waits for leases to expire.
@Tag("full")
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class CheckpointTests {

    private static final String[] OPTIONS = {
        "--spring.datasource.url=" + CheckpointShop.DATABASE,
        "--spring.datasource.username=sa",
        "--spring.datasource.hikari.allow-pool-suspension=true",
        "--PUBLIC_ID_KEY=" + ActuatorTests.KEY
    };

    @AfterEach
    void forget() {
        Core.image(() -> {});
    }

    private static String health(ConfigurableApplicationContext context) throws Exception {
        URI uri = URI.create("http://localhost:%s/actuator/health/snowflake"
                .formatted(context.getEnvironment().getProperty("local.server.port")));
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static double meter(ConfigurableApplicationContext context, String name) {
        return context.getBean(MeterRegistry.class)
                .get(name)
                .tag("generator", "default")
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    @Test
    void leaseIsNotInACheckpointAndARestoredProcessLeasesAgain() throws Exception {
        try (ConfigurableApplicationContext context = SpringApplication.run(ActuatorShop.class, OPTIONS)) {
            SnowflakeIdGenerator ids = context.getBean(SnowflakeIdGenerator.class);
            long last = ids.nextId();
            Instant acquired = ids.lease().orElseThrow().acquiredAt();
            assertThat(health(context)).contains("\"status\":\"UP\"");
            List<String> seen = new ArrayList<>();
            Core.image(() -> {
                assertThat(CheckpointShop.held()).containsOnly(false);
                assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(ids::nextId);
                assertThat(ids.lease().orElseThrow().state()).isEqualTo(State.CLOSED);
                assertThat(GeneratorReport.of(ids, Instant.now()).condition())
                        .isEqualTo(GeneratorReport.Condition.DOWN);
                assertThat(meter(context, "snowflake.lease.remaining")).isZero();
                seen.add("checkpoint");
            });

            org.crac.Core.checkpointRestore();

            assertThat(seen).containsExactly("checkpoint");
            assertThat(CheckpointShop.held()).contains(true);
            assertThat(ids.lease().orElseThrow().state()).isEqualTo(State.HELD);
            assertThat(ids.lease().orElseThrow().acquiredAt()).isAfter(acquired);
            assertThat(ids.nextId()).isGreaterThan(last);
            assertThat(health(context)).contains("\"status\":\"UP\"");
            assertThat(meter(context, "snowflake.lease.remaining")).isPositive();
            assertThat(meter(context, "snowflake.lease.acquisitions")).isEqualTo(2);
        }
    }

    /** If a pool was suspended when beans are destroyed, no lease could be released. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 2})
    void leaseIsReleasedIfABeanDoesNotStart(int phase) throws Exception {
        SpringApplication application = new SpringApplication(ActuatorShop.class);
        application.addInitializers(
                context -> ((GenericApplicationContext) context).registerBean(Failing.class, () -> new Failing(phase)));

        assertThatExceptionOfType(ApplicationContextException.class).isThrownBy(() -> application.run(OPTIONS));

        assertNothingIsLeft();
    }

    /** Like a pool that Spring has paused between tests. */
    @Test
    void leaseIsReleasedIfThePoolIsSuspendedAlready() throws Exception {
        SnowflakeIdGenerator ids;
        List<Long> late = new ArrayList<>();
        try (ConfigurableApplicationContext context = SpringApplication.run(ActuatorShop.class, OPTIONS)) {
            ids = context.getBean(SnowflakeIdGenerator.class);
            ((DefaultSingletonBeanRegistry) context.getBeanFactory())
                    .registerDisposableBean("late", () -> late.add(ids.nextId()));
            context.getBean("hikariCheckpointRestoreLifecycle", Lifecycle.class).stop();
        }

        assertThat(late).hasSize(1);
        assertNothingIsLeft();
    }

    private static void assertNothingIsLeft() throws InterruptedException {
        assertThat(CheckpointShop.held()).containsOnly(false);
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().startsWith("snowflake-")) {
                each.join(60_000);
                assertThat(each.isAlive()).as(each.getName()).isFalse();
            }
        }
    }

    private record Failing(int phase) implements SmartLifecycle {

        @Override
        public void start() {
            throw new IllegalStateException("does not start");
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }

        @Override
        public int getPhase() {
            return phase;
        }
    }

    @Test
    void leaseIsNotInOneThatSpringTakesBeforeItStartsAnything() throws Exception {
        List<String> options = List.of(
                "-Dspring.context.checkpoint=onRefresh",
                "-Dorg.crac.Core.Compat=" + Core.class.getPackageName(),
                "-XX:TieredStopAtLevel=1");
        try (JavaProcess application = new JavaProcess(options, "", CheckpointShop.class, OPTIONS)) {
            application.readTo("held in the checkpoint: \\[false]");
            application.readTo("held afterwards: \\[true], id [1-9]");
            assertThat(application.lines()).noneMatch(line -> line.contains("ERROR"));
        }
    }
}
