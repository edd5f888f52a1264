package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.store.StoreSettings;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Gives a store access to the properties of the generator that it is opened for. */
record ConfiguredStore(GeneratorName generator, GeneratorProperties properties, ConfigurableListableBeanFactory beans)
        implements StoreSettings {

    @Override
    public <T> T properties(Class<T> type) {
        return generator.isNamed() ? properties.bind(generator, type, true) : beans.getBean(type);
    }

    @Override
    public <T> T ownProperties(Class<T> type) {
        return generator.isNamed() ? properties.bind(generator, type, false) : beans.getBean(type);
    }

    @Override
    public void endBefore(Object bean, Class<?> type) {
        new GeneratorBeans(beans).destroyBefore(bean, type, IdGenerators.LIFECYCLE);
    }
}
