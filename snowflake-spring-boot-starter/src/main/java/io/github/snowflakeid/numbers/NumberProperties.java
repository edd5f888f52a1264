package io.github.snowflakeid.numbers;

import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcNumberStore;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The properties of document numbers.
 *
 * @param numbers Series of document numbers by name. Each is a DocumentNumbers bean with its name as qualifier.
 */
@ConfigurationProperties("snowflake")
record NumberProperties(@DefaultValue Map<String, Series> numbers) {

    private static final int MOST_RESERVED = 100_000;

    NumberProperties {
        for (String name : numbers.keySet()) {
            Assert.isTrue(
                    name.matches("[a-z][a-z0-9]{0,49}"),
                    "the name of a series must have 1 to 50 lower-case letters and digits, but was '" + name + "'");
        }
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
            @DefaultValue List<Last> continueAfter) {

        Series {
            NumberFormat checked = NumberFormat.of(format);
            Assert.isTrue(checked.precision() == 0 || zone != null, "zone is required, because the format has a date");
            zone = zone == null ? ZoneOffset.UTC : zone;
            Assert.isTrue(prefetch >= 1 && prefetch <= MOST_RESERVED, "prefetch must be 1 to " + MOST_RESERVED);
            Assert.isTrue(!gapless || prefetch == 1, "a gapless series cannot prefetch numbers");
            for (Last last : continueAfter) {
                checked.check(last.tenant());
                checked.firstDay(last.period());
                Assert.isTrue(last.number() > 0, "continue-after needs a number");
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
