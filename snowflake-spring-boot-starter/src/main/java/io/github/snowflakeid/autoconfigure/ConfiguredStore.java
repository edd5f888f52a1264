package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.store.StoreSettings;
import java.util.Objects;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;

/** Gives a store access to the properties of the generator that it is opened for. */
record ConfiguredStore(GeneratorName generator, GeneratorProperties properties, ConfigurableListableBeanFactory beans)
        implements StoreSettings {

    @Override
    public <T> T properties(Class<T> type) {
        return bind(type, true);
    }

    @Override
    public <T> T ownProperties(Class<T> type) {
        return bind(type, false);
    }

    private <T> T bind(Class<T> type, boolean inherits) {
        ConfigurationProperties group = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class));
        return properties.bind(generator, group.value(), Bindable.of(type), inherits);
    }

    @Override
    public void endBefore(Object bean, Class<?> type) {
        new GeneratorBeans(beans).destroyBefore(bean, type, IdGenerators.LIFECYCLE);
    }
}
