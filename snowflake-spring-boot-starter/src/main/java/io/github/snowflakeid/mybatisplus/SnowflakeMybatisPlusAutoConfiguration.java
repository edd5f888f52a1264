package io.github.snowflakeid.mybatisplus;

import com.baomidou.mybatisplus.autoconfigure.ConfigurationCustomizer;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.mybatis.IdTypeHandlers;
import io.github.snowflakeid.mybatis.SnowflakeMybatisAutoConfiguration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration that lets MyBatis-Plus take its ids from the {@link IdGenerator} bean, wherever it makes some:
 * {@code IdType.ASSIGN_ID}, batches, and the static methods of {@code IdWorker}. Gives way to an {@link IdentifierGenerator} bean of
 * the application. UUIDs stay those of MyBatis-Plus.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = SnowflakeAutoConfiguration.class,
        // What is wrong with an entity is known better here.
        before = SnowflakeMybatisAutoConfiguration.class,
        beforeName = "com.baomidou.mybatisplus.autoconfigure.IdentifierGeneratorAutoConfiguration")
@ConditionalOnClass(IdentifierGenerator.class)
@ConditionalOnBean(IdGenerator.class)
public final class SnowflakeMybatisPlusAutoConfiguration {

    SnowflakeMybatisPlusAutoConfiguration() {}

    @Bean(MybatisPlusIds.NAME)
    // MyBatis-Plus does not look into parent contexts.
    @ConditionalOnMissingBean(value = IdentifierGenerator.class, search = SearchStrategy.CURRENT)
    static MybatisPlusIds snowflakeIdentifierGenerator(ConfigurableListableBeanFactory beans) {
        return new MybatisPlusIds(beans);
    }

    @Bean("snowflake.mybatisPlusFactories")
    static MybatisPlusFactories snowflakeMybatisPlusFactories(ConfigurableListableBeanFactory beans) {
        return new MybatisPlusFactories(beans);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurationCustomizer.class)
    static class TypeHandlers {

        @Bean("snowflake.mybatisPlusTypeHandlers")
        static ConfigurationCustomizer snowflakeMybatisPlusTypeHandlers(ConfigurableListableBeanFactory beans) {
            return configuration -> new IdTypeHandlers(beans).registerIn(configuration.getTypeHandlerRegistry());
        }
    }
}
