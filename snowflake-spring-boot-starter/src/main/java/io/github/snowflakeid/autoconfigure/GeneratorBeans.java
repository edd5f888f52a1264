package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.properties.GeneratorName;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** Names and finds the beans of a context that belong to one generator. */
record GeneratorBeans(ConfigurableListableBeanFactory beans) {

    /** Returns the bean name of a generator. */
    static String generator(GeneratorName generator) {
        return IdGenerators.OURS + "generators." + generator.qualifier();
    }

    /** Returns the bean name of a generator's store. */
    static String store(GeneratorName generator) {
        return generator(generator) + ".store";
    }

    /** Returns the bean that has the generator's name as qualifier or as bean name; null if there is none. */
    <T> @Nullable T qualified(Class<T> type, GeneratorName generator) {
        String bean = nameOf(type, generator);
        return bean == null ? null : beans.getBean(bean, type);
    }

    boolean isDefinedFor(GeneratorName generator, Class<?> type) {
        return nameOf(type, generator) != null;
    }

    /** Returns whether there is a bean, perhaps of a parent context, that is injected without a qualifier. */
    boolean isDefinedForAll(Class<?> type) {
        for (String bean : namesOf(type)) {
            boolean needsQualifier = beans.containsBeanDefinition(bean)
                    && beans.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                    && !(definition.isDefaultCandidate() && definition.isAutowireCandidate());
            if (!needsQualifier) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String nameOf(Class<?> type, GeneratorName generator) {
        String name = generator.qualifier();
        for (String bean : namesOf(type)) {
            if (BeanFactoryAnnotationUtils.isQualifierMatch(name::equals, bean, beans)) {
                return bean;
            }
        }
        return null;
    }

    private String[] namesOf(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
    }

    /** Lets Spring destroy a bean before the bean that it needs, of which only the object is known. */
    @SuppressWarnings("ReferenceEquality") // An equal bean could have another name.
    void destroyBefore(Object needed, Class<?> type, String dependent) {
        for (String name : beans.getBeanNamesForType(type, true, false)) {
            Object created = beans.getSingleton(name);
            // A factory bean may not have created its object yet. A superfluous dependency does no harm.
            if (created == needed || created instanceof FactoryBean) {
                beans.registerDependentBean(name, dependent);
            }
        }
    }
}
