package io.github.snowflakeid.internal.text;

import java.util.List;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if keys of public IDs are configured, also as a list, which {@code @ConditionalOnProperty} does not detect.
 */
public final class OnPublicIdKeys implements Condition {

    /** Creates an instance. Called by Spring. */
    public OnPublicIdKeys() {}

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        try {
            return !Binder.get(context.getEnvironment())
                    .bind(PublicIdProperties.PREFIX + ".keys", Bindable.listOf(PublicIdProperties.Key.class))
                    .orElse(List.of())
                    .isEmpty();
        } catch (BindException e) {
            // The failure is reported when the bean is created.
            return true;
        }
    }
}
