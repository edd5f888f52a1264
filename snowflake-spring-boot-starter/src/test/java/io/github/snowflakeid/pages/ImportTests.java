package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.ImportIdGenerator;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Old rows are imported while generators run: no IDs are equal, and IDs sort by the original time. */
@Tag("servers")
class ImportTests {

    private final HikariDataSource pool = Databases.POSTGRESQL.open();
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final List<SnowflakeIdGenerator> generators = new ArrayList<>();
    private final JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    pool, JdbcWorkerRegistry.DEFAULT_TABLE, "default")
            .initializeSchema(InitializeSchema.ALWAYS);

    @BeforeEach
    void reserveAWorkerId() {
        jdbc.execute("DROP TABLE IF EXISTS purchase, snowflake_worker");
        jdbc.execute("CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY, placed_at TIMESTAMPTZ)");
        registry.read();
        leased(LeaseTerms.of(registry));
        jdbc.execute(SqlScript.statements(Page.of("migration.md").blocks("sql").get(0))
                .get(0));
    }

    @AfterEach
    void close() {
        generators.forEach(SnowflakeIdGenerator::close);
        jdbc.execute("DROP TABLE IF EXISTS purchase, snowflake_worker");
        pool.close();
    }

    @Test
    void reservedWorkerIdIsNeverLeased() {
        LeaseTerms terms = LeaseTerms.of(registry).withDatacenterId(31);
        IntStream.range(0, 31).forEach(i -> leased(terms));

        WorkerIdUnavailableException refused =
                catchThrowableOfType(WorkerIdUnavailableException.class, () -> leased(terms));
        assertThat(refused).hasMessageContaining("All 32 worker IDs of datacenter ID 31");
        assertThat(generators.subList(1, 32))
                .extracting(generator -> generator.workerId().workerId())
                .doesNotHaveDuplicates()
                .doesNotContain(31);
    }

    @Test
    void tenThousandOldRowsAreImportedNextToARunningGenerator() {
        SnowflakeIdGenerator running = generators.get(0);
        CompletableFuture<List<Long>> inserted = CompletableFuture.supplyAsync(() -> {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                ids.add(running.nextId());
                jdbc.update("INSERT INTO purchase (id) VALUES (?)", ids.get(i));
            }
            return ids;
        });
        List<Instant> times = originalTimes(10_000);
        importRows(times.subList(0, 6000));
        long highest = jdbc.queryForObject("SELECT max(id) FROM purchase WHERE placed_at IS NOT NULL", Long.class);
        ImportIdGenerator ids = ImportIdGenerator.of(IdLayout.DEFAULT, 31, 31).continueAfter(highest);
        importRows(ids, times.subList(6000, 10_000));
        inserted.join();

        assertThat(jdbc.queryForObject("SELECT count(*) FROM purchase", Long.class))
                .isEqualTo(12_000);
        List<Long> imported = jdbc.queryForList(
                "SELECT id FROM purchase WHERE placed_at IS NOT NULL ORDER BY placed_at, id", Long.class);
        assertThat(imported).hasSize(10_000).isSorted();
        assertThat(jdbc.query(
                        "SELECT id, placed_at FROM purchase WHERE placed_at IS NOT NULL",
                        (row, number) -> Duration.between(
                                IdLayout.DEFAULT.timestamp(row.getLong(1)),
                                row.getTimestamp(2).toInstant())))
                .allSatisfy(difference -> assertThat(difference).isBetween(Duration.ZERO, Duration.ofMillis(1)));
    }

    private void importRows(List<Instant> times) {
        Instant originalTime = times.get(0);
        ImportIdGenerator ids = ImportIdGenerator.of(IdLayout.DEFAULT, 31, 31);
        long id = ids.nextId(originalTime);
        jdbc.update("INSERT INTO purchase (id, placed_at) VALUES (?, ?)", id, Timestamp.from(originalTime));
        importRows(ids, times.subList(1, times.size()));
    }

    private void importRows(ImportIdGenerator ids, List<Instant> times) {
        jdbc.batchUpdate(
                "INSERT INTO purchase (id, placed_at) VALUES (?, ?)",
                times.stream()
                        .map(time -> new Object[] {ids.nextId(time), Timestamp.from(time)})
                        .toList());
    }

    /** Ascending times from years ago until now, several of them in the same millisecond. */
    private static List<Instant> originalTimes(int count) {
        Instant first = Instant.parse("2025-02-01T00:00:00Z");
        Instant now = Instant.now();
        Random random = new Random(1);
        return random.longs(count / 4, first.toEpochMilli(), now.toEpochMilli())
                .mapToObj(Instant::ofEpochMilli)
                .flatMap(time -> IntStream.range(0, 4).mapToObj(i -> time.plusNanos(random.nextInt(1000) * 1000L)))
                .sorted()
                .toList();
    }

    private void leased(LeaseTerms terms) {
        generators.add(SnowflakeIdGenerator.builder().lease(terms).build());
    }
}
