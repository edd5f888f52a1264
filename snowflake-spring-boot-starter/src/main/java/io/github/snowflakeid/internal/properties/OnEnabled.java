package io.github.snowflakeid.internal.properties;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless {@code snowflake.enabled} is {@code false}. */
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
        return GeneratorProperties.isEnabled(environment, PROPERTY);
    }
}
