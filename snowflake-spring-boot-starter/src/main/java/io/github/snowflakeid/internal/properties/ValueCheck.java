package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.internal.failure.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;

/** Treats a blank value as unset, and rejects values that Spring Boot would accept with an unintended meaning. */
class ValueCheck extends AbstractBindHandler {

    private static final String KEYS = "snowflake.public-ids.keys";

    private final Environment environment;

    ValueCheck(Environment environment) {
        this(environment, DEFAULT);
    }

    ValueCheck(Environment environment, BindHandler parent) {
        super(parent);
        this.environment = environment;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        Class<?> type = target.getType().resolve(Object.class);
        if (property != null && GeneratorName.isProperty(name) && (type == String.class || type == Instant.class)) {
            String value = environment.resolvePlaceholders(property.getValue().toString());
            InvalidValue.check(property, type, value.strip());
        }
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (GeneratorName.isProperty(name)
                && (property == null
                        // A blank value of a group; other values of a group are rejected by PropertyCheck.
                        ? error instanceof ConverterNotFoundException
                        : property.getValue().toString().isBlank())) {
            return null;
        }
        // Such a failure quotes the value, which may be a key.
        if (name.toString().startsWith(KEYS)) {
            throw Problem.PUBLIC_ID_KEY.exception(
                    "Invalid '%s': it must be a list of keys, each with a name and a secret.".formatted(KEYS),
                    """
                    Begin each key with a dash, or write its index:

                    %1$s[0].name: a
                    %1$s[0].secret: ${PUBLIC_ID_KEY}""".formatted(KEYS));
        }
        if (name.toString().equals("snowflake.public-ids.format")) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' must be one of checked, compact.".formatted(name),
                    "Set one of checked, compact, for example:\n\n%s: checked".formatted(name));
        }
        return super.onFailure(name, target, context, error);
    }
}
