package io.github.snowflakeid.internal.properties;

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
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Treats a blank value as unset, explains values that are not of the type of their property, and rejects values that
 * Spring Boot would accept with an unintended meaning.
 */
class ValueCheck extends AbstractBindHandler {

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,17}");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]+)}");

    private static final String INSTANT = "an instant in UTC, such as 2025-01-01T00:00:00Z";

    private static final Map<Class<?>, String> RULES = Map.of(
            Instant.class, INSTANT,
            Duration.class, "a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d",
            Boolean.class, "true or false",
            Map.class, "a group of properties");

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
                throw wrongType(property, INSTANT);
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
                throw wrongType(property, "a text");
            }
        }
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        if (isSecret(name) && error instanceof UnboundConfigurationPropertiesException unbound) {
            // Spring Boot would show the values, which may be keys.
            ConfigurationProperty first =
                    unbound.getUnboundProperties().iterator().next();
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' sets no key (%s).".formatted(first.getName(), first.getOrigin()),
                    "Set a name and a secret for each key, and number the keys from 0.");
        }
        ConfigurationProperty property = context.getConfigurationProperty();
        boolean isBlank = property == null
                ? error instanceof ConverterNotFoundException
                : value(property).isBlank();
        if (GeneratorName.isProperty(name) && isBlank) {
            return null;
        }
        if (GeneratorName.isProperty(name)
                && property != null
                && property.getName().equals(name)) {
            Class<?> type = target.getType().resolve(Object.class);
            String rule = rule(name, ClassUtils.resolvePrimitiveIfNecessary(type));
            if (rule != null) {
                throw wrongType(property, rule);
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
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (Number.class.isAssignableFrom(type)) {
            boolean isWorkerId = name.toString().endsWith(".worker.id");
            return isWorkerId ? "a whole number, a different one in each process" : "a whole number";
        }
        // The value may be a key.
        return RULES.getOrDefault(
                type, isSecret(name) && type != String.class ? "a list of keys, each with a name and a secret" : null);
    }

    private ConfigurationException wrongType(ConfigurationProperty property, String rule) {
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
        return Problem.INVALID_PROPERTY.exception(description + ".", "Set %s.".formatted(rule));
    }
}
