package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes that disagree about the stores of a counter or their order, while one of two real databases is killed. */
// Slow: kills and restarts servers.
@Tag("full")
@Tag("servers")
class SegmentStoresOutageTests {

    private static final Databases A = Databases.POSTGRESQL;
    private static final Databases B = Databases.MARIADB;
    private static final String NAME = "outage";

    private final List<HikariDataSource> pools = new ArrayList<>();
    private final List<SegmentIdGenerator> generators = new ArrayList<>();
    private final Map<Databases, JdbcSegmentStore> stores = new EnumMap<>(Databases.class);

    @BeforeEach
    void empty() throws Exception {
        for (Databases database : List.of(A, B)) {
            HikariConfig config = database.pool();
            config.setConnectionTimeout(1_000);
            config.setInitializationFailTimeout(-1);
            HikariDataSource pool = new HikariDataSource(config);
            pools.add(pool);
            JdbcSegmentStore store = new JdbcSegmentStore(pool, JdbcSegmentStore.DEFAULT_TABLE)
                    .initializeSchema(InitializeSchema.ALWAYS);
            store.read("any");
            try (var connection = pool.getConnection();
                    var statement = connection.prepareStatement("DELETE FROM snowflake_counter WHERE name = ?")) {
                statement.setString(1, NAME);
                statement.executeUpdate();
            }
            stores.put(database, store);
        }
    }

    @AfterEach
    void close() {
        A.url();
        B.url();
        generators.forEach(SegmentIdGenerator::close);
        pools.forEach(HikariDataSource::close);
    }

    private SegmentIdGenerator generator(Databases... databases) {
        SegmentIdGenerator generator = SegmentIdGenerator.builder()
                .name(NAME)
                .stores(List.copyOf(Stream.of(databases).map(stores::get).toList()))
                .maxWait(Duration.ofSeconds(2))
                .build();
        generators.add(generator);
        return generator;
    }

    private void assertRejected(Reason reason, Databases... databases) {
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(() -> generator(databases))
                .matches(rejected -> rejected.reason() == reason);
    }

    private Counter counter(Databases database) {
        database.url();
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (true) {
            try {
                return stores.get(database).read(NAME);
            } catch (RuntimeException e) {
                assertThat(System.nanoTime()).isLessThan(end);
            }
        }
    }

    @Test
    void listOfStoresThatHasGrownRepeatsNoNumber() throws Exception {
        try (SegmentIdGenerator alone = generator(A)) {
            assertThat(alone.nextIds(1_000)).endsWith(1_000);
        }
        A.kill();
        assertRejected(Reason.STORE_UNREACHABLE, A, B);
        assertThat(counter(B)).isNull();

        assertThat(counter(A).last()).isEqualTo(1_000);
        assertRejected(Reason.COUNTER_MISMATCH, A, B);
        assertThat(counter(B)).isNull();
        assertThat(generator(A).nextId()).isEqualTo(1_001);
    }

    @Test
    void storesInAnotherOrderRepeatNoNumber() throws Exception {
        B.kill();
        assertRejected(Reason.STORE_UNREACHABLE, A, B);
        counter(B);
        A.kill();
        assertRejected(Reason.STORE_UNREACHABLE, B, A);
        assertThat(counter(A)).isNull();
        assertThat(counter(B)).isNull();

        Set<Long> numbers = new HashSet<>();
        issue(generator(A, B), numbers);
        A.kill();
        assertRejected(Reason.COUNTER_MISMATCH, B, A);
        issue(generator(A, B), numbers);
    }

    @Test
    void databaseThatComesBackWithAnotherCounterStopsTheGenerator() throws Exception {
        generator(A, B).close();
        assertThat(stores.get(B).write(NAME, counter(B), new Counter(1, 1, 700, "of another process")))
                .isTrue();
        B.kill();
        SegmentIdGenerator running = generator(A, B);
        assertThat(running.nextId()).isEqualTo(1);
        assertThat(running.excludedStores()).hasSize(1);
        B.url();

        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (running.unavailability().isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(50);
        }
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(running::nextId)
                .matches(rejected -> rejected.reason() == Reason.COUNTER_MISMATCH);
    }

    private static void issue(SegmentIdGenerator generator, Set<Long> numbers) {
        for (int i = 0; i < 500; i++) {
            assertThat(numbers.add(generator.nextId())).isTrue();
        }
    }
}
