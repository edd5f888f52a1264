package io.github.snowflakeid.it.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Every alert of docs/prometheus-alerts.yml fires and ends in a real Prometheus when it should: alerts about clocks, worker IDs, exhausted
 * numbers, and an outage of the database. On demand: {@code -Doutage.speed=10} is ten times as fast as an application with a lease of 60 s,
 * {@code 1} is as fast.
 */
@EnabledIfSystemProperty(named = "outage.speed", matches = "[1-9]\\d*", disabledReason = "it takes minutes")
class OutageTests {

    private static final int SPEED = Integer.getInteger("outage.speed", 10);

    /** Some alerts require a condition to last for 5 minutes, and failures of the store are counted over 10 minutes. */
    private static final Duration LONGEST =
            Duration.ofSeconds(120).plus(Duration.ofMinutes(11).dividedBy(SPEED));

    private static final Set<String> OF_THE_OUTAGE = Set.of(
            "SnowflakeLeaseExpiring",
            "SnowflakeNoIds",
            "SnowflakeRefusals",
            "SnowflakeStoreFailing",
            "SnowflakeSegmentStoreAway",
            "SnowflakeSegmentEmpty");

    @TempDir
    private Path directory;

    private final Instant start = Instant.now();
    private volatile boolean over;

    /** A store whose clock is ahead. It has no annotation, since other tests would find it. */
    static class Skewed {

        static volatile Duration skew = Duration.ofSeconds(6);

        @Bean(defaultCandidate = false)
        @Qualifier("skewed")
        WorkerRegistry skewedRegistry(DataSource database) {
            JdbcWorkerRegistry target = new JdbcWorkerRegistry(database, "snowflake_worker", "skewed")
                    .initializeSchema(InitializeSchema.ALWAYS);
            target.read();
            return new WorkerRegistry() {

                @Override
                public String namespace() {
                    return target.namespace();
                }

                @Override
                public Snapshot read() {
                    Snapshot seen = target.read();
                    return Snapshot.of(seen.now().plus(skew), seen.entries()).withFloor(seen.floor());
                }

                @Override
                public boolean acquire(Entry seen, Claim claim, Duration ttl) {
                    return target.acquire(seen, claim, ttl);
                }

                @Override
                public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
                    return target.renew(held, reservedUntil, ttl);
                }

                @Override
                public boolean release(Claim held, Instant reservedUntil) {
                    return target.release(held, reservedUntil);
                }
            };
        }
    }

    private void say(String what) {
        System.out.printf(
                Locale.ROOT,
                "%6.1f s  %s%n",
                Duration.between(start, Instant.now()).toMillis() / 1000.0,
                what);
    }

    private void awaitThat(PrometheusServer prometheus, boolean fire, Set<String> alerts) {
        Set<String> missing = new TreeSet<>(alerts);
        await().atMost(LONGEST).pollInterval(Duration.ofMillis(200)).until(() -> {
            Set<String> firing = prometheus.firing();
            missing.removeIf(alert -> {
                boolean isSo = firing.contains(alert) == fire;
                if (isSo) {
                    say(alert + (fire ? " fires" : " is over"));
                }
                return isSo;
            });
            return missing.isEmpty();
        });
    }

    /** Requests IDs until the end. */
    private static void ask(IdGenerator ids, int count, Duration pause, BooleanSupplier isOver) {
        Thread thread = new Thread(() -> {
            while (!isOver.getAsBoolean()) {
                try {
                    ids.nextIds(count);
                } catch (SnowflakeException e) {
                    // Failures are counted.
                }
                LockSupport.parkNanos(pause.toNanos());
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void everyAlertFiresAndIsOver() throws Exception {
        assumeThat(PrometheusServer.isInstalled("prometheus"))
                .as("prometheus is on the path; it is a package of Debian")
                .isTrue();
        DatabaseProcess database = new DatabaseProcess(directory.resolve("database"));
        database.start();
        try (ConfigurableApplicationContext context =
                        SpringApplication.run(new Class<?>[] {ActuatorShop.class, Skewed.class}, options(database));
                PrometheusServer prometheus = new PrometheusServer(directory, "localhost:" + port(context), SPEED)) {
            ofNumbersThatEnd(context, prometheus);
            ofClocksAndWorkerIds(context, prometheus);
            ask(generator(context, "invoices"), 10, Duration.ofMillis(100), () -> over);
            ofAnOutage(context.getBean(IdGenerator.class), database, prometheus);
        } finally {
            over = true;
            database.kill();
        }
    }

    private static String[] options(DatabaseProcess database) {
        return new String[] {
            "--spring.datasource.url=" + database.url(),
            "--spring.datasource.username=sa",
            "--PUBLIC_ID_KEY=" + ActuatorTests.KEY,
            "--snowflake.worker.lease.ttl=" + 60_000 / SPEED + "ms",
            "--snowflake.generators.tickets.clock.max-drift=2s",
            "--snowflake.generators.few.bits.datacenter=0",
            "--snowflake.generators.few.bits.worker=1",
            "--snowflake.generators.skewed.worker.strategy=jdbc",
            "--snowflake.segment.jdbc.initialize-schema=always",
            "--snowflake.generators.invoices.type=segment",
            "--snowflake.generators.invoices.segment.max-step=100",
            "--snowflake.generators.invoices.segment.max-wait=100ms",
            "--snowflake.generators.tables.type=segment",
            "--snowflake.generators.tables.segment.min-step=900",
            "--snowflake.generators.tables.segment.max-value=1000"
        };
    }

    private static IdGenerator generator(ConfigurableApplicationContext context, String name) {
        return BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getBeanFactory(), IdGenerator.class, name);
    }

    private static String port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getProperty("local.server.port");
    }

    private void ofNumbersThatEnd(ConfigurableApplicationContext context, PrometheusServer prometheus) {
        say("nine tenths of all numbers are taken");
        awaitThat(prometheus, true, Set.of("SnowflakeSegmentEnding"));
        // Numbers that were not issued are released.
        ((SegmentIdGenerator) generator(context, "tables")).close();
        say("they are given back");
        awaitThat(prometheus, false, Set.of("SnowflakeSegmentEnding"));
    }

    private void ofClocksAndWorkerIds(ConfigurableApplicationContext context, PrometheusServer prometheus) {
        Set<String> alerts = Set.of("SnowflakeClockSkew", "SnowflakeDrift", "SnowflakeFewWorkerIds");
        JdbcTemplate sql = new JdbcTemplate(context.getBean(DataSource.class));
        sql.update("""
                insert into snowflake_worker (namespace, datacenter_id, worker_id, owner, owner_info, reserved_until, expires_at, layout)
                select namespace, datacenter_id, 1 - worker_id, 'another one', owner_info, reserved_until, expires_at + 3600000, layout
                from snowflake_worker where namespace = 'few'""");
        AtomicBoolean enough = new AtomicBoolean();
        ask(generator(context, "tickets"), 1_000, Duration.ZERO, () -> enough.get() || over);
        say("the store's clock is ahead, all worker ids are taken, more ids are asked for than there are");
        awaitThat(prometheus, true, alerts);
        enough.set(true);
        Skewed.skew = Duration.ZERO;
        sql.update("delete from snowflake_worker where owner = 'another one'");
        say("no more");
        awaitThat(prometheus, false, alerts);
    }

    private void ofAnOutage(IdGenerator ids, DatabaseProcess database, PrometheusServer prometheus) throws Exception {
        ask(ids, 1, Duration.ofMillis(100), () -> over);
        assertThat(prometheus.firing()).isEmpty();
        // So that the graphs show the recovery.
        await().atMost(LONGEST)
                .pollDelay(Duration.ofSeconds(60).dividedBy(SPEED))
                .until(() -> true);

        database.kill();
        say("the database is killed");
        Instant killed = Instant.now();
        awaitThat(prometheus, true, OF_THE_OUTAGE);
        await().atMost(LONGEST)
                .until(() -> Instant.now()
                        .isAfter(killed.plus(Duration.ofSeconds(120).dividedBy(SPEED))));
        database.start();
        say("the database is back");
        awaitThat(prometheus, false, OF_THE_OUTAGE);
        assertThat(prometheus.firing()).isEmpty();
        assertThat(ids.nextId()).isPositive();
    }
}
