package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.boot.autoconfigure.ConfigurationCustomizer;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration that sets IDs of an {@link IdGenerator} bean in attributes with {@link SnowflakeId} before MyBatis
 * inserts them. It applies to every {@code SqlSessionFactory} bean of the context, auto-configured or not.
 *
 * @since 1.0
 */
@AutoConfiguration(after = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(SqlSessionFactory.class)
public final class SnowflakeMybatisAutoConfiguration {

    SnowflakeMybatisAutoConfiguration() {}

    @Bean("snowflake.sqlSessionFactoryIds")
    static SqlSessionFactoryPostProcessor snowflakeSqlSessionFactoryPostProcessor(
            ConfigurableListableBeanFactory beans) {
        return new SqlSessionFactoryPostProcessor(beans);
    }

    /** Registers type handlers with MyBatis. MyBatis-Plus has another type of customizer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurationCustomizer.class)
    static class TypeHandlers {

        @Bean("snowflake.mybatisTypeHandlers")
        static ConfigurationCustomizer snowflakeMybatisTypeHandlers(ConfigurableListableBeanFactory beans) {
            return configuration -> IdTypeHandlers.register(beans, configuration.getTypeHandlerRegistry());
        }
    }
}
