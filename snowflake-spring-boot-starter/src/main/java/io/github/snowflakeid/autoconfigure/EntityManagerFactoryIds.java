package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.hibernate.SnowflakeSettings;
import io.github.snowflakeid.mapping.IdGenerators;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
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
 *
 * <p>While the factory is made, which takes far longer, the generators lease their worker ids in the background. They are awaited
 * before anybody gets the factory, and before a bean is made that Hibernate asks for meanwhile, as an entity listener that may
 * want ids at once. Where a thread of its own makes the factory, generators are open before anybody gets them.
 */
final class EntityManagerFactoryIds implements InstantiationAwareBeanPostProcessor {

    private final ConfigurableListableBeanFactory beans;
    private final IdGenerators generators;

    /** Refreshes the context. Other threads make beans that are to be made in the background, and what is asked for later. */
    private final Thread refreshing = Thread.currentThread();

    /** Has generators that may not be open yet; null if there are none. */
    private volatile @Nullable GeneratorLifecycle opening;

    /** The generators that can only be made after a factory, by that. What is here of one that failed has no effect. */
    private final Map<String, Set<String>> laterGenerators = new ConcurrentHashMap<>();

    /** Refusals to make a generator, each with the factory that must be made first. */
    private final Map<StartupFailure, String> refusals = new ConcurrentHashMap<>();

    EntityManagerFactoryIds(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        generators = new IdGenerators(beans);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            GeneratorLifecycle lifecycle = lifecycle();
            if (lifecycle == null
                    || factory.getBootstrapExecutor() != null
                    || !Thread.currentThread().equals(refreshing)) {
                setIds(factory.getJpaPropertyMap(), beanName);
            } else {
                lifecycle.startsInBackground();
                try {
                    setIds(factory.getJpaPropertyMap(), beanName);
                } finally {
                    lifecycle.startsAtOnce();
                    opening = lifecycle;
                }
            }
        }
        return bean;
    }

    private void setIds(Map<String, Object> settings, String factory) {
        generators.endAfter(factory);
        laterGenerators.remove(factory);
        refusals.values().removeAll(Set.of(factory));
        if (!settings.containsKey(SnowflakeSettings.ID_GENERATOR)) {
            settings.put(SnowflakeSettings.ID_GENERATOR, unnamed(factory));
        }
        for (String generator : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, IdGenerator.class)) {
            Set<String> names = generators.namesOf(generator);
            if (!names.isEmpty()) {
                IdGenerator ids = ids(generator, factory);
                for (String name : names) {
                    settings.putIfAbsent(SnowflakeSettings.idGenerator(name), ids);
                }
            }
        }
    }

    /** None where only the application's own generators are there. */
    private @Nullable GeneratorLifecycle lifecycle() {
        return beans.containsBean(IdGenerators.LIFECYCLE)
                ? beans.getBean(IdGenerators.LIFECYCLE, GeneratorLifecycle.class)
                : null;
    }

    private Object unnamed(String factory) {
        try {
            return madeBefore(beans.resolveNamedBean(IdGenerator.class).getBeanName(), factory);
        } catch (NoUniqueBeanDefinitionException several) {
            return noneToChoose(factory, several);
        } catch (BeanCreationException notMade) {
            @Nullable String failed = notMade.getBeanName();
            // Else it is what the generator cannot be made without, such as the bean that defines it.
            boolean known = failed != null && beans.isTypeMatch(failed, IdGenerator.class);
            return madeLater(known ? failed : null, notMade, factory);
        }
    }

    private IdGenerator ids(String generator, String factory) {
        if (factoryBefore(generator) != null || !beans.isSingleton(generator)) {
            return later(generator);
        }
        try {
            return madeBefore(generator, factory);
        } catch (BeanCreationException notMade) {
            return madeLater(generator, notMade, factory);
        }
    }

    private IdGenerator madeBefore(String generator, String factory) {
        IdGenerator ids = beans.getBean(generator, IdGenerator.class);
        if (beans.containsLocalBean(generator)) {
            beans.registerDependentBean(generator, factory);
        }
        return ids;
    }

    /** @param generator the bean; null for the one that callers get who give no name */
    private IdGenerator madeLater(@Nullable String generator, BeanCreationException notMade, String factory) {
        if (notMade.contains(BeanCurrentlyInCreationException.class)) {
            if (generator != null) {
                laterGenerators
                        .computeIfAbsent(factory, made -> ConcurrentHashMap.newKeySet())
                        .add(generator);
            }
        } else if (!withdrawRefusal(notMade)) {
            throw notMade;
        }
        return later(generator);
    }

    /** Whether a generator was refused, which needs another factory that is being made: this one can have it later. */
    private boolean withdrawRefusal(BeanCreationException notMade) {
        return refusals.keySet().removeIf(refusal -> refusal.equals(notMade.getMostSpecificCause()));
    }

    /** The factory that is being made, if any, and that a generator can only be made after. */
    private @Nullable String factoryBefore(String generator) {
        for (Map.Entry<String, Set<String>> each : laterGenerators.entrySet()) {
            if (each.getValue().contains(generator) && beans.isCurrentlyInCreation(each.getKey())) {
                return each.getKey();
            }
        }
        return null;
    }

    private IdGenerator later(@Nullable String generator) {
        SingletonSupplier<IdGenerator> later = SingletonSupplier.of(() ->
                generator == null ? beans.getBean(IdGenerator.class) : beans.getBean(generator, IdGenerator.class));
        return () -> later.obtain().nextId();
    }

    @Override
    public @Nullable Object postProcessBeforeInstantiation(Class<?> beanClass, String beanName) {
        // What Hibernate knows by an interface only, such as the connection provider of tenants, it asks for in vain.
        if (!beanClass.isInterface()) {
            awaitIds();
        }
        @Nullable String factory = factoryBefore(beanName);
        if (factory != null) {
            StartupFailure tooEarly = askedTooEarly(beanName, factory);
            refusals.put(tooEarly, factory);
            throw tooEarly;
        }
        return null;
    }

    /** Spring makes an entity listener without its dependencies if it cannot be made with them, and says nothing. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractEntityManagerFactoryBean factory) {
            try {
                awaitIds();
                laterGenerators.remove(beanName);
                throwWhatWasRefused(beanName);
            } catch (Throwable none) {
                // Spring destroys only what has got through here.
                try {
                    factory.destroy();
                } catch (Throwable failed) {
                    none.addSuppressed(failed);
                }
                throw none;
            }
        }
        return bean;
    }

    private void throwWhatWasRefused(String factory) {
        for (Map.Entry<StartupFailure, String> refusal : refusals.entrySet()) {
            if (refusal.getValue().equals(factory)) {
                throw refusal.getKey();
            }
        }
    }

    private void awaitIds() {
        GeneratorLifecycle started = opening;
        if (started != null && !isOurs(Thread.currentThread())) {
            started.awaitOpen();
            // Another thread might reset what was set meanwhile.
            if (Thread.currentThread().equals(refreshing)) {
                opening = null;
            }
        }
    }

    /** A registry may need a bean that is made when it is first asked: the lease's thread does not wait for the lease. */
    private static boolean isOurs(Thread asking) {
        return asking.getName().startsWith("snowflake-");
    }

    private static StartupFailure noneToChoose(String factory, NoUniqueBeanDefinitionException several) {
        return new StartupFailure(
                "Entities of EntityManagerFactory '%s' get Snowflake ids, but there are %d IdGenerator beans, and none of them is primary: %s."
                        .formatted(
                                factory,
                                several.getNumberOfBeansFound(),
                                StringUtils.collectionToDelimitedString(several.getBeanNamesFound(), ", ", "'", "'")),
                IdGenerators.markOne());
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
