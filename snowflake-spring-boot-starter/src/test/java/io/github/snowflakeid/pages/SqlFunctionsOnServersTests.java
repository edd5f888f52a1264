package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.sql.SqlFunctions;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** The SQL functions return the same as {@link IdLayout}, on real servers, for each layout. */
@Tag("servers")
class SqlFunctionsOnServersTests {

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final IdLayout TEN_MILLISECONDS = IdLayout.builder()
            .epoch(Instant.parse("2024-02-29T12:34:56.789Z"))
            .tick(Duration.ofMillis(10))
            .timestampBits(39)
            .datacenterBits(3)
            .workerBits(11)
            .sequenceBits(9)
            .build();

    private static final IdLayout MINUTES = IdLayout.builder()
            .epoch(Instant.parse("1999-12-31T23:59:30Z"))
            .tick(Duration.ofMinutes(1))
            .timestampBits(26)
            .datacenterBits(0)
            .workerBits(1)
            .sequenceBits(20)
            .build();

    private static final List<IdLayout> LAYOUTS = Stream.concat(
                    IdLayout.presets().values().stream(), Stream.of(TEN_MILLISECONDS, MINUTES))
            .toList();

    private final Random random = new Random(1);
    private HikariDataSource pool;
    private JdbcTemplate jdbc;

    @AfterEach
    void close() {
        jdbc.execute("DROP TABLE IF EXISTS purchase");
        pool.close();
    }

    // Slow: H2 compiles the functions of each layout.
    @Tag("full")
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void fieldsAndFirstIdsAreThoseOfTheLayout(Databases database) {
        open(database);
        for (IdLayout layout : LAYOUTS) {
            createFunctions(pool, database, layout);
            assertFields(database, layout);
            assertFirstIds(database, layout);
        }
    }

    private void assertFields(Databases database, IdLayout layout) {
        long last = layout.encode(
                new IdFields(lastTick(layout), layout.maxDatacenterId(), layout.maxWorkerId(), layout.maxSequence()));
        fill(LongStream.concat(LongStream.of(0, 1, last), random.longs(50, 2, last)));

        List<String> read = jdbc.query(
                "SELECT id, snowflake_time(id), snowflake_datacenter(id), snowflake_worker(id), snowflake_sequence(id) FROM purchase",
                (row, number) -> row.getLong(1) + " " + time(database, row, 2) + " " + row.getInt(3) + " "
                        + row.getInt(4) + " " + row.getInt(5));

        assertThat(read)
                .as("%s on %s", layout, database)
                .hasSize(53)
                .allSatisfy(row -> assertThat(row).isEqualTo(decoded(layout, row)));
    }

    private void assertFirstIds(Databases database, IdLayout layout) {
        Instant last = lastTick(layout);
        Stream<Instant> instants = Stream.concat(
                Stream.of(layout.epoch(), last, last.plus(layout.tick()).minusNanos(1000)),
                random.longs(50, layout.epoch().toEpochMilli(), last.toEpochMilli())
                        .mapToObj(millis -> Instant.ofEpochMilli(millis).plusNanos(1000L * random.nextInt(1000))));

        assertThat(instants)
                .allSatisfy(instant -> assertThat(jdbc.queryForObject(
                                "SELECT snowflake_first_id(%s)".formatted(literal(database, instant)), Long.class))
                        .as("%s, %s on %s", instant, layout, database)
                        .isEqualTo(layout.firstId(instant)));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void timesOfAnotherTimeZoneAreTheSame(Databases database) {
        open(database);
        createFunctions(pool, database, IdLayout.DEFAULT);
        Instant instant = Instant.parse("2026-03-29T01:30:00.123Z");
        fill(LongStream.of(IdLayout.DEFAULT.firstId(instant)));
        try (HikariDataSource elsewhere = database.open()) {
            elsewhere.setMaximumPoolSize(1);
            JdbcTemplate session = new JdbcTemplate(elsewhere);
            session.execute(
                    switch (database) {
                        case MARIADB -> "SET time_zone = '+08:00'";
                        default -> "SET TIME ZONE 'Asia/Shanghai'";
                    });

            assertThat(session.queryForObject(
                            "SELECT snowflake_first_id(%s)".formatted(literal(database, instant)), Long.class))
                    .isEqualTo(IdLayout.DEFAULT.firstId(instant));
            assertThat(session.queryForObject(
                            "SELECT id FROM purchase WHERE snowflake_time(id) = " + literal(database, instant),
                            Long.class))
                    .isEqualTo(IdLayout.DEFAULT.firstId(instant));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void rowsOfATimeAreFoundByTheIndex(Databases database) {
        open(database);
        createFunctions(pool, database, IdLayout.DEFAULT);
        IdRange march =
                IdLayout.DEFAULT.range(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-01T00:00:00Z"));
        fill(LongStream.concat(
                LongStream.of(march.first() - 1, march.first(), march.last(), march.last() + 1),
                random.longs(5000, 0, march.first())));
        String rows = "SELECT id FROM purchase WHERE id >= snowflake_first_id(%s) AND id < snowflake_first_id(%s)"
                .formatted(
                        literal(database, Instant.parse("2026-03-01T00:00:00Z")),
                        literal(database, Instant.parse("2026-04-01T00:00:00Z")));
        jdbc.execute(
                switch (database) {
                    case MARIADB -> "ANALYZE TABLE purchase";
                    case H2 -> "ANALYZE";
                    default -> "ANALYZE purchase";
                });

        assertThat(jdbc.queryForList(rows + " ORDER BY id", Long.class)).containsExactly(march.first(), march.last());
        String plan = jdbc.queryForList("EXPLAIN " + rows).toString();
        switch (database) {
            case POSTGRESQL ->
                assertThat(plan)
                        .contains("Index Cond: ((id >= '%s'".formatted(march.first()))
                        .doesNotContain("Seq Scan", "snowflake");
            case MARIADB -> assertThat(plan).contains("type=range", "key=PRIMARY");
            default -> assertThat(plan).contains("PRIMARY_KEY").doesNotContain("tableScan");
        }
    }

    /** Creates the functions as a migration does. */
    static void createFunctions(HikariDataSource pool, Databases database, IdLayout layout) {
        SqlFunctions dialect = SqlFunctions.valueOf(
                database == Databases.MARIADB && Databases.usesMysql() ? "MYSQL" : database.name());
        new ResourceDatabasePopulator(
                        new ByteArrayResource(dialect.script(layout).getBytes(StandardCharsets.UTF_8)))
                .execute(pool);
    }

    private static String decoded(IdLayout layout, String row) {
        long id = Long.parseLong(row.substring(0, row.indexOf(' ')));
        IdFields fields = layout.decode(id);
        return id + " " + fields.timestamp() + " " + fields.datacenterId() + " " + fields.workerId() + " "
                + fields.sequence();
    }

    private static Instant lastTick(IdLayout layout) {
        return layout.end().minus(layout.tick());
    }

    private static String literal(Databases database, Instant instant) {
        return switch (database) {
            case POSTGRESQL -> "TIMESTAMPTZ '%s+00'".formatted(TIMESTAMP.format(instant));
            case H2 -> "TIMESTAMP WITH TIME ZONE '%s+00'".formatted(TIMESTAMP.format(instant));
            default -> "TIMESTAMP'%s'".formatted(TIMESTAMP.format(instant));
        };
    }

    private void open(Databases database) {
        pool = database.open();
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("DROP TABLE IF EXISTS purchase");
        jdbc.execute("CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY)");
    }

    private void fill(LongStream ids) {
        jdbc.update("DELETE FROM purchase");
        jdbc.batchUpdate(
                "INSERT INTO purchase (id) VALUES (?)",
                ids.mapToObj(id -> new Object[] {id}).toList());
    }

    private static Instant time(Databases database, ResultSet row, int column) throws SQLException {
        return database == Databases.MARIADB
                ? row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC)
                : row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
