package io.github.snowflakeid.internal.text;

import java.util.List;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether keys of public ids are set, also as a list, which {@code @ConditionalOnProperty} does not see.
 */
public final class OnPublicIdKeys implements Condition {

    static final String KEYS = PublicIdProperties.PREFIX + ".keys";

    /** Spring makes it. */
    public OnPublicIdKeys() {}

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        try {
            return !Binder.get(context.getEnvironment())
                    .bind(KEYS, Bindable.listOf(PublicIdProperties.Key.class))
                    .orElse(List.of())
                    .isEmpty();
        } catch (BindException e) {
            // Creating the bean reports it.
            return true;
        }
    }
}
