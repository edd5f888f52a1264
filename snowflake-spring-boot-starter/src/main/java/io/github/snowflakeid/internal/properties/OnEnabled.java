package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.internal.failure.Problem;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless {@code snowflake.enabled} is {@code false}. Any value except {@code true} and {@code false} is an
 * error.
 */
public final class OnEnabled extends SpringBootCondition {

    private static final String PROPERTY = "snowflake.enabled";

    /** Creates an instance. Called by Spring. */
    public OnEnabled() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean isEnabled = isEnabled(context.getEnvironment());
        return new ConditionOutcome(isEnabled, "'%s' is '%s'".formatted(PROPERTY, isEnabled));
    }

    /**
     * Returns whether generators are enabled.
     *
     * @param environment the properties of the application
     * @return true unless they are disabled
     */
    public static boolean isEnabled(Environment environment) {
        String value = environment.getProperty(PROPERTY, "").strip();
        boolean isDisabled = value.equalsIgnoreCase("false");
        if (!isDisabled && !value.isEmpty() && !value.equalsIgnoreCase("true")) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' must be true or false, but was '%s'.".formatted(PROPERTY, value),
                    "Set one of the two, for example:\n\n%s: true".formatted(PROPERTY));
        }
        return !isDisabled;
    }
}
