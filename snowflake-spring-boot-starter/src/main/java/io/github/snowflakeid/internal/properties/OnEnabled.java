package io.github.snowflakeid.internal.properties;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless {@code snowflake.enabled} is {@code false}. */
public final class OnEnabled extends SpringBootCondition {

    /** Creates an instance. Called by Spring. */
    public OnEnabled() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean isEnabled = GeneratorProperties.isEnabled(context.getEnvironment(), "snowflake.enabled");
        return new ConditionOutcome(isEnabled, "'snowflake.enabled' is '" + isEnabled + "'");
    }
}
