package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
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
public final class InvalidValue {

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,17}");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]+)}");

    private static final int MORE_LIKELY_MILLIS = 1000;

    /** A number with at least this many digits counts milliseconds: as seconds, it would be thousands of years away. */
    private static final int DIGITS_OF_MILLIS = 12;

    private static final int LONGEST_NAME = 100;

    private InvalidValue() {}

    /**
     * Describes a failure to bind one of this library's properties.
     *
     * @param failure the failure
     * @return an exception without a cause, which may quote other values; null if the failure is not about a value of a
     *     known type
     */
    public static @Nullable ConfigurationException of(BindException failure) {
        ConfigurationProperty property = failure.getProperty();
        if (property == null || !GeneratorName.isProperty(property.getName())) {
            return null;
        }
        String name = property.getName().toString();
        Class<?> type = failure.getTarget().getType().resolve(Object.class);
        Object converted = failure.getCause() instanceof ConversionFailedException conversion
                ? conversion.getValue()
                : property.getValue();
        String value = String.valueOf(converted);
        String rule = rule(type);
        if (rule == null && type != Map.class) {
            return null;
        }
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
     * @throws ConfigurationException if the value is an unresolved placeholder, or if it is a number but the type is an
     *     instant: the number could count seconds or milliseconds; or if YAML has read a text as a Boolean
     */
    static void check(ConfigurationProperty property, Class<?> type, String value) {
        if (type == Instant.class && NUMBER.matcher(value).matches()) {
            throw epoch(property, value);
        }
        if (type == String.class && property.getValue() instanceof Boolean) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' is '%s', because YAML reads no, off, yes and on without quotes as Booleans (%s)."
                            .formatted(property.getName(), value, property.getOrigin()),
                    "Write the value in quotes.");
        }
        // A key of public IDs must not be quoted.
        boolean isQuotable = !property.getName().toString().startsWith("snowflake.public-ids");
        if (type == String.class && isQuotable && PLACEHOLDER.matcher(value).matches()) {
            throw Problem.UNSET_PLACEHOLDER.exception(
                    "Property '%s' refers to '%s', which is not set.".formatted(property.getName(), value),
                    "Set that property, or set '%s' to the value itself.".formatted(property.getName()));
        }
    }

    /**
     * Returns the value of a property for advice to set another property, unless it may be a secret.
     *
     * @param names the names of the properties
     */
    static String shown(String names, ConfigurationProperty property) {
        String value = property.getValue().toString();
        if (names.matches("(?i).*(password|secret|url|public-?_?ids|keys).*")) {
            return "(its value)";
        }
        return names.endsWith("snowflake.epoch") && value.matches("\\d{1,17}")
                ? instant(value).toString()
                : value;
    }

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
     * Checks a duration.
     *
     * @param property the property, as in a template of {@link ConfigurationException}
     * @param value the value
     * @param shortest the shortest duration
     * @param longest the longest duration
     * @param example a valid value
     * @throws ConfigurationException if the duration is out of range
     */
    public static void rejectBeyond(
            String property, Duration value, Duration shortest, Duration longest, String example) {
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
        if (type.isEnum() && value.matches("(?i)true|false") && rule.contains("always")) {
            example = Boolean.parseBoolean(value) ? "always" : "never";
        }
        if (example == null && type == Instant.class) {
            example = IdLayout.DEFAULT.epoch().toString();
        }
        return example == null
                ? "Set %s, or remove '%s' to use the default.".formatted(rule, name)
                : "Set %s, for example:\n\n%s: %s".formatted(rule, name, example);
    }

    private static String workerId(String value) {
        String numbers = setWorkerId("");
        return !value.matches("[A-Za-z].*\\d") ? numbers : numbers + """


                If the value is the host name of a pod in a Kubernetes StatefulSet, replace '{snowflake}.worker.id' with:

                {snowflake}.worker.strategy: host
                {snowflake}.worker.host.source: name""";
    }

    /**
     * Returns the advice to set a worker ID. Suggests no concrete number: users would paste it into a configuration
     * that several processes share.
     *
     * @param range the range of worker IDs, after a space; may be empty
     * @return a template for a {@link ConfigurationException}
     */
    public static String setWorkerId(String range) {
        return """
                Give each process that runs at the same time a different worker ID%s. Take it from an environment variable whose \
                value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

                {snowflake}.worker.strategy: fixed
                {snowflake}.worker.id: ${{GENERATOR_}WORKER_ID}""".formatted(range);
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
