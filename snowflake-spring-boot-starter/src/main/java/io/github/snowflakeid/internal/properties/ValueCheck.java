package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;

/**
 * Treats a blank value as unset, explains values that are not of the type of their property, and rejects values that
 * Spring Boot would accept with an unintended meaning.
 */
class ValueCheck extends AbstractBindHandler {

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,17}");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]+)}");

    /** A number with at least this many digits counts milliseconds: as seconds, it would be thousands of years away. */
    private static final int DIGITS_OF_MILLIS = 12;

    private final Environment environment;

    ValueCheck(Environment environment, BindHandler parent) {
        super(parent);
        this.environment = environment;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        Class<?> type = target.getType().resolve(Object.class);
        if (property != null && GeneratorName.isProperty(name)) {
            String value = value(property);
            if (type == Instant.class && NUMBER.matcher(value).matches()) {
                throw wrongType(property, target, type, "an instant in UTC");
            }
            if (type == String.class && property.getValue() instanceof Boolean) {
                throw Problem.INVALID_PROPERTY.exception(
                        "Property '%s' is '%s', because YAML reads no, off, yes and on without quotes as Booleans (%s)."
                                .formatted(name, value, property.getOrigin()),
                        "Write the value in quotes.");
            }
            if (type == String.class
                    && !isSecret(name)
                    && PLACEHOLDER.matcher(value).matches()) {
                throw Problem.UNSET_PLACEHOLDER.exception(
                        "Property '%s' refers to '%s', which is not set.".formatted(name, value),
                        "Set that property, or set '%s' to the value itself.".formatted(name));
            }
        }
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (!GeneratorName.isProperty(name)) {
            return super.onFailure(name, target, context, error);
        }
        if (property == null
                ? error instanceof ConverterNotFoundException
                : value(property).isBlank()) {
            return null;
        }
        if (property != null && property.getName().equals(name)) {
            Class<?> type = target.getType().resolve(Object.class);
            String rule = rule(name, type);
            if (rule != null) {
                throw wrongType(property, target, type, rule);
            }
        }
        return super.onFailure(name, target, context, error);
    }

    private String value(ConfigurationProperty property) {
        return environment.resolvePlaceholders(property.getValue().toString()).strip();
    }

    private static boolean isSecret(ConfigurationPropertyName name) {
        return name.toString().startsWith("snowflake.public-ids");
    }

    /** Returns the values that a type permits, after "must be"; null if Spring Boot explains a failure well enough. */
    private static @Nullable String rule(ConfigurationPropertyName name, Class<?> type) {
        if (type == Instant.class) {
            return "an instant in UTC";
        }
        if (type == Duration.class) {
            return "a duration with its unit (ms, s, m, h or d)";
        }
        if (type == Map.class) {
            return "a group of properties";
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a whole number"
                    + (name.toString().endsWith(".worker.id") ? ", a different one in each process" : "");
        }
        // The value may be a key.
        return isSecret(name) ? "a list of keys, each with a name and a secret" : null;
    }

    private ConfigurationException wrongType(
            ConfigurationProperty property, Bindable<?> target, Class<?> type, String rule) {
        ConfigurationPropertyName name = property.getName();
        String value = value(property);
        String description = "Property '%s' must be %s%s (%s)"
                .formatted(name, rule, isSecret(name) ? "" : ", but was '" + value + "'", property.getOrigin());
        Matcher placeholder = PLACEHOLDER.matcher(value);
        if (placeholder.find()) {
            return Problem.UNSET_PLACEHOLDER.exception(
                    "%s, and '%s' is not set.".formatted(description, placeholder.group(1)),
                    "Set the environment variable or property '%s' to %s.".formatted(placeholder.group(1), rule));
        }
        String example = example(target, type, value);
        return Problem.INVALID_PROPERTY.exception(
                description + ".",
                example == null
                        ? "Set %s, or remove '%s'.".formatted(rule, name)
                        : "Set %s, for example:\n\n%s: %s".formatted(rule, name, example));
    }

    private static @Nullable String example(Bindable<?> target, Class<?> type, String value) {
        if (type == Instant.class) {
            return epoch(value).toString();
        }
        DefaultValue defaultValue = target.getAnnotation(DefaultValue.class);
        return defaultValue == null ? null : defaultValue.value()[0];
    }

    /** Returns the instant that a number of seconds or milliseconds since 1970 most likely means. */
    private static Instant epoch(String value) {
        if (!NUMBER.matcher(value).matches()) {
            return IdLayout.DEFAULT.epoch();
        }
        long number = Long.parseLong(value);
        return value.length() < DIGITS_OF_MILLIS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number);
    }
}
