package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringUtils;

/**
 * The generators of an application context, by the names that {@link io.github.snowflakeid.SnowflakeId} may use for
 * them. Safe for use by any number of threads.
 */
public final class IdGenerators {

    /** The prefix of the names of all beans that this library defines. */
    public static final String OURS = "snowflake.";

    /** The name of the bean of the auto-configured unnamed generator. */
    public static final String UNNAMED = OURS + "generators.default";

    /** The name of the bean that closes the auto-configured generators. */
    public static final String LIFECYCLE = OURS + "generatorLifecycle";

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, IdGenerator> known = new ConcurrentHashMap<>();

    /**
     * Finds the generators of a context.
     *
     * @param beans the beans of the context; they are not accessed until a generator is requested
     */
    public IdGenerators(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns a generator.
     *
     * @param name its qualifier, bean name or alias; empty for the generator that is injected without a qualifier
     * @param attribute the attribute that gets its IDs, for messages
     * @return the generator; if the context has no generator at all, one whose calls throw a
     *     {@link ConfigurationException}
     * @throws ConfigurationException if there are generators, but none with that name, or if the name is empty and
     *     several qualify
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

    /**
     * Fails only when an ID is needed, so that applications that switch IDs off can still read rows, and insert rows
     * whose IDs are set.
     */
    private static IdGenerator switchedOff(String attribute) {
        return () -> {
            throw Problem.MISSING_GENERATOR.exception(
                    "No Snowflake ID for attribute %s: there is no IdGenerator bean".formatted(attribute), """
                    Enable the generator:

                    snowflake.enabled: true

                    or set the attribute before the object is saved.""");
        };
    }

    private IdGenerator unnamed(String attribute) {
        try {
            return ids(beans.resolveNamedBean(IdGenerator.class).getBeanName());
        } catch (NoUniqueBeanDefinitionException e) {
            throw Problem.AMBIGUOUS_GENERATOR.exception(
                    "No Snowflake ID for attribute %s: there are %s IdGenerator beans, and none of them is primary: %s"
                            .formatted(
                                    attribute,
                                    e.getNumberOfBeansFound(),
                                    StringUtils.collectionToDelimitedString(e.getBeanNamesFound(), ", ", "'", "'")),
                    """
                    Mark the generator for entities as primary:

                    @Bean
                    @Primary
                    IdGenerator ids() { ... }""");
        }
    }

    private IdGenerator named(String name, String attribute) {
        NavigableMap<String, String> byName = byName();
        String bean = byName.get(name);
        if (bean == null) {
            throw MappingErrors.unknownGenerator(name, "Attribute " + attribute, byName.navigableKeySet(), "");
        }
        return ids(bean);
    }

    /**
     * Returns the beans that are generators.
     *
     * @return the bean names, by every name that an annotation may use for them
     */
    public NavigableMap<String, String> byName() {
        NavigableMap<String, String> byName = new TreeMap<>();
        for (String bean : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, IdGenerator.class)) {
            namesOf(bean).forEach(name -> byName.putIfAbsent(name, bean));
        }
        return byName;
    }

    /** Returns a generator bean. A bean of a narrower scope than singleton is looked up for each ID. */
    private IdGenerator ids(String bean) {
        return beans.isSingleton(bean)
                ? beans.getBean(bean, IdGenerator.class)
                : () -> beans.getBean(bean, IdGenerator.class).nextId();
    }

    /**
     * Returns the names that an annotation may use for a generator: its qualifiers and, for a bean of the application,
     * its bean name and aliases.
     *
     * @param bean the name of a bean that is a generator
     * @return the names; empty if an annotation cannot refer to the bean
     */
    public Set<String> namesOf(String bean) {
        Set<String> names = new LinkedHashSet<>();
        Predicate<String> addUnlessOurs = name -> {
            if (!name.startsWith(OURS)) {
                names.add(name);
            }
            return false;
        };
        if (!ScopedProxyUtils.isScopedTarget(bean)) {
            // Tests all names of the bean, because none matches.
            BeanFactoryAnnotationUtils.isQualifierMatch(addUnlessOurs, bean, beans);
        }
        return names;
    }

    /**
     * Ensures that the auto-configured generators are closed after a bean that uses their IDs without having a
     * generator injected, and therefore also after all beans that depend on it.
     *
     * @param bean the name of the bean
     */
    public void endAfter(String bean) {
        if (beans.containsLocalBean(LIFECYCLE)) {
            beans.getBean(LIFECYCLE);
            beans.registerDependentBean(LIFECYCLE, bean);
        }
    }
}
