package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The properties of a generator of type {@code segment}, except the properties of its store.
 *
 * @param name Name of the counter. All processes that share the counter must use the same name. By default the name of the
 *     generator, or "default".
 * @param initialValue First number of the counter. All processes must use the same value.
 * @param maxValue Last number of the counter, such as 2147483647 for an INTEGER column.
 * @param minStep Smallest number of numbers to fetch from the store at once.
 * @param maxStep Largest number of numbers to fetch from the store at once. A process that is killed loses at most twice as many.
 * @param targetDuration How long the numbers that are fetched at once should last. The step is adjusted to the rate at which
 *     numbers are issued.
 * @param maxWait How long a caller waits for a number while the store does not answer.
 * @param store Store of the counter. By default a SegmentStore bean if there is one, otherwise "jdbc" if there is a DataSource or a
 *     JDBC URL.
 */
@ConfigurationProperties(SegmentProperties.GROUP)
record SegmentProperties(
        String name,
        @DefaultValue("1") long initialValue,
        @DefaultValue("9223372036854775807") long maxValue,
        @DefaultValue("100") long minStep,
        @DefaultValue("100000") long maxStep,

        @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("15m")
        Duration targetDuration,

        @DurationUnit(ChronoUnit.FOREVER) @DefaultValue("5s")
        Duration maxWait,

        @Nullable Store store) {

    static final String GROUP = "snowflake.segment";

    private static final int LONGEST_NAME = 100;

    private static final Duration LONGEST = Duration.ofDays(1);

    /** The store of a counter. */
    enum Store {

        /** A table in one or several databases. */
        JDBC,

        /** Redis. */
        REDIS;

        /** Returns the value of the property. */
        String value() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Checks the values beyond their types.
     *
     * @throws ConfigurationException if a value is out of range, or properties contradict each other
     */
    void check() {
        require(
                !name.isBlank() && name.length() <= LONGEST_NAME,
                "name",
                "have 1 to %s characters".formatted(LONGEST_NAME),
                "'" + name + "'",
                "name: invoices");
        require(initialValue >= 0, "initial-value", "not be negative", initialValue, "initial-value: 1");
        require(
                maxValue >= initialValue,
                "max-value",
                "not be below '{snowflake}.segment.initial-value', %s".formatted(initialValue),
                maxValue,
                "max-value: " + Long.MAX_VALUE);
        require(minStep >= 1, "min-step", "be at least 1", minStep, "min-step: " + Math.min(100, Math.max(1, maxStep)));
        require(
                maxStep >= minStep,
                "max-step",
                "not be below '{snowflake}.segment.min-step', %s".formatted(minStep),
                maxStep,
                "max-step: " + minStep);
        InvalidValue.rejectBeyond(
                "{snowflake}.segment.target-duration", targetDuration, Duration.ofMillis(1), LONGEST, "15m");
        InvalidValue.rejectBeyond("{snowflake}.segment.max-wait", maxWait, Duration.ZERO, LONGEST, "5s");
    }

    private static void require(boolean isValid, String property, String rule, Object value, String line) {
        if (!isValid) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '{snowflake}.segment.%s' must %s, but was %s.".formatted(property, rule, value),
                    "Set a valid value, for example:\n\n{snowflake}.segment." + line);
        }
    }
}
