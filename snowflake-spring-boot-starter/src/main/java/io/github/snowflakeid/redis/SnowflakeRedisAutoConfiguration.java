package io.github.snowflakeid.redis;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.store.LeaseStore;
import io.github.snowflakeid.store.StoreException;
import io.github.snowflakeid.store.StoreSettings;
import io.github.snowflakeid.worker.BoundedRegistry;
import io.github.snowflakeid.worker.WorkerRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Auto-configuration of leases in Redis, where {@code snowflake.worker.strategy} is {@code redis}, through the {@link
 * RedisConnectionFactory} of the application. Never used unasked: many a Redis is a cache, which forgets.
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
@ImportRuntimeHints(SnowflakeRedisAutoConfiguration.Hints.class)
public final class SnowflakeRedisAutoConfiguration {

    SnowflakeRedisAutoConfiguration() {}

    @Bean(LeaseStore.BEAN + "redis")
    @Lazy
    LeaseStore snowflakeRedisStore(ObjectProvider<RedisConnectionFactory> factories) {
        return settings -> registry(settings, factories.getIfUnique());
    }

    private static WorkerRegistry registry(StoreSettings settings, @Nullable RedisConnectionFactory factory) {
        if (factory == null) {
            throw new StoreException(
                    "Worker ids are leased in Redis, but no RedisConnectionFactory bean is the only one or the primary one",
                    """
                    Set where Redis is, and let Spring Boot make the bean:

                    spring.data.redis.host: localhost

                    or mark the one to use with @Primary, or do without a lease. %s""".formatted(settings.howToSetWorkerId()),
                    null);
        }
        settings.endBefore(factory, RedisConnectionFactory.class);
        RedisProperties properties = settings.properties("redis", RedisProperties::new);
        try {
            RedisWorkerRegistry registry = new RedisWorkerRegistry(
                    factory, properties.getKeyPrefix(), settings.namespace(), settings.furthest());
            return new BoundedRegistry(
                    properties.isNewNamespace() ? registry.ofNewNamespace() : registry, settings.longestAnswer());
        } catch (IllegalArgumentException invalid) {
            throw StoreException.invalid(invalid, "snowflake.worker.lease.namespace: default");
        }
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(RedisProperties.class).registerHints(hints);
        }
    }
}
