package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.hibernate.SnowflakeId;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Hands the ids of a context to Hibernate, in a setting of each {@code EntityManagerFactory}: that reaches factories
 * that the application defines itself, and those that are made so early that nothing can be injected into their
 * generators. The generator bean itself is looked up when the first id is needed.
 */
final class EntityManagerFactoryIds implements BeanPostProcessor {

    private final ConfigurableListableBeanFactory beans;
    private final IdGenerator ids;

    EntityManagerFactoryIds(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        SingletonSupplier<IdGenerator> bean = SingletonSupplier.of(() -> beans.getBean(IdGenerator.class));
        ids = () -> bean.obtain().nextId();
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            factory.getJpaPropertyMap().putIfAbsent(SnowflakeId.ID_GENERATOR, ids);
            // Entities may still be saved while the beans that use the factory are destroyed.
            for (String generator : beans.getBeanNamesForType(IdGenerator.class, true, false)) {
                beans.registerDependentBean(generator, beanName);
            }
        }
        return bean;
    }
}
