package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.store.GeneratorStores;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.internal.store.StoreDescription;
import io.github.snowflakeid.internal.store.StoreSettings;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;

/**
 * One generator as its context knows it: its properties, the beans that belong to it, and its name in failures and log
 * lines.
 */
record GeneratorBeans(GeneratorName id, GeneratorProperties properties, ConfigurableListableBeanFactory beans)
        implements StoreSettings {

    static GeneratorBeans of(String name, ConfigurableListableBeanFactory beans) {
        GeneratorProperties properties = GeneratorProperties.of(beans, environment(beans));
        return new GeneratorBeans(new GeneratorName(name), properties, beans);
    }

    /** The application may define another bean of this type. */
    private static Environment environment(BeanFactory beans) {
        return beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class);
    }

    Environment environment() {
        return environment(beans);
    }

    /** Returns the bean name of the generator. */
    String beanName() {
        return IdGenerators.OURS + "generators." + id.qualifier();
    }

    /** Returns the bean name of the generator's store. */
    String storeBean() {
        return beanName() + ".store";
    }

    /** Returns the bean name of the generator's plan. */
    String planBean() {
        return beanName() + ".plan";
    }

    /** Returns whether a property of the generator itself has a value. */
    boolean isSet(String property) {
        return properties.isSet(id, property);
    }

    /** Returns the stores of the generator, which this call opens after the initialization of databases. */
    GeneratorStores<?> generatorStores() {
        return beans.getBean(storeBean(), GeneratorStores.class);
    }

    /** Returns the beginning of the generator's log lines and failures; empty if none is needed. */
    String label() {
        String unnamed = properties.names().isEmpty() ? "" : "Unnamed generator: ";
        return id.isNamed() ? "Generator '" + id.name() + "': " : unnamed;
    }

    /** Returns a copy of a failure that names this generator. */
    ConfigurationException explain(ConfigurationException failure) {
        return failure.of(id.name(), label());
    }

    /** Runs code, and names this generator in its failures. */
    <T> T explaining(Supplier<T> code) {
        try {
            return code.get();
        } catch (ConfigurationException e) {
            throw explain(e);
        } catch (BindException e) {
            throw NestedExceptionUtils.getMostSpecificCause(e) instanceof ConfigurationException rejected
                    ? explain(rejected)
                    : e;
        }
    }

    /**
     * Returns the store that a property names, or the default store.
     *
     * @param set the value of the property; null if it is not set
     * @param property the property, as in a template of {@link ConfigurationException}
     * @param others names that the property accepts and that need no store
     */
    <S> S select(Class<S> type, @Nullable String set, String property, List<String> others) {
        String name = set == null ? GeneratorProperties.DEFAULT_STORE : set;
        String store = "snowflake.store." + name;
        if (beans.containsBean(store) && beans.isTypeMatch(store, type)) {
            return beans.getBean(store, type);
        }
        boolean isForCounter = type == SegmentStoreFactory.class;
        throw StoreDescription.missing(name, property, others, isForCounter, beans.getBeanClassLoader());
    }

    /** Returns the bean that has the generator's name as qualifier or as bean name; null if there is none. */
    <T> @Nullable T qualified(Class<T> type) {
        String bean = nameOf(type);
        return bean == null ? null : beans.getBean(bean, type);
    }

    /** Returns the name of the bean that has the generator's name as qualifier or as bean name; null if there is none. */
    @Nullable
    String nameOf(Class<?> type) {
        return Stream.of(namesOf(type))
                .filter(bean -> BeanFactoryAnnotationUtils.isQualifierMatch(id.qualifier()::equals, bean, beans))
                .findFirst()
                .orElse(null);
    }

    String[] namesOf(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
    }

    @Override
    public <T> T properties(Class<T> type) {
        return id.isNamed() ? properties.bind(id, type, true) : beans.getBean(type);
    }

    @Override
    public <T> T ownProperties(Class<T> type) {
        return id.isNamed() ? properties.bind(id, type, false) : beans.getBean(type);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // An equal bean could have another name.
    public void endBefore(Object bean, Class<?> type) {
        for (String name : beans.getBeanNamesForType(type, true, false)) {
            Object created = beans.getSingleton(name);
            // A factory bean may not have created its object yet. A superfluous dependency does no harm.
            if (created == bean || created instanceof FactoryBean) {
                beans.registerDependentBean(name, IdGenerators.LIFECYCLE);
            }
        }
    }
}
