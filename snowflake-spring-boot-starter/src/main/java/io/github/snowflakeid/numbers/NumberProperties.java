package io.github.snowflakeid.numbers;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.properties.ValueRules;
import io.github.snowflakeid.jdbc.Dialect;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcNumberStore;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of document numbers.
 *
 * @param numbers Series of document numbers by name. Each is a DocumentNumbers bean with its name as qualifier.
 */
@ConfigurationProperties("snowflake")
record NumberProperties(@DefaultValue Map<String, Series> numbers) {

    static final String GROUP = "snowflake.numbers";

    private static final int MOST_RESERVED = 100_000;

    private static final Pattern NAME = Pattern.compile("(?!(true|false)$)[a-z][a-z0-9]{0,49}");

    NumberProperties {
        numbers.forEach((name, series) -> {
            if (!NAME.matcher(name).matches()) {
                throw Problem.INVALID_PROPERTY.exception(
                        "The name of series '%s.%s' must have 1 to 50 lower-case letters and digits, begin with a letter, and not be 'true' or 'false'."
                                .formatted(GROUP, name),
                        "Write such a name below '%s', in quotes if it is on, off, yes or no, and use it in '@Qualifier' as well."
                                .formatted(GROUP));
            }
            series.check(GROUP + "." + name + ".");
        });
    }

    /**
     * The properties of a series.
     *
     * @param format Format of the numbers, such as INV-{yyyy}-{00000}. Its date fields determine when numbers start at
     *     1 again.
     * @param zone Time zone in which periods begin and end. Required if the format has a date.
     * @param gapless Whether no number may be missing. Numbers are then taken in the caller's transaction.
     * @param prefetch How many numbers a process reserves at a time, from 1 to 100000. Only for series with gaps.
     * @param dataSource Name of the DataSource bean that stores the last number. By default, the one that is marked
     *     with SnowflakeDataSource, otherwise the only or primary one.
     * @param tableName Name of the table that stores the last number, optionally with a schema and a dot before it.
     * @param initializeSchema When to create the table if it does not exist.
     * @param platform Supported database whose SQL the database of the document numbers understands.
     * @param continueAfter Last numbers of the system that issued the numbers before.
     */
    record Series(
            @DefaultValue("") String format,
            @Nullable ZoneId zone,
            @DefaultValue("false") boolean gapless,
            @DefaultValue("1") int prefetch,
            @Nullable String dataSource,
            @DefaultValue(JdbcNumberStore.DEFAULT_TABLE) String tableName,
            @DefaultValue("embedded") InitializeSchema initializeSchema,
            @Nullable Dialect platform,
            @DefaultValue List<Last> continueAfter) {

        private void check(String group) {
            check(group + "format", "INV-{00000}", () -> NumberFormat.of(format));
            NumberFormat checked = NumberFormat.of(format);
            ValueRules.require(
                    checked.precision() == 0 || zone != null,
                    group + "zone",
                    "be a time zone, because the format has a date",
                    "not set",
                    "Europe/Berlin");
            boolean isValid = prefetch >= 1 && prefetch <= MOST_RESERVED;
            ValueRules.require(isValid, group + "prefetch", "be from 1 to " + MOST_RESERVED, prefetch, 1);
            ValueRules.require(!gapless || prefetch == 1, group + "prefetch", "be 1 for a gapless series", prefetch, 1);
            for (int i = 0; i < continueAfter.size(); i++) {
                String after = group + "continue-after[" + i + "].";
                Last last = continueAfter.get(i);
                check(after + "tenant", "acme", () -> checked.check(last.tenant()));
                check(
                        after + "period",
                        checked.of(LocalDate.of(2025, 1, 1)).period(),
                        () -> checked.firstDay(last.period()));
                ValueRules.requireAtLeast(after + "number", last.number(), 1, 41);
            }
        }

        private static void check(String property, String example, Runnable rule) {
            try {
                rule.run();
            } catch (IllegalArgumentException e) {
                throw Problem.invalid(e, property, example);
            }
        }
    }

    /**
     * The last number of a previous system.
     *
     * @param tenant Tenant of the number.
     * @param period Period of the number, such as 2026 or 2026-11.
     * @param number Last number that was issued.
     */
    record Last(
            @DefaultValue("") String tenant,
            @DefaultValue("") String period,
            long number) {}
}
