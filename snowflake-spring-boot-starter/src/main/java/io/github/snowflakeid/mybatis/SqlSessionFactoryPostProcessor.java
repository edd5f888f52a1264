package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdGenerators;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Adds an {@link IdInterceptor} to each {@code SqlSessionFactory} of a context. Checks the statements when all
 * singletons exist, because mappers are beans that are created after their factory.
 */
final class SqlSessionFactoryPostProcessor implements BeanPostProcessor, SmartInitializingSingleton {

    private final IdGenerators generators;
    private final IdAttributes attributes;
    private final IdInterceptor ids;
    private final List<Configuration> configurations = new ArrayList<>();

    /**
     * Whether the startup check has run. Statements of factories that are created later are checked when they insert.
     */
    private volatile boolean started;

    SqlSessionFactoryPostProcessor(ConfigurableListableBeanFactory beans) {
        generators = new IdGenerators(beans);
        attributes = new IdAttributes(generators);
        ids = new IdInterceptor(attributes);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SqlSessionFactory factory) {
            intercept(factory.getConfiguration());
            generators.endAfter(beanName);
        }
        return bean;
    }

    /** The last interceptor is the outermost, so all others see the IDs. */
    private void intercept(Configuration configuration) {
        if (!configuration.getInterceptors().contains(ids)) {
            configuration.addInterceptor(ids);
            if (!started) {
                configurations.add(configuration);
            }
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (Configuration configuration : configurations) {
            new StatementCheck(configuration, attributes).check();
        }
        configurations.clear();
        started = true;
    }
}
