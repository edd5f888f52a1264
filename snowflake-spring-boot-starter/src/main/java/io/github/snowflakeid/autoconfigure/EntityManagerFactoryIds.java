package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.hibernate.SnowflakeId;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Hands the ids of a context to Hibernate, in a setting of each {@code EntityManagerFactory}: that reaches factories
 * that the application defines itself, and those that are made so early that nothing can be injected into their
 * generators.
 *
 * <p>The generator bean is made before the factory, so that it is destroyed after it: a bean that is made when the first
 * entity is saved would be destroyed first, and take the factory along. Where the generator itself needs the factory, as
 * where scripts run after Hibernate, it is made later; {@link GeneratorLifecycle} ends it after the factory all the same.
 */
final class EntityManagerFactoryIds implements InstantiationAwareBeanPostProcessor {

    private final ConfigurableListableBeanFactory beans;

    // A factory that is being made, and the generator that can only be made after it.
    private @Nullable String factoryInCreation;
    private @Nullable String laterGenerator;
    private @Nullable StartupFailure askedTooEarly;

    EntityManagerFactoryIds(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory
                && !factory.getJpaPropertyMap().containsKey(SnowflakeId.ID_GENERATOR)) {
            factory.getJpaPropertyMap().put(SnowflakeId.ID_GENERATOR, idsFor(beanName));
        }
        return bean;
    }

    private Object idsFor(String factory) {
        if (beans.containsLocalBean(GeneratorLifecycle.NAME)) {
            beans.getBean(GeneratorLifecycle.NAME);
            beans.registerDependentBean(GeneratorLifecycle.NAME, factory);
        }
        try {
            NamedBeanHolder<IdGenerator> generator = beans.resolveNamedBean(IdGenerator.class);
            if (beans.containsLocalBean(generator.getBeanName())) {
                beans.registerDependentBean(generator.getBeanName(), factory);
            }
            return generator.getBeanInstance();
        } catch (NoUniqueBeanDefinitionException several) {
            return noneToChoose(factory, several);
        } catch (BeanCreationException needsTheFactory) {
            if (!needsTheFactory.contains(BeanCurrentlyInCreationException.class)) {
                throw needsTheFactory;
            }
            factoryInCreation = factory;
            laterGenerator = needsTheFactory.getBeanName();
        }
        SingletonSupplier<IdGenerator> later = SingletonSupplier.of(() -> beans.getBean(IdGenerator.class));
        IdGenerator ids = () -> later.obtain().nextId();
        return ids;
    }

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        if (beanName.equals(laterGenerator)
                && factoryInCreation != null
                && beans.isCurrentlyInCreation(factoryInCreation)) {
            askedTooEarly = askedTooEarly(beanName, factoryInCreation);
            throw askedTooEarly;
        }
        return null;
    }

    /** Spring makes an entity listener without its dependencies if it cannot be made with them, and says nothing. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (beanName.equals(factoryInCreation)) {
            factoryInCreation = null;
            if (askedTooEarly != null) {
                throw askedTooEarly;
            }
        }
        return bean;
    }

    private static StartupFailure noneToChoose(String factory, NoUniqueBeanDefinitionException several) {
        return new StartupFailure(
                "Entities of EntityManagerFactory '%s' get Snowflake ids, but there are %d IdGenerator beans, and none of them is primary: %s."
                        .formatted(
                                factory,
                                several.getNumberOfBeansFound(),
                                StringUtils.collectionToDelimitedString(several.getBeanNamesFound(), ", ", "'", "'")),
                """
                Mark the one that entities get their ids from:

                @Bean
                @Primary
                IdGenerator ids() { ... }""");
    }

    private static StartupFailure askedTooEarly(String generator, String factory) {
        return new StartupFailure(
                "IdGenerator '%s' is made after EntityManagerFactory '%s', which it needs, but an entity listener, an attribute converter or another bean that the factory needs asks for it before."
                        .formatted(generator, factory),
                """
                Inject it there when it is first used:

                OrderListener(@Lazy IdGenerator ids) { ... }

                or, if the generator needs the factory only because scripts run after Hibernate, let them run before:

                spring.jpa.defer-datasource-initialization: false""");
    }
}
