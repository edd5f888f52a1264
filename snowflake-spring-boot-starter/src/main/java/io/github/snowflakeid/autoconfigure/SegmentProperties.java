package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.properties.ValueRules;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The properties of a generator of type {@code segment}, except the properties of its store.
 *
 * @param name Name of the counter, which processes share. By default the name of the generator, or "default".
 * @param initialValue First number of the counter. All processes must use the same value.
 * @param maxValue Last number of the counter, such as 2147483647 for an INTEGER column.
 * @param minStep Smallest number of numbers to fetch from the store at once.
 * @param maxStep Largest number of numbers to fetch from the store at once. A process that is killed loses at most
 *     twice as many.
 * @param targetDuration How long the numbers that are fetched at once should last.
 * @param maxWait How long a caller waits for a number while the store does not answer.
 * @param store Store of the counter. By default a SegmentStore bean if there is one, otherwise "jdbc" if there is a
 *     DataSource or a JDBC URL.
 */
@ConfigurationProperties("snowflake.segment")
record SegmentProperties(
        @Nullable String name,
        @DefaultValue("1") long initialValue,
        @DefaultValue("9223372036854775807") long maxValue,
        @DefaultValue("100") long minStep,
        @DefaultValue("100000") long maxStep,

        @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("15m")
        Duration targetDuration,

        @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("5s")
        Duration maxWait,

        @Nullable String store) {

    private static final Duration LONGEST = Duration.ofDays(1);

    SegmentProperties {
        String group = "{snowflake}.segment.";
        store = ValueRules.choice(store);
        if (name != null) {
            ValueRules.requireName(group + "name", name, "invoices");
        }
        ValueRules.requireAtLeast(group + "initial-value", initialValue, 0, 1);
        ValueRules.requireAtLeast(group + "max-value", maxValue, initialValue, Long.MAX_VALUE);
        ValueRules.requireAtLeast(group + "min-step", minStep, 1, 100);
        ValueRules.requireAtLeast(group + "max-step", maxStep, minStep, Math.max(minStep, 100_000));
        ValueRules.requireDuration(group + "target-duration", targetDuration, Duration.ofMillis(1), LONGEST, "15m");
        ValueRules.requireDuration(group + "max-wait", maxWait, Duration.ZERO, LONGEST, "5s");
    }
}
