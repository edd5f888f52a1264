package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.convert.ConversionFailedException;

/** Creates exceptions for property values that have the wrong type or are out of range. */
final class InvalidValue {

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,17}");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]+)}");

    private static final int MORE_LIKELY_MILLIS = 1000;

    /** A number with at least this many digits counts milliseconds: as seconds, it would be thousands of years away. */
    private static final int DIGITS_OF_MILLIS = 12;

    private InvalidValue() {}

    /** Translates a failure to bind. Drops its cause, which may quote other values. */
    static ConfigurationException of(BindException failure) {
        ConfigurationProperty property = Objects.requireNonNull(failure.getProperty());
        String name = property.getName().toString();
        Class<?> type = failure.getTarget().getType().resolve(Object.class);
        Object converted = failure.getCause() instanceof ConversionFailedException conversion
                ? conversion.getValue()
                : property.getValue();
        String value = String.valueOf(converted);
        String rule = rule(type);
        if (rule == null) {
            return Problem.INVALID_PROPERTY.exception(
                    "Property '%s' has a value, but it is a group of properties (%s)."
                            .formatted(name, property.getOrigin()),
                    "Remove '%s', or set properties of the group.".formatted(name));
        }
        if (type == Instant.class && NUMBER.matcher(value).matches()) {
            return epoch(property, value);
        }
        Matcher placeholder = PLACEHOLDER.matcher(value);
        boolean isUnset = placeholder.find();
        DefaultValue defaultValue = failure.getTarget().getAnnotation(DefaultValue.class);
        Problem problem = isUnset ? Problem.UNSET_PLACEHOLDER : Problem.INVALID_PROPERTY;
        return problem.exception(
                "Property '%s' must be %s, but was '%s' (%s)%s."
                        .formatted(
                                name,
                                rule,
                                value,
                                property.getOrigin(),
                                isUnset ? ", and '" + placeholder.group(1) + "' is not set" : ""),
                isUnset
                        ? "Set the environment variable or property '%s' to %s%s."
                                .formatted(
                                        placeholder.group(1),
                                        rule,
                                        name.endsWith(".worker.id")
                                                ? ", a different one for each process that runs at the same time"
                                                : "")
                        : action(
                                property,
                                type,
                                value,
                                rule,
                                defaultValue == null ? null : defaultValue.value()[0]));
    }

    /**
     * Checks a value that Spring Boot has accepted.
     *
     * @throws ConfigurationException if the value is an unresolved placeholder, or if it is a number but the type is an instant: the number
     *     could count seconds or milliseconds
     */
    static void check(ConfigurationProperty property, Class<?> type, String value) {
        if (type == Instant.class && NUMBER.matcher(value).matches()) {
            throw epoch(property, value);
        }
        if (type == String.class && PLACEHOLDER.matcher(value).matches()) {
            throw Problem.UNSET_PLACEHOLDER.exception(
                    "Property '%s' refers to '%s', which is not set.".formatted(property.getName(), value),
                    "Set that property, or set '%s' to the value itself.".formatted(property.getName()));
        }
    }

    /** @throws ConfigurationException if the duration is out of range */
    static void rejectBeyond(String property, Duration value, Duration shortest, Duration longest, String example) {
        if (value.compareTo(shortest) < 0 || value.compareTo(longest) > 0) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' must be from %sms to %sd, but was %s."
                            .formatted(property, shortest.toMillis(), longest.toDays(), simple(value)),
                    "Set a duration in that range, for example:\n\n%s: %s".formatted(property, example));
        }
    }

    /** Returns a duration as a property value, in the largest unit that divides it. */
    private static String simple(Duration value) {
        return Stream.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS)
                .filter(unit -> !value.isZero() && value.truncatedTo(unit).equals(value))
                .findFirst()
                .map(unit -> DurationStyle.SIMPLE.print(value, unit))
                .orElseGet(() -> DurationStyle.SIMPLE.print(value));
    }

    private static @Nullable String rule(Class<?> type) {
        if (type == Instant.class) {
            return "an instant in UTC";
        }
        if (type == Duration.class) {
            return "a duration with its unit (ms, s, m, h or d)";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        return type.isPrimitive() || Number.class.isAssignableFrom(type) ? "a whole number" : null;
    }

    private static String action(
            ConfigurationProperty property, Class<?> type, String value, String rule, @Nullable String example) {
        String name = property.getName().toString();
        if (name.endsWith(".worker.id")) {
            return ConfigurationException.text(
                    workerId(value),
                    GeneratorName.ofProperty(property.getName()).name());
        }
        if (type == Duration.class && NUMBER.matcher(value).matches() && value.length() < DIGITS_OF_MILLIS) {
            long number = Long.parseLong(value);
            boolean millis = number >= MORE_LIKELY_MILLIS || name.endsWith(".tick");
            return """
                    Add the intended unit, for example %s:

                    %s: %s%s""".formatted(millis ? "ms for milliseconds" : "s for seconds", name, number, millis ? "ms" : "s");
        }
        if (example == null && type == Instant.class) {
            example = IdLayout.DEFAULT.epoch().toString();
        }
        return example == null
                ? "Set %s, or remove '%s' to use the default.".formatted(rule, name)
                : "Set %s, for example:\n\n%s: %s".formatted(rule, name, example);
    }

    private static String workerId(String value) {
        String numbers = ConfiguredWorker.setWorkerId("");
        return !value.matches("[A-Za-z].*\\d") ? numbers : numbers + """


                If the value is the host name of a pod in a Kubernetes StatefulSet, replace '{snowflake}.worker.id' with:

                {snowflake}.worker.strategy: host
                {snowflake}.worker.host.source: name""";
    }

    private static ConfigurationException epoch(ConfigurationProperty property, String number) {
        return Problem.INVALID_PROPERTY.exception(
                "Property '%s' must be an instant in UTC, but was the number %s (%s)."
                        .formatted(property.getName(), number, property.getOrigin()),
                "Set an instant. If the number counts %s since 1970:\n\n%s: %s"
                        .formatted(
                                number.length() < DIGITS_OF_MILLIS ? "seconds" : "milliseconds",
                                property.getName(),
                                instant(number)));
    }

    /** Returns the instant that a number of seconds or milliseconds since 1970 most likely means. */
    static Instant instant(String number) {
        long value = Long.parseLong(number);
        return number.length() < DIGITS_OF_MILLIS ? Instant.ofEpochSecond(value) : Instant.ofEpochMilli(value);
    }
}
