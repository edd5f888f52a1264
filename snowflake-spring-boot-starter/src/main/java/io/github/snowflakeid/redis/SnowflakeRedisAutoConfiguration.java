package io.github.snowflakeid.redis;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.store.LeaseStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Auto-configuration of leases in Redis, where {@code snowflake.worker.strategy} is {@code redis}, through the {@link
 * RedisConnectionFactory} of the application. Never used unasked: many a Redis is a cache, which forgets.
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "snowflake.enabled", matchIfMissing = true)
public final class SnowflakeRedisAutoConfiguration {

    SnowflakeRedisAutoConfiguration() {}

    @Bean(LeaseStore.BEAN + "redis")
    @Lazy
    LeaseStore snowflakeRedisStore(ObjectProvider<RedisConnectionFactory> factories) {
        return new RedisLeaseStore(factories);
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(RedisProperties.class).registerHints(hints);
            hints.reflection()
                    .registerTypeIfPresent(
                            classLoader,
                            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                            factory -> factory.withMethod(
                                    "doCreateConnectionProvider",
                                    List.of(
                                            TypeReference.of("io.lettuce.core.AbstractRedisClient"),
                                            TypeReference.of("io.lettuce.core.codec.RedisCodec")),
                                    ExecutableMode.INVOKE));
        }
    }
}
