package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.failure.Problem;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless {@code snowflake.enabled} is {@code false}. Any value except {@code true} and {@code false} is an error. */
final class OnEnabled extends SpringBootCondition {

    static final String PROPERTY = "snowflake.enabled";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String value = context.getEnvironment().getProperty(PROPERTY, "").strip();
        boolean isDisabled = value.equalsIgnoreCase("false");
        if (!isDisabled && !value.isEmpty() && !value.equalsIgnoreCase("true")) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' must be true or false, but was '%s'.".formatted(PROPERTY, value),
                    "Set one of the two, for example:\n\n%s: true".formatted(PROPERTY));
        }
        return new ConditionOutcome(!isDisabled, "'%s' is '%s'".formatted(PROPERTY, value));
    }
}
