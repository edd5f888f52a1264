package io.github.snowflakeid.publicid;

import java.util.List;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
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
        return mayBeSet(context.getEnvironment()) && isSet(context.getEnvironment());
    }

    /** Nowhere, mostly: to find that out by binding takes a millisecond of each start. */
    private static boolean mayBeSet(Environment environment) {
        ConfigurationPropertyName keys = ConfigurationPropertyName.of(KEYS);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getConfigurationProperty(keys) != null
                    || source.containsDescendantOf(keys) != ConfigurationPropertyState.ABSENT) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSet(Environment environment) {
        try {
            return !Binder.get(environment)
                    .bind(KEYS, Bindable.listOf(String.class))
                    .orElse(List.of())
                    .isEmpty();
        } catch (BindException unreadable) {
            // Whoever makes them will say so.
            return true;
        }
    }
}
