package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerLeaseExpiredException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Outages of real servers, which are stopped and started. */
// Slow: stops each server until a lease of 8 s has expired.
@Tag("full")
@Tag("servers")
class DatabaseOutageTests {

    private static final Duration TTL = Duration.ofSeconds(8);

    private static HikariDataSource pool(Databases database) {
        HikariConfig config = database.pool();
        config.setConnectionTimeout(500);
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    private static LeaseTerms terms(HikariDataSource pool, String table) {
        JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(pool, table, "default").initializeSchema(InitializeSchema.ALWAYS);
        new JdbcTemplate(pool).execute("DROP TABLE IF EXISTS " + table);
        registry.read();
        return LeaseTerms.of(registry).withTtl(TTL);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shortOutageIsNoticedByAWarningOnlyAndALongOneEndsAtTheFence(Databases database) throws Exception {
        List<WorkerLease> changes = new CopyOnWriteArrayList<>();
        try (HikariDataSource pool = pool(database);
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(terms(pool, "outage").withListener(changes::add))
                        .maxWait(Duration.ofMillis(50))
                        .build()) {
            int worker = generator.workerId().workerId();
            long last = generator.nextId();

            database.stop();
            // The state also tells that a renewal is late, before the listener hears of its failure.
            await(() -> changes.size() == 2);
            assertThat(generator.nextId()).isGreaterThan(last);
            Instant end = generator.lease().orElseThrow().fence();
            database.url();
            await(() -> generator.lease().orElseThrow().state() == State.HELD);
            // On a slow machine, the outage is longer.
            boolean isShort = generator.lease().orElseThrow().renewedAt().isBefore(end);
            assertThat(changes)
                    .extracting(WorkerLease::state)
                    .filteredOn(state -> isShort || state != State.ENDED)
                    .containsExactly(State.HELD, State.EXPIRING, State.HELD);

            database.stop();
            try {
                await(() -> {
                    Instant fence = generator.lease().orElseThrow().fence();
                    try {
                        assertThat(generator.layout().decode(generator.nextId()).timestamp())
                                .isBefore(fence);
                        return false;
                    } catch (WorkerLeaseExpiredException e) {
                        assertThat(Instant.now()).isAfterOrEqualTo(fence.minus(Duration.ofMillis(50)));
                        assertThat(e.lease()).isNotNull();
                        return true;
                    }
                });
            } finally {
                database.url();
            }
            await(() -> generator.lease().orElseThrow().state() == State.HELD);
            last = generator.nextId();
            assertThat(generator.workerId().workerId()).isEqualTo(worker);
            assertThat(generator.nextId()).isGreaterThan(last);
        }
    }

    @ParameterizedTest
    @EnumSource
    void databaseThatIsDownAtStartupIsWaitedForUpToTheTimeout(Databases database) throws Exception {
        try (HikariDataSource pool = pool(database)) {
            LeaseTerms terms = terms(pool, "away");
            database.stop();
            Thread starts = new Thread(database::url);
            try {
                assertThatExceptionOfType(WorkerIdUnavailableException.class)
                        .isThrownBy(() -> SnowflakeIdGenerator.builder()
                                // H2's driver tries to connect for up to 2 s.
                                .lease(terms.withAcquireTimeout(Duration.ofSeconds(5)))
                                .build())
                        .withMessageStartingWith(
                                "No worker ID of namespace 'default' leased within 5000 ms: The database cannot be reached: ")
                        .satisfies(rejected -> assertThat(rejected.reason()).isEqualTo(Reason.REGISTRY_UNREACHABLE));

                starts.start();
                try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(terms.withAcquireTimeout(Duration.ofMinutes(1)))
                        .build()) {
                    assertThat(generator.nextId()).isPositive();
                }
            } finally {
                starts.join();
                database.url();
            }
        }
    }
}
