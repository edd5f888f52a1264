package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Passes the ID generators of a context to Hibernate in the settings of each {@code EntityManagerFactory}. Settings
 * also reach factories that the application defines itself, and factories that are created so early that nothing can be
 * injected into Hibernate's generators.
 *
 * <p>Each setting looks up the generator bean when the first ID is needed, so a generator may be created after the
 * factory. A generator is created before the factory if possible: it may depend on the factory, for example because the
 * scripts that initialize its database do. {@linkplain IdGenerators#endAfter The lifecycle} of auto-configured
 * generators is created before the factory in any case, and therefore closes them after the factory. The context closes
 * a generator that the application defines, in reverse order of creation.
 */
final class EntityManagerFactoryIds implements InstantiationAwareBeanPostProcessor, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final IdGenerators generators;

    /** Names of the generators whose creation began, successfully or not, since the last factory got its settings. */
    private final Set<String> requested = ConcurrentHashMap.newKeySet();

    /** The generators that attributes of entities use. */
    private final Set<Supplier<IdGenerator>> needed = ConcurrentHashMap.newKeySet();

    /** The factories whose columns are not checked yet. */
    private final Set<AbstractEntityManagerFactoryBean> factories = ConcurrentHashMap.newKeySet();

    EntityManagerFactoryIds(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        generators = new IdGenerators(beans);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            generators.endAfter(beanName);
            Map<String, Object> settings = factory.getJpaPropertyMap();
            generators.byName().forEach((name, generator) -> {
                if (isCreatedAtStartup(generator)) {
                    createIfPossible(() -> beans.getBean(generator));
                }
                settings.putIfAbsent(SnowflakeSettings.idGenerator(name), recordingUse(name));
            });
            if (!settings.containsKey(SnowflakeSettings.ID_GENERATOR) && !beans.containsBean(IdGenerators.UNNAMED)) {
                createIfPossible(() -> beans.getBean(IdGenerator.class));
            }
            settings.putIfAbsent(SnowflakeSettings.ID_GENERATOR, recordingUse(""));
            requested.clear();
        }
        return bean;
    }

    /** With our generators, the worker ID is leased while Hibernate creates the factory. */
    private boolean isCreatedAtStartup(String generator) {
        return beans.isSingleton(generator)
                && (!generator.startsWith(IdGenerators.OURS)
                        || (beans.containsBeanDefinition(generator)
                                && !beans.getBeanDefinition(generator).isLazyInit()));
    }

    /** Looks up the generator when an ID is needed, without a lock, which might be part of a deadlock with Spring's. */
    private Function<String, Supplier<IdGenerator>> recordingUse(String name) {
        return attribute -> {
            Supplier<IdGenerator> ids = () -> generators.get(name, attribute);
            needed.add(ids);
            return ids;
        };
    }

    /**
     * Creates the generators that entities use, even lazy ones, so that no insert has to wait until a worker ID is
     * leased.
     */
    @Override
    public void afterSingletonsInstantiated() {
        needed.stream().map(Supplier::get).forEach(Objects::requireNonNull);
        // Scripts and migrations may have created the tables after the factories.
        for (AbstractEntityManagerFactoryBean factory : factories) {
            if (factory.getBootstrapExecutor() == null
                    && factory.getNativeEntityManagerFactory() instanceof SessionFactoryImplementor hibernate) {
                new ColumnCheck(hibernate, factory.getDataSource()).check();
            }
        }
        factories.clear();
    }

    private static void createIfPossible(Runnable creation) {
        try {
            creation.run();
        } catch (NoUniqueBeanDefinitionException e) {
            // Reported if an entity needs one of the generators.
        } catch (BeanCreationException e) {
            if (!e.contains(BeanCurrentlyInCreationException.class)) {
                throw e;
            }
        }
    }

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        if (IdGenerator.class.isAssignableFrom(beanClass)) {
            requested.add(beanName);
        }
        return null;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            requireGenerators();
            factories.add(factory);
        }
        return bean;
    }

    /**
     * Reports a generator that could not be created although a bean of the factory needs it. Spring does not: if a
     * dependency of an entity listener cannot be created, Spring creates the listener without its dependencies.
     */
    private void requireGenerators() {
        for (String generator : requested) {
            if (beans.containsBeanDefinition(generator)
                    && beans.isSingleton(generator)
                    && !beans.containsSingleton(generator)
                    && !beans.isCurrentlyInCreation(generator)) {
                // Throws the original exception again.
                beans.getBean(generator);
            }
        }
    }
}
