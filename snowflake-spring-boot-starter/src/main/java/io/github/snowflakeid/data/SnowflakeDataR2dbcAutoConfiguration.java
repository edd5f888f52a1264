package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Auto-configuration that lets entities of Spring Data R2DBC have ids of an {@link IdGenerator} bean, by {@link SnowflakeId}. No
 * thread of an event loop waits for one. An update that changes no row of an entity whose id is annotated is refused, unless the
 * application's own {@code R2dbcEntityTemplate} has a class that cannot be extended.
 */
@AutoConfiguration(
        after = SnowflakeAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.r2dbc.R2dbcDataAutoConfiguration",
            "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration"
        })
@ConditionalOnClass(R2dbcMappingContext.class)
@ConditionalOnBean(R2dbcMappingContext.class)
public final class SnowflakeDataR2dbcAutoConfiguration {

    SnowflakeDataR2dbcAutoConfiguration() {}

    @Bean("snowflake.r2dbcIds")
    @Lazy(false)
    R2dbcIds snowflakeR2dbcIds(ConfigurableListableBeanFactory beans) {
        return new R2dbcIds(beans);
    }

    @Bean("snowflake.r2dbcMappers")
    static BeanPostProcessor snowflakeR2dbcMappers(ConfigurableListableBeanFactory beans) {
        IdGenerators generators = new IdGenerators(beans);
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof R2dbcMappingContext) {
                    generators.endAfter(name);
                }
                return bean instanceof DatabaseClient client && Decorated.mayBe(name, CountingClient.class, beans)
                        ? new CountingClient(client)
                        : bean;
            }
        };
    }

    @Bean("snowflake.r2dbcUpdates")
    static CheckedUpdates snowflakeR2dbcUpdates() {
        return new CheckedUpdates();
    }

    @Bean("snowflake.r2dbcRows")
    SavedRows snowflakeR2dbcRows(R2dbcIds ids) {
        return new SavedRows(ids);
    }
}
