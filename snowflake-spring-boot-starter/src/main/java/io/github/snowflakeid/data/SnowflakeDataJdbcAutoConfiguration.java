package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.jdbc.repository.support.JdbcRepositoryFactoryBean;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration that sets IDs of an {@link IdGenerator} bean in attributes with {@link SnowflakeId}, at every
 * level of Spring Data JDBC aggregates. If the ID of an entity is annotated, an update that changes no row is rejected.
 * This check is not available if the application declares a {@link DataAccessStrategy} bean as a more specific class.
 *
 * @since 1.0
 */
@AutoConfiguration(
        after = SnowflakeAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.jdbc.JdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration"
        })
@ConditionalOnClass(JdbcMappingContext.class)
@ConditionalOnBean(JdbcMappingContext.class)
public final class SnowflakeDataJdbcAutoConfiguration {

    SnowflakeDataJdbcAutoConfiguration() {}

    @Bean("snowflake.annotatedEntities")
    static AnnotatedEntities snowflakeAnnotatedEntities(ConfigurableListableBeanFactory beans) {
        return new AnnotatedEntities(
                beans.getBeanProvider(JdbcMappingContext.class),
                beans,
                DataSource.class,
                PlatformTransactionManager.class,
                DataSourceTransactionManager.class);
    }

    @Bean("snowflake.jdbcEntities")
    @Lazy(false)
    SmartInitializingSingleton snowflakeJdbcEntities(
            AnnotatedEntities entities, ConfigurableListableBeanFactory beans) {
        return () -> new JdbcColumnCheck(beans).check(entities.check());
    }

    @Bean("snowflake.jdbcIds")
    JdbcIds snowflakeJdbcIds(AnnotatedEntities entities) {
        return new JdbcIds(entities, false);
    }

    @Bean("snowflake.earlyJdbcIds")
    JdbcIds snowflakeEarlyJdbcIds(AnnotatedEntities entities) {
        return new JdbcIds(entities, true);
    }

    @Bean("snowflake.jdbcMappers")
    static BeanPostProcessor snowflakeJdbcMappers(
            ConfigurableListableBeanFactory beans, ObjectProvider<AnnotatedEntities> entities) {
        IdGenerators generators = new IdGenerators(beans);
        return new BeanChange((bean, name) -> {
            if (bean instanceof JdbcMappingContext) {
                generators.endAfter(name);
            }
            return bean instanceof DataAccessStrategy strategy && mayBeReplaced(name, beans)
                    ? new JdbcMissingRowCheck(strategy, entities.getObject())
                    : withTypedIds(bean, beans);
        });
    }

    private static Object withTypedIds(Object bean, ConfigurableListableBeanFactory beans) {
        if (bean instanceof JdbcCustomConversions conversions) {
            List<IdType> typed = TypedIds.in(beans, JdbcRepositoryFactoryBean.class, conversions);
            return typed.isEmpty() ? conversions : new JdbcIdConversions(conversions, typed);
        }
        return bean;
    }

    @Bean("snowflake.jdbcAot")
    static BeanFactoryInitializationAotProcessor snowflakeJdbcAot() {
        return new AotConversions();
    }

    /**
     * Lets Spring Data generate code for typed IDs: ahead-of-time processing applies no bean post-processor of the
     * context.
     */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    private record AotConversions() implements BeanFactoryInitializationAotProcessor {

        @Override
        public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
                ConfigurableListableBeanFactory beans) {
            beans.addBeanPostProcessor(new BeanChange((bean, name) -> withTypedIds(bean, beans)));
            return null;
        }
    }

    /**
     * Whether a {@link JdbcMissingRowCheck} can replace a bean. It cannot if the bean is declared as another class,
     * which injection points may require.
     */
    private static boolean mayBeReplaced(String bean, ConfigurableListableBeanFactory beans) {
        return !beans.containsBeanDefinition(bean)
                || beans.getMergedBeanDefinition(bean)
                        .getResolvableType()
                        .toClass()
                        .isAssignableFrom(JdbcMissingRowCheck.class);
    }
}
