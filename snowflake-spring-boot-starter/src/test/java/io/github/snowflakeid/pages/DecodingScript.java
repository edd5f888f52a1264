package io.github.snowflakeid.pages;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.jdbc.Databases;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Writes plain SQL that decodes the IDs of a layout. */
final class DecodingScript {

    static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
            .toFormatter(Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Databases database;
    private final IdLayout layout;

    DecodingScript(Databases database, IdLayout layout) {
        this.database = database;
        this.layout = layout;
    }

    static String databaseInFileNames(Databases database) {
        return database == Databases.MARIADB ? "mysql" : database.name().toLowerCase(Locale.ROOT);
    }

    /** Returns a script for people, with examples of instants. */
    String text(String nameOfLayout) {
        return """
                -- Decodes IDs of the layout '%s' on %s. Times are in UTC. Written by DecodingTests.
                -- %s
                -- The fields of each ID:
                %s;
                -- The lowest ID of an instant:
                %s;
                -- The rows of a period. An instant within a tick counts as the start of that tick:
                SELECT id, customer
                FROM purchase
                WHERE id >= %s
                  AND id < %s;
                """.formatted(
                        nameOfLayout,
                        nameOfDatabase(),
                        layout,
                        fields(),
                        lowest(monthOfExample(3)),
                        lowestExpression(TIMESTAMP.format(monthOfExample(3))),
                        lowestExpression(TIMESTAMP.format(monthOfExample(4))));
    }

    private String nameOfDatabase() {
        return switch (database) {
            case POSTGRESQL -> "PostgreSQL";
            case MARIADB -> "MariaDB and MySQL";
            case H2 -> "H2";
            case HSQLDB -> "HSQLDB";
        };
    }

    /** Returns the start of a month of 2026, or of the year in which the layout ended. */
    Instant monthOfExample(int month) {
        int year = Math.min(2026, layout.end().atZone(ZoneOffset.UTC).getYear());
        return LocalDate.of(year, month, 1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns a query of all fields of the table {@code purchase}. */
    String fields() {
        return """
                SELECT id,
                       %s AS generated_at,
                       %s AS datacenter_id,
                       %s AS worker_id,
                       %s AS sequence
                FROM purchase""".formatted(
                        generatedAt(),
                        field(workerShift() + layout.workerBits(), layout.maxDatacenterId()),
                        field(workerShift(), layout.maxWorkerId()),
                        field(0, layout.maxSequence()));
    }

    private int workerShift() {
        return layout.sequenceBits();
    }

    private int timestampShift() {
        return workerShift() + layout.workerBits() + layout.datacenterBits();
    }

    private String generatedAt() {
        int shift = timestampShift();
        return switch (database) {
            case POSTGRESQL ->
                "timestamptz '%sZ' + (id >> %s) * interval '%s s'".formatted(epoch(), shift, tickInSeconds());
            case MARIADB ->
                "TIMESTAMP'%s' + INTERVAL (id >> %s) * %s MICROSECOND".formatted(epoch(), shift, tickInMicros());
            case H2 ->
                "DATEADD(MICROSECOND, RSHIFT(id, %s) * %s, TIMESTAMP WITH TIME ZONE '%sZ')"
                        .formatted(shift, tickInMicros(), epoch());
            case HSQLDB ->
                "DATEADD('millisecond', id / %s * %s, TIMESTAMP '%s')"
                        .formatted(1L << shift, layout.tick().toMillis(), epoch());
        };
    }

    /** HSQLDB has no bit shifts. */
    private String field(int shift, long mask) {
        return switch (database) {
            case POSTGRESQL, MARIADB -> shift == 0 ? "id & " + mask : "(id >> %s) & %s".formatted(shift, mask);
            case H2 ->
                shift == 0 ? "BITAND(id, %s)".formatted(mask) : "BITAND(RSHIFT(id, %s), %s)".formatted(shift, mask);
            case HSQLDB ->
                shift == 0 ? "BITAND(id, %s)".formatted(mask) : "BITAND(id / %s, %s)".formatted(1L << shift, mask);
        };
    }

    /** Returns a query of the lowest ID of an instant. */
    String lowest(Instant instant) {
        String expression = lowestExpression(TIMESTAMP.format(instant));
        return database == Databases.HSQLDB ? "VALUES " + expression : "SELECT " + expression + " AS first_id";
    }

    private String lowestExpression(String instant) {
        int shift = timestampShift();
        return switch (database) {
            case POSTGRESQL ->
                "floor(extract(epoch FROM timestamptz '%sZ' - timestamptz '%sZ') / %s)::BIGINT << %s"
                        .formatted(instant, epoch(), tickInSeconds(), shift);
            case MARIADB ->
                "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'%s', TIMESTAMP'%s') DIV %s << %s"
                        .formatted(epoch(), instant, tickInMicros(), shift);
            case H2 ->
                "LSHIFT(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '%sZ', TIMESTAMP WITH TIME ZONE '%sZ') / %s, %s)"
                        .formatted(epoch(), instant, tickInMicros(), shift);
            case HSQLDB ->
                "DATEDIFF('millisecond', TIMESTAMP '%s', TIMESTAMP '%s') / %s * %s"
                        .formatted(epoch(), instant, layout.tick().toMillis(), 1L << shift);
        };
    }

    private String epoch() {
        return TIMESTAMP.format(layout.epoch());
    }

    private String tickInSeconds() {
        return BigDecimal.valueOf(layout.tick().toMillis(), 3)
                .stripTrailingZeros()
                .toPlainString();
    }

    private long tickInMicros() {
        return layout.tick().toMillis() * 1000;
    }
}
