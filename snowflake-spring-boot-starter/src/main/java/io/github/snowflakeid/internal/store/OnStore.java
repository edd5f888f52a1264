package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.internal.properties.GeneratorProperties;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if any generator uses a store. */
final class OnStore extends SpringBootCondition {

    /** The annotation refers to this class. */
    private static final String ANNOTATION = OnStore.class.getPackageName() + ".ConditionalOnStore";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String store = metadata.getAnnotations().get(ANNOTATION).getString("value");
        Environment environment = context.getEnvironment();
        boolean isUsed = GeneratorProperties.isEnabled(environment, "snowflake.enabled")
                && GeneratorProperties.of(context.getBeanFactory(), environment)
                        .stores()
                        .contains(store);
        return new ConditionOutcome(
                isUsed, "store '%s' is %s by a generator".formatted(store, isUsed ? "used" : "not used"));
    }
}
