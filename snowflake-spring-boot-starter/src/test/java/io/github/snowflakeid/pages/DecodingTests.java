package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.jdbc.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Runs the scripts of docs/decoding.md on each database, for each layout, and compares the results with
 * {@link IdLayout}. {@code -Ddecoding.write} writes the scripts.
 */
class DecodingTests {

    private static final Path SCRIPTS = Page.DOCS.resolve("sql/decode");

    private static final IdLayout OWN = IdLayout.builder()
            .epoch(Instant.parse("2024-02-29T12:34:56.789Z"))
            .tick(Duration.ofMillis(10))
            .timestampBits(39)
            .datacenterBits(3)
            .workerBits(11)
            .sequenceBits(9)
            .build();
    private static final List<IdLayout> LAYOUTS =
            Stream.concat(IdLayout.presets().values().stream(), Stream.of(OWN)).toList();

    private final Random random = new Random(1);
    private HikariDataSource pool;
    private JdbcTemplate jdbc;

    @AfterEach
    void close() {
        if (pool != null) {
            jdbc.execute("DROP TABLE IF EXISTS purchase");
            pool.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void fieldsAreThoseThatTheLayoutDecodes(Databases database) {
        open(database);
        for (IdLayout layout : LAYOUTS) {
            long last = layout.encode(lastOf(layout));
            long[] ids = LongStream.concat(LongStream.of(0, 1, last), random.longs(50, 2, last))
                    .sorted()
                    .toArray();
            fill(ids);

            List<IdFields> decoded = jdbc.query(
                    new DecodingScript(database, layout).fields() + " ORDER BY id",
                    (row, number) -> new IdFields(
                            generatedAt(database, row),
                            row.getInt("datacenter_id"),
                            row.getInt("worker_id"),
                            row.getInt("sequence")));

            assertThat(decoded)
                    .as("%s on %s", layout, database)
                    .isEqualTo(LongStream.of(ids).mapToObj(layout::decode).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void lowestIdOfAnInstantIsTheFirstIdOfTheLayout(Databases database) {
        open(database);
        for (IdLayout layout : LAYOUTS) {
            Instant last = lastOf(layout).timestamp();
            DecodingScript script = new DecodingScript(database, layout);
            Stream<Instant> some = random.longs(50, layout.epoch().toEpochMilli(), last.toEpochMilli())
                    .mapToObj(millis -> Instant.ofEpochMilli(millis).plusNanos(1000L * random.nextInt(1000)));

            assertThat(Stream.concat(Stream.of(layout.epoch(), last), some)).allSatisfy(instant -> {
                assertThat(jdbc.queryForObject(script.lowest(instant), Long.class))
                        .as("%s, %s on %s", instant, layout, database)
                        .isEqualTo(layout.firstId(instant));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void scriptsAreThoseOfThePresetsAndFindTheRowsOfAPeriod(Databases database) throws IOException {
        open(database);
        for (Map.Entry<String, IdLayout> preset : IdLayout.presets().entrySet()) {
            IdLayout layout = preset.getValue();
            Path file = SCRIPTS.resolve(DecodingScript.databaseInFileNames(database) + "-" + preset.getKey() + ".sql");
            DecodingScript script = new DecodingScript(database, layout);
            if (Boolean.getBoolean("decoding.write")) {
                Files.writeString(file, script.text(preset.getKey()));
            }
            assertThat(file).content().isEqualTo(script.text(preset.getKey()));
            long first = layout.firstId(script.monthOfExample(3));
            long next = layout.firstId(script.monthOfExample(4));
            fill(first - 1, first, next - 1, next);
            List<String> statements = SqlScript.read(file);
            assertThat(statements).hasSize(3);

            assertThat(jdbc.query(statements.get(2), (row, number) -> row.getLong("id")))
                    .containsExactlyInAnyOrder(first, next - 1);
        }
    }

    private static IdFields lastOf(IdLayout layout) {
        return new IdFields(
                layout.end().minus(layout.tick()),
                layout.maxDatacenterId(),
                layout.maxWorkerId(),
                layout.maxSequence());
    }

    private static Instant generatedAt(Databases database, ResultSet row) throws SQLException {
        return switch (database) {
            case POSTGRESQL, H2 ->
                row.getObject("generated_at", OffsetDateTime.class).toInstant();
            case MARIADB, HSQLDB ->
                row.getObject("generated_at", LocalDateTime.class).toInstant(ZoneOffset.UTC);
        };
    }

    private void open(Databases database) {
        pool = database.open();
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY, customer VARCHAR(100))");
    }

    private void fill(long... ids) {
        jdbc.update("DELETE FROM purchase");
        jdbc.batchUpdate(
                "INSERT INTO purchase (id) VALUES (?)",
                LongStream.of(ids).mapToObj(id -> new Object[] {id}).toList());
    }
}
