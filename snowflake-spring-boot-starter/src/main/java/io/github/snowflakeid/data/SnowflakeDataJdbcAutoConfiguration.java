package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.mapping.IdGenerators;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;

/**
 * Auto-configuration that lets aggregates of Spring Data JDBC have ids of an {@link IdGenerator} bean, on every level, by
 * {@link SnowflakeId}. An update that changes no row of an entity whose id is annotated is refused.
 */
@AutoConfiguration(
        after = SnowflakeAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.jdbc.JdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration"
        })
@ConditionalOnClass(JdbcMappingContext.class)
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@ConditionalOnBean({IdGenerator.class, JdbcMappingContext.class})
public final class SnowflakeDataJdbcAutoConfiguration {

    SnowflakeDataJdbcAutoConfiguration() {}

    @Bean("snowflake.jdbcIds")
    JdbcIds snowflakeJdbcIds(ConfigurableListableBeanFactory beans) {
        return new JdbcIds(beans);
    }

    @Bean("snowflake.jdbcMappers")
    static BeanPostProcessor snowflakeJdbcMappers(ConfigurableListableBeanFactory beans) {
        IdGenerators generators = new IdGenerators(beans);
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof JdbcMappingContext) {
                    generators.endAfter(name);
                }
                return bean instanceof DataAccessStrategy strategy
                        ? new CheckedUpdates(strategy, beans.getBeanProvider(JdbcMappingContext.class))
                        : bean;
            }
        };
    }
}
