package io.github.snowflakeid.publicid;

import java.util.List;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether keys of public ids are set, also as a list, which {@code @ConditionalOnProperty} does not see. Every application asks,
 * so nothing else of public ids is loaded for the answer.
 */
public final class OnPublicIdKeys implements Condition {

    static final String KEYS = "snowflake.public-ids.keys";

    /** Spring makes it. */
    public OnPublicIdKeys() {}

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        try {
            return !Binder.get(context.getEnvironment())
                    .bind(KEYS, Bindable.listOf(String.class))
                    .orElse(List.of())
                    .isEmpty();
        } catch (BindException unreadable) {
            // Whoever makes them will say so.
            return true;
        }
    }
}
