package io.github.snowflakeid.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.migration.DocumentedSql.Block;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Runs the SQL of docs/decoding.md on each database, for each layout, and compares the results with {@link IdLayout}. */
class DecodingTests {

    private static final DocumentedSql PAGE = new DocumentedSql("decoding.md");
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
            .toFormatter(Locale.ROOT)
            .withZone(ZoneOffset.UTC);

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
                    forLayout(database, layout, decoding(database)) + " ORDER BY id",
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
            String sql = forLayout(database, layout, lowest(database));
            Stream<Instant> some = random.longs(50, layout.epoch().toEpochMilli(), last.toEpochMilli())
                    .mapToObj(millis -> Instant.ofEpochMilli(millis).plusNanos(1000L * random.nextInt(1000)));

            assertThat(Stream.concat(Stream.of(layout.epoch(), last), some)).allSatisfy(instant -> {
                String ofInstant = sql.replace("2026-03-01 00:00:00", TIMESTAMP.format(instant));
                assertThat(jdbc.queryForObject(ofInstant, Long.class))
                        .as("%s, %s on %s", instant, layout, database)
                        .isEqualTo(layout.firstId(instant));
            });
        }
    }

    @Test
    void rowsOfAPeriodAreBetweenTheLowestIds() {
        open(Databases.POSTGRESQL);
        long march = IdLayout.DEFAULT.firstId(Instant.parse("2026-03-01T00:00:00Z"));
        long april = IdLayout.DEFAULT.firstId(Instant.parse("2026-04-01T00:00:00Z"));
        fill(march - 1, march, april - 1, april);

        assertThat(jdbc.query(sql(block("Rows of a period", 0)), (row, number) -> row.getLong("id")))
                .containsExactly(march, april - 1);
    }

    @Test
    void tableOfLayoutsHasTheNumbersOfEach() {
        IdLayout.presets().forEach((name, layout) -> {
            int worker = layout.sequenceBits();
            int datacenter = worker + layout.workerBits();
            int time = datacenter + layout.datacenterBits();
            assertThat(DocumentedSql.page("decoding.md"))
                    .contains("| `%s` | %s | %s ms | %s, %s, %s | %s, %s, %s | %s, %s, %s |"
                            .formatted(
                                    name,
                                    TIMESTAMP.format(layout.epoch()),
                                    layout.tick().toMillis(),
                                    time,
                                    datacenter,
                                    worker,
                                    layout.maxDatacenterId(),
                                    layout.maxWorkerId(),
                                    layout.maxSequence(),
                                    1L << time,
                                    1L << datacenter,
                                    1L << worker));
        });
    }

    @Test
    void examplesOfOtherLayoutsFollowTheRulesOfThePage() {
        assertThat(sql(block("Other layouts", 0)))
                .isEqualTo(forLayout(Databases.POSTGRESQL, IdLayout.TWITTER, decoding(Databases.POSTGRESQL)));
        assertThat(sql(block("Other layouts", 1)))
                .isEqualTo(forLayout(Databases.MARIADB, IdLayout.BAIDU, decoding(Databases.MARIADB)));
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

    private static String decoding(Databases database) {
        return sql(step(database, 0));
    }

    private static String lowest(Databases database) {
        return sql(step(database, 1));
    }

    private static Block step(Databases database, int number) {
        return PAGE.blocks().stream()
                .filter(block -> block.step().equals(heading(database)))
                .toList()
                .get(number);
    }

    private static String heading(Databases database) {
        return switch (database) {
            case POSTGRESQL -> "PostgreSQL";
            case MARIADB -> "MariaDB and MySQL";
            case H2 -> "H2";
            case HSQLDB -> "HSQLDB";
        };
    }

    private static Block block(String section, int number) {
        return PAGE.blocks().stream()
                .filter(block -> block.section().equals(section))
                .toList()
                .get(number);
    }

    private static String sql(Block block) {
        assertThat(block.statements()).hasSize(1);
        return block.statements().get(0);
    }

    /** Returns SQL for the default layout, changed to the numbers of another layout. */
    private static String forLayout(Databases database, IdLayout layout, String sql) {
        String result = sql;
        for (String place : places(database)) {
            result = result.replace(
                    place.formatted(numbers(database, IdLayout.DEFAULT)), place.formatted(numbers(database, layout)));
        }
        return result;
    }

    /** Returns the places of a layout's numbers. */
    private static List<String> places(Databases database) {
        return switch (database) {
            case POSTGRESQL ->
                List.of(
                        "'%1$sZ'",
                        "(id >> %3$s) * interval '%2$s s'",
                        "(id >> %4$s) & %5$s AS datacenter_id",
                        "(id >> %6$s) & %7$s AS worker_id",
                        "id & %8$s AS sequence",
                        "/ %2$s)::BIGINT << %3$s");
            case MARIADB ->
                List.of(
                        "'%1$s'",
                        "(id >> %3$s) * %2$s MICROSECOND",
                        "(id >> %4$s) & %5$s AS datacenter_id",
                        "(id >> %6$s) & %7$s AS worker_id",
                        "id & %8$s AS sequence",
                        "DIV %2$s << %3$s");
            case H2 ->
                List.of(
                        "'%1$sZ'",
                        "RSHIFT(id, %3$s) * %2$s,",
                        "BITAND(RSHIFT(id, %4$s), %5$s) AS datacenter_id",
                        "BITAND(RSHIFT(id, %6$s), %7$s) AS worker_id",
                        "BITAND(id, %8$s) AS sequence",
                        "/ %2$s, %3$s)");
            case HSQLDB ->
                List.of(
                        "'%1$s'",
                        "id / %3$s * %2$s,",
                        "BITAND(id / %4$s, %5$s) AS datacenter_id",
                        "BITAND(id / %6$s, %7$s) AS worker_id",
                        "BITAND(id, %8$s) AS sequence",
                        "/ %2$s * %3$s");
        };
    }

    /** Epoch; tick; position of the timestamp; positions of the two IDs, each with its mask; mask of the sequence. */
    private static Object[] numbers(Databases database, IdLayout layout) {
        long millis = layout.tick().toMillis();
        int worker = layout.sequenceBits();
        int datacenter = worker + layout.workerBits();
        int time = datacenter + layout.datacenterBits();
        boolean shifts = database != Databases.HSQLDB;
        return new Object[] {
            TIMESTAMP.format(layout.epoch()),
            switch (database) {
                case POSTGRESQL ->
                    BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
                case MARIADB, H2 -> millis * 1000;
                case HSQLDB -> millis;
            },
            shifts ? time : 1L << time,
            shifts ? datacenter : 1L << datacenter,
            layout.maxDatacenterId(),
            shifts ? worker : 1L << worker,
            layout.maxWorkerId(),
            layout.maxSequence()
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
