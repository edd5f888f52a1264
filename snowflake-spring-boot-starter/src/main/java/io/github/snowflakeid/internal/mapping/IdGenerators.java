package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.StringUtils;

/**
 * The generators of an application context, by the names that {@link io.github.snowflakeid.SnowflakeId} has for them. Safe for
 * use by any number of threads.
 */
public final class IdGenerators {

    /** How the names of the beans that this library defines begin. */
    public static final String OURS = "snowflake.";

    /** The generator that is auto-configured without a name. */
    public static final String UNNAMED = OURS + "generators.default";

    /** The bean that ends the auto-configured generators. */
    public static final String LIFECYCLE = OURS + "generatorLifecycle";

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, IdGenerator> known = new ConcurrentHashMap<>();

    /**
     * Those of a context.
     *
     * @param beans its beans, not looked at before a generator is asked for
     */
    public IdGenerators(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * One of them.
     *
     * @param name its qualifier, its bean name or an alias; empty for the one that is injected without a qualifier
     * @param attribute that gets its ids, for messages
     * @return the generator; one that throws an {@link ConfigurationException} when it is asked if there is none at all
     * @throws ConfigurationException if there are others, but none by that name, or several without
     */
    public IdGenerator get(String name, String attribute) {
        @Nullable IdGenerator ids = known.get(name);
        if (ids == null) {
            if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, IdGenerator.class).length == 0) {
                return switchedOff(attribute);
            }
            ids = name.isEmpty() ? unnamed(attribute) : named(name, attribute);
            known.put(name, ids);
        }
        return ids;
    }

    /** Whoever switches ids off may still read rows, and insert those that have ids. */
    private static IdGenerator switchedOff(String attribute) {
        return () -> {
            throw Problem.MISSING_GENERATOR.exception(
                    "No Snowflake ids for attribute %s: there is no IdGenerator bean".formatted(attribute), """
                    Let there be one:

                    snowflake.enabled: true

                    or set the attribute before the object is saved.""");
        };
    }

    private IdGenerator unnamed(String attribute) {
        try {
            return ids(beans.resolveNamedBean(IdGenerator.class).getBeanName());
        } catch (NoUniqueBeanDefinitionException e) {
            throw Problem.AMBIGUOUS_GENERATOR.exception(
                    "Attribute %s is to get Snowflake ids, but there are %d IdGenerator beans, and none of them is primary: %s"
                            .formatted(
                                    attribute,
                                    e.getNumberOfBeansFound(),
                                    StringUtils.collectionToDelimitedString(e.getBeanNamesFound(), ", ", "'", "'")),
                    markOne());
        }
    }

    /**
     * What to do where several generators have no name.
     *
     * @return advice
     */
    public static String markOne() {
        return """
                Mark the one that entities get their ids from:

                @Bean
                @Primary
                IdGenerator ids() { ... }""";
    }

    private IdGenerator named(String name, String attribute) {
        NavigableMap<String, String> byName = byName();
        String bean = byName.get(name);
        if (bean == null) {
            throw MappingErrors.unknownGenerator(name, attribute, byName.navigableKeySet(), "");
        }
        return ids(bean);
    }

    /**
     * Returns the beans that are generators.
     *
     * @return names of beans, by each name that an annotation may call them
     */
    public NavigableMap<String, String> byName() {
        NavigableMap<String, String> byName = new TreeMap<>();
        for (String bean : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, IdGenerator.class)) {
            namesOf(bean).forEach(name -> byName.putIfAbsent(name, bean));
        }
        return byName;
    }

    /**
     * Returns a supplier of the generator that is injected without a qualifier. It creates the bean when it is first called.
     *
     * @return the supplier; it throws a {@link org.springframework.beans.BeansException} if there is no such generator
     */
    public Supplier<IdGenerator> supplier() {
        return once(() -> ids(beans.resolveNamedBean(IdGenerator.class).getBeanName()));
    }

    /**
     * Returns a supplier of a generator, which creates the bean when it is first called.
     *
     * @param bean name of a bean that is a generator
     * @return the supplier
     */
    public Supplier<IdGenerator> supplier(String bean) {
        return once(() -> ids(bean));
    }

    /** Takes no lock: the thread that waits for it may hold Spring's, which the other thread needs to create the bean. */
    private static Supplier<IdGenerator> once(Supplier<IdGenerator> lookup) {
        AtomicReference<@Nullable IdGenerator> found = new AtomicReference<>();
        return () -> {
            @Nullable IdGenerator ids = found.get();
            if (ids == null) {
                ids = lookup.get();
                found.set(ids);
            }
            return ids;
        };
    }

    /** One of a narrower scope is looked up each time. */
    private IdGenerator ids(String bean) {
        return beans.isSingleton(bean)
                ? beans.getBean(bean, IdGenerator.class)
                : () -> beans.getBean(bean, IdGenerator.class).nextId();
    }

    /**
     * By which names an annotation may call a generator: its qualifiers, and those of a bean of the application.
     *
     * @param bean name of a bean that is a generator
     * @return the names, none for one that is only reached otherwise
     */
    public Set<String> namesOf(String bean) {
        Set<String> names = new LinkedHashSet<>();
        if (ScopedProxyUtils.isScopedTarget(bean)) {
            return names;
        }
        if (isDefined(bean) && beans.getMergedBeanDefinition(bean) instanceof RootBeanDefinition definition) {
            AutowireCandidateQualifier registered = definition.getQualifier(Qualifier.class.getName());
            if (registered != null) {
                names.add(String.valueOf(registered.getAttribute(AutowireCandidateQualifier.VALUE_KEY)));
            }
            Method method = definition.getResolvedFactoryMethod();
            Qualifier declared = method == null ? null : method.getAnnotation(Qualifier.class);
            if (declared != null) {
                names.add(declared.value());
            }
        }
        Qualifier ofClass = beans.findAnnotationOnBean(bean, Qualifier.class, false);
        if (ofClass != null) {
            names.add(ofClass.value());
        }
        if (!bean.startsWith(OURS)) {
            names.add(bean);
            names.addAll(List.of(beans.getAliases(bean)));
        }
        return names;
    }

    /** Also by a parent context. */
    private boolean isDefined(String bean) {
        try {
            beans.getMergedBeanDefinition(bean);
            return true;
        } catch (NoSuchBeanDefinitionException e) {
            // The bean was registered as an instance.
            return false;
        }
    }

    /**
     * Sees to it that the auto-configured generators are ended after a bean that gets their ids without having them injected,
     * and so after all that need the bean.
     *
     * @param bean its name
     */
    public void endAfter(String bean) {
        if (beans.containsLocalBean(LIFECYCLE)) {
            beans.getBean(LIFECYCLE);
            beans.registerDependentBean(LIFECYCLE, bean);
        }
    }
}
