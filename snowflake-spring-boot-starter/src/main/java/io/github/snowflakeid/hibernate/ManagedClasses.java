package io.github.snowflakeid.hibernate;

import jakarta.persistence.spi.PersistenceUnitInfo;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;
import org.springframework.util.ClassUtils;

/**
 * Passes the managed classes of each {@code EntityManagerFactory} to {@link IdTypeContributor}. It needs no generator: rows with typed
 * IDs can be read without one.
 */
final class ManagedClasses implements BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            Supplier<List<Class<?>>> classes = () -> of(factory);
            factory.getJpaPropertyMap().putIfAbsent(SnowflakeSettings.MANAGED_CLASSES, classes);
        }
        return bean;
    }

    private static List<Class<?>> of(AbstractEntityManagerFactoryBean factory) {
        PersistenceUnitInfo unit = factory.getPersistenceUnitInfo();
        return unit == null
                ? List.of()
                : unit.getManagedClassNames().stream()
                        .<Class<?>>map(name -> ClassUtils.resolveClassName(name, unit.getClassLoader()))
                        .toList();
    }
}
