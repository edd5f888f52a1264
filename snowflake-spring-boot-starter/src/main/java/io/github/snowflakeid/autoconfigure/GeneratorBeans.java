package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.mapping.IdGenerators;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** The beans of a context that belong to one generator, by its name. */
record GeneratorBeans(ConfigurableListableBeanFactory beans) {

    /** Returns the name under which a generator is injected. */
    static String qualifier(GeneratorName generator) {
        return generator.isNamed() ? generator.name() : SnowflakeGenerators.DEFAULT;
    }

    /** Returns the name of the bean that is a generator. */
    static String generator(GeneratorName generator) {
        return IdGenerators.OURS + "generators." + qualifier(generator);
    }

    /** Returns the name of the bean that is the store of a generator. */
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
        String name = qualifier(generator);
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

    /** Destroys a bean before the one that it needs, of which only the object is known. */
    @SuppressWarnings("ReferenceEquality") // Only the bean itself has the name that is looked for.
    void destroyBefore(Object needed, Class<?> type, String dependent) {
        for (String name : beans.getBeanNamesForType(type, true, false)) {
            Object created = beans.getSingleton(name);
            // A factory bean may create its object only when asked. One dependency too many does no harm.
            if (created == needed || created instanceof FactoryBean) {
                beans.registerDependentBean(name, dependent);
            }
        }
    }
}
