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
 * Opens a Lettuce connection for one call. The connections of a factory share one connection with the whole
 * application, or come from a pool. If such a connection stops responding, the next call gets the same connection, and
 * closing it would fail commands of the application. A factory has no public method that opens a separate connection.
 * This class calls a protected method of the factory by reflection.
 */
final class DedicatedConnection {

    /** The protected method; null if a later version of Spring Data Redis does not have it. */
    private static final @Nullable Method PROVIDER = ReflectionUtils.findMethod(
            LettuceConnectionFactory.class, "doCreateConnectionProvider", AbstractRedisClient.class, RedisCodec.class);

    private DedicatedConnection() {}

    /** Returns a connection that opens with its first command. */
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
