package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Auto-configuration that sets IDs of an {@link IdGenerator} bean in entity attributes with {@link SnowflakeId} or
 * {@code @GeneratedValue(generator = "snowflake")}. It applies to every {@code EntityManagerFactory} that is created by
 * a Spring factory bean, whether Spring Boot or the application defines that bean.
 *
 * @since 1.0
 */
@AutoConfiguration(after = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(
        value = AbstractEntityManagerFactoryBean.class,
        name = {"jakarta.persistence.EntityManagerFactory", "org.hibernate.generator.Generator"})
public final class SnowflakeHibernateAutoConfiguration {

    SnowflakeHibernateAutoConfiguration() {}

    @Bean("snowflake.entityManagerFactoryIds")
    @ConditionalOnBean(IdGenerator.class)
    static EntityManagerFactoryIds snowflakeEntityManagerFactoryIds(ConfigurableListableBeanFactory beans) {
        return new EntityManagerFactoryIds(beans);
    }
}
