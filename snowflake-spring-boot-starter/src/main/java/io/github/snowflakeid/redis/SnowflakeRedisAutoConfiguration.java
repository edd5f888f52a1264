package io.github.snowflakeid.redis;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.OnCounters;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Configures leases in Redis if {@code snowflake.worker.strategy} is {@code redis}, and counters if
 * {@code snowflake.segment.store} is {@code redis}. Both use the {@link RedisConnectionFactory} of the application.
 * Redis is never chosen by default, because it is often used as a cache that loses data.
 *
 * @since 1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnStore(value = "redis", counters = true, library = "Spring Data Redis", dependency = """
        <dependency>
          <groupId>org.springframework.boot</groupId>
          <artifactId>spring-boot-starter-data-redis</artifactId>
        </dependency>""")
@PropertyGroup(RedisProperties.class)
@RegisterReflection(
        classNames = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
        memberCategories = MemberCategory.INVOKE_DECLARED_METHODS)
@ImportRuntimeHints(SnowflakeRedisAutoConfiguration.Hints.class)
public final class SnowflakeRedisAutoConfiguration {

    SnowflakeRedisAutoConfiguration() {}

    @Bean("snowflake.store.redis")
    RedisStores snowflakeRedisStores(ObjectProvider<RedisConnectionFactory> factories) {
        return new RedisStores(factories);
    }

    /** Sequential numbers. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnCounters.class)
    @PropertyGroup(RedisSegmentProperties.class)
    static final class Counters {}

    /** Hints for native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/snowflakeid/redis/*.lua");
        }
    }
}
