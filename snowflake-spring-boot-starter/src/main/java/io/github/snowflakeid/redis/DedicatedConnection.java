package io.github.snowflakeid.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionProvider;
import org.springframework.util.ReflectionUtils;

/**
 * Opens a connection of Lettuce for one call. The connections that a factory hands out share one connection with the whole application,
 * or come from a pool: if such a connection falls silent, the next call gets it again, and closing it would fail the application's
 * commands. A factory has no public method that opens another connection, only a protected method that subclasses may override.
 */
final class DedicatedConnection {

    /** Null if a later version of Spring Data Redis does not have it. */
    private static final @Nullable Method PROVIDER = ReflectionUtils.findMethod(
            LettuceConnectionFactory.class, "doCreateConnectionProvider", AbstractRedisClient.class, RedisCodec.class);

    private DedicatedConnection() {}

    /** Returns a connection that is opened by its first command. */
    static RedisConnection of(LettuceConnectionFactory factory) {
        if (PROVIDER == null) {
            return factory.getConnection();
        }
        ReflectionUtils.makeAccessible(PROVIDER);
        Object provider = ReflectionUtils.invokeMethod(
                PROVIDER, factory, factory.getRequiredNativeClient(), ByteArrayCodec.INSTANCE);
        return new LettuceConnection(
                null,
                (LettuceConnectionProvider) Objects.requireNonNull(provider),
                factory.getClientConfiguration().getCommandTimeout().toMillis(),
                factory.getDatabase());
    }
}
