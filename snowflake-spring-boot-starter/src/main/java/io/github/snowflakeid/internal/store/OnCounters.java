package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.internal.properties.GeneratorProperties;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if any generator issues sequential numbers. */
public final class OnCounters implements Condition {

    /** Creates an instance. Called by Spring. */
    public OnCounters() {}

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        GeneratorProperties properties = GeneratorProperties.of(context.getBeanFactory(), context.getEnvironment());
        return properties.all().anyMatch(properties::isOfSegments);
    }
}
