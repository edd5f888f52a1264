package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.r2dbc.convert.R2dbcCustomConversions;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.repository.support.R2dbcRepositoryFactoryBean;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;

/**
 * Auto-configuration that sets IDs of an {@link IdGenerator} bean in attributes with {@link SnowflakeId} of Spring Data
 * R2DBC entities. Event loop threads never wait for an ID. If the ID of an entity is annotated, an update of a row that
 * does not exist is rejected. This check is not available if there are several {@link R2dbcEntityTemplate} beans.
 *
 * @since 1.0
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

    private final AnnotatedEntities entities;

    SnowflakeDataR2dbcAutoConfiguration(ConfigurableListableBeanFactory beans) {
        entities = new AnnotatedEntities(
                beans.getBeanProvider(R2dbcMappingContext.class),
                beans,
                ConnectionFactory.class,
                ReactiveTransactionManager.class,
                R2dbcTransactionManager.class);
    }

    @Bean("snowflake.r2dbcEntities")
    @Lazy(false)
    SmartInitializingSingleton snowflakeR2dbcEntities() {
        return entities::check;
    }

    @Bean("snowflake.r2dbcIds")
    R2dbcIds snowflakeR2dbcIds() {
        return new R2dbcIds(entities, false);
    }

    @Bean("snowflake.earlyR2dbcIds")
    R2dbcIds snowflakeEarlyR2dbcIds() {
        return new R2dbcIds(entities, true);
    }

    @Bean("snowflake.r2dbcMappers")
    static BeanPostProcessor snowflakeR2dbcMappers(ConfigurableListableBeanFactory beans) {
        IdGenerators generators = new IdGenerators(beans);
        return new BeanChange((bean, name) -> {
            if (bean instanceof R2dbcMappingContext) {
                generators.endAfter(name);
            }
            if (bean instanceof R2dbcCustomConversions conversions) {
                List<IdType> typed = TypedIds.in(beans, R2dbcRepositoryFactoryBean.class, conversions);
                return typed.isEmpty() ? conversions : new R2dbcIdConversions(conversions, typed);
            }
            return bean;
        });
    }

    @Bean("snowflake.r2dbcRows")
    R2dbcMissingRowCheck snowflakeR2dbcRows(ObjectProvider<R2dbcEntityTemplate> templates) {
        return new R2dbcMissingRowCheck(entities, templates);
    }
}
