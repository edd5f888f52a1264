package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.SpringProperties;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Treats a blank value as unset, explains values that are not of the type of their property, and rejects values that
 * Spring Boot would accept with an unintended meaning.
 */
class ValueCheck extends AbstractBindHandler {

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,17}");

    private static final Pattern SECRET = Pattern.compile("snowflake\\.public-ids.*|.*\\.(password|token)");

    private static final Set<String> CHOICES = Set.of("strategy", "store", "layout");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]+)}");

    private static final String INSTANT = "an instant in UTC, such as 2025-01-01T00:00:00Z";

    private static final Map<Class<?>, String> RULES = Map.of(
            Instant.class, INSTANT,
            Duration.class, "a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d",
            Boolean.class, "true or false",
            ZoneId.class, "a time zone, such as Europe/Berlin",
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
            if (isChanged(property, type == String.class)) {
                throw wrongType(property, "a value in quotes, because YAML otherwise reads another one");
            }
            // The message about a key of public IDs says how to create one.
            boolean isOfKey = name.getLastElement(Form.UNIFORM).equals("secret");
            // When an application is built ahead of time, its variables are not set.
            boolean isBuilt = SpringProperties.getFlag(AbstractAotProcessor.AOT_PROCESSING);
            if (type == String.class
                    && !isOfKey
                    && !isBuilt
                    && PLACEHOLDER.matcher(value).matches()) {
                throw wrongType(property, "a text");
            }
        }
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        if (!GeneratorName.isProperty(name) || error instanceof ConfigurationException) {
            return super.onFailure(name, target, context, error);
        }
        if (error instanceof UnboundConfigurationPropertiesException unbound) {
            // Spring Boot would show the values, which may be keys.
            ConfigurationProperty first =
                    unbound.getUnboundProperties().iterator().next();
            throw Problem.UNKNOWN_PROPERTY.exception(
                    "Property '%s' has no effect (%s).".formatted(first.getName(), first.getOrigin()),
                    "Remove '%s', or use a name of the documentation and number the elements of lists from 0."
                            .formatted(first.getName()));
        }
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property == null
                ? error instanceof ConverterNotFoundException
                : value(property).isBlank()) {
            return null;
        }
        if (property != null && property.getName().equals(name)) {
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

    /**
     * Returns whether YAML has read a value without quotes as another one: no, off, yes and on as Booleans, and
     * numbers such as 0123, 1_000 and 1e3 as other numbers. If the value is of a few names, their list says more.
     */
    private static boolean isChanged(ConfigurationProperty property, boolean isText) {
        Object value = property.getValue();
        if (value instanceof Boolean) {
            return isText && !CHOICES.contains(property.getName().getLastElement(Form.UNIFORM));
        }
        if (!(value instanceof Number)
                || !(property.getOrigin() instanceof PropertySourceOrigin source)
                || !(source.getOrigin() instanceof TextResourceOrigin place)) {
            return false;
        }
        try {
            String text = place.getResource()
                    .getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .skip(place.getLocation().getLine())
                    .map(line -> line.substring(
                            Math.min(line.length(), place.getLocation().getColumn())))
                    .findFirst()
                    .orElse("")
                    .split("[\\s,}\\]]", 2)[0];
            // An anchor or an alias has no number in that place.
            return isText
                    ? text.matches("[-+.]?\\d.*") && !text.equals(value.toString())
                    : text.matches("[-+]?0\\d+")
                            && !new BigInteger(text).toString().equals(value.toString());
        } catch (IOException e) {
            return false;
        }
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
        if (type == List.class) {
            // Other lists contain texts.
            return name.getLastElement(Form.UNIFORM).equals("keys")
                    ? "a list of keys, each with a name and a secret"
                    : "a list of last numbers, each with a number";
        }
        return RULES.get(type);
    }

    private ConfigurationException wrongType(ConfigurationProperty property, String rule) {
        ConfigurationPropertyName name = property.getName();
        String value = value(property);
        Matcher placeholder = PLACEHOLDER.matcher(value);
        boolean isHidden = SECRET.matcher(name.toString()).matches() && !placeholder.matches();
        String description = "Property '%s' must be %s%s (%s)"
                .formatted(name, rule, isHidden ? "" : ", but was '" + value + "'", property.getOrigin());
        if (placeholder.reset().find()) {
            return Problem.UNSET_PLACEHOLDER.exception(
                    "%s, and '%s' is not set.".formatted(description, placeholder.group(1)),
                    "Set the environment variable or property '%s' to %s.".formatted(placeholder.group(1), rule));
        }
        return Problem.INVALID_PROPERTY.exception(description + ".", "Set %s.".formatted(rule));
    }
}
