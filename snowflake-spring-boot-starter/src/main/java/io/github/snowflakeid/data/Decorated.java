package io.github.snowflakeid.data;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Beans that others stand for. */
final class Decorated {

    private Decorated() {}

    /** Whether a bean may: who asks for a class of the application's own would not find it any more. */
    static boolean mayBe(String bean, Class<?> decorator, ConfigurableListableBeanFactory beans) {
        return !beans.containsBeanDefinition(bean)
                || !(beans.getMergedBeanDefinition(bean) instanceof RootBeanDefinition definition)
                || definition.getResolvableType().toClass().isAssignableFrom(decorator);
    }
}
