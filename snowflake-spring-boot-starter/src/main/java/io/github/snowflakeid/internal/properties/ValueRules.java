package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Checks property values that Spring Boot has bound. */
public final class ValueRules {

    private static final int LONGEST_NAME = 100;

    private ValueRules() {}

    /**
     * Returns a name that users may write in any spelling, as Spring Boot permits for a constant.
     *
     * @param name the value of a property
     * @return the letters and digits in lower case; null if the name is missing or blank
     */
    public static @Nullable String choice(@Nullable String name) {
        return name == null || name.isBlank()
                ? null
                : name.strip().toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    }

    /**
     * Checks a value.
     *
     * @param isValid whether the value is valid
     * @param property the property, as in a template of {@link ConfigurationException}
     * @param rule the rule, after "must"
     * @param value the value
     * @param example a valid value
     * @throws ConfigurationException if the value is not valid
     */
    public static void require(boolean isValid, String property, String rule, Object value, Object example) {
        if (!isValid) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' must %s, but was %s.".formatted(property, rule, value),
                    "Set a valid value, for example:\n\n%s: %s".formatted(property, example));
        }
    }

    /**
     * Checks the name under which processes share worker IDs or numbers.
     *
     * @param property the property, as in a template of {@link ConfigurationException}
     * @param name the value
     * @param example a valid value
     * @throws ConfigurationException if the name is blank or too long
     */
    public static void requireName(String property, String name, String example) {
        require(
                !name.isBlank() && name.length() <= LONGEST_NAME,
                property,
                "have 1 to %s characters".formatted(LONGEST_NAME),
                "'" + name + "'",
                example);
    }

    /**
     * Checks a number.
     *
     * @param property the property, as in a template of {@link ConfigurationException}
     * @param value the value
     * @param least the lowest valid value
     * @param example a valid value
     * @throws ConfigurationException if the number is too low
     */
    public static void requireAtLeast(String property, long value, long least, long example) {
        require(value >= least, property, "be at least " + least, value, example);
    }

    /**
     * Checks a duration.
     *
     * @param property the property, as in a template of {@link ConfigurationException}
     * @param value the value
     * @param shortest the shortest duration
     * @param longest the longest duration
     * @param example a valid value
     * @throws ConfigurationException if the duration is out of range
     */
    public static void requireDuration(
            String property, Duration value, Duration shortest, Duration longest, String example) {
        // To format the rule of a valid value would add 3 ms to startup.
        if (value.compareTo(shortest) < 0 || value.compareTo(longest) > 0) {
            String rule = "be from %sms to %sd".formatted(shortest.toMillis(), longest.toDays());
            require(false, property, rule, DurationStyle.SIMPLE.print(value), example);
        }
    }
}
