package io.github.snowflakeid.sql;

import io.github.snowflakeid.IdLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * SQL functions that decode IDs inside a database. Each constant has the functions of one database:
 * {@code snowflake_time(id)}, {@code snowflake_first_id(ts)}, {@code snowflake_datacenter(id)},
 * {@code snowflake_worker(id)} and {@code snowflake_sequence(id)}. They return the same results as
 * {@link IdLayout#decode} and {@link IdLayout#firstId}. Comments in the script describe the parameters and the result
 * of each function.
 *
 * <p>Times are {@code TIMESTAMP WITH TIME ZONE} on PostgreSQL and H2, and {@code DATETIME} in UTC on MySQL and MariaDB.
 *
 * @since 1.0
 */
public enum SqlFunctions {
    /** PostgreSQL 9.6 and newer. */
    POSTGRESQL,
    /** MySQL 5.6 and newer. */
    MYSQL,
    /** MariaDB 10.1 and newer. */
    MARIADB,
    /** H2 2.0 and newer, on a JDK, because H2 compiles the functions. */
    H2;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([a-z-]+)}");

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * Returns a script that creates or replaces the functions for the IDs of one layout. A database can hold the
     * functions of one layout only.
     *
     * @param layout the layout of the IDs
     * @return SQL statements, each terminated by a semicolon, to be run by a database client, a Flyway or Liquibase
     *     migration, or Spring's {@code ScriptUtils}
     */
    public String script(IdLayout layout) {
        int workerShift = layout.sequenceBits();
        int datacenterShift = workerShift + layout.workerBits();
        int timeShift = datacenterShift + layout.datacenterBits();
        Map<String, Object> values = Map.ofEntries(
                Map.entry("layout", layout),
                Map.entry("epoch", TIMESTAMP.format(layout.epoch())),
                Map.entry("epoch-millis", layout.epoch().toEpochMilli()),
                Map.entry("tick-millis", layout.tick().toMillis()),
                Map.entry("tick-micros", layout.tick().toMillis() * 1000),
                Map.entry("time-shift", timeShift),
                Map.entry("time-factor", 1L << timeShift),
                Map.entry("datacenter-shift", datacenterShift),
                Map.entry("datacenter-mask", layout.maxDatacenterId()),
                Map.entry("worker-shift", workerShift),
                Map.entry("worker-mask", layout.maxWorkerId()),
                Map.entry("sequence-mask", layout.maxSequence()));
        return PLACEHOLDER
                .matcher(template())
                .replaceAll(match ->
                        Objects.requireNonNull(values.get(match.group(1))).toString());
    }

    private String template() {
        String name = name().toLowerCase(Locale.ROOT) + ".sql";
        try (InputStream script = Objects.requireNonNull(SqlFunctions.class.getResourceAsStream(name), name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
