package io.github.snowflakeid.redis;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts, each of which has one key. A script is sent to the primary server even if it only reads, also by clients that let
 * replicas answer what reads.
 */
record Calls(RedisConnectionFactory connections, Kept kept) {

    Calls {
        Objects.requireNonNull(connections, "connections");
    }

    <T> T ask(String script, ReturnType type, Function<@Nullable Object, T> answer, String key, String... arguments) {
        byte[][] keyAndArguments = new byte[1 + arguments.length][];
        keyAndArguments[0] = key.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < arguments.length; i++) {
            keyAndArguments[1 + i] = arguments[i].getBytes(StandardCharsets.UTF_8);
        }
        try (RedisConnection connection = connection()) {
            Object raw = connection
                    .scriptingCommands()
                    .eval(script.getBytes(StandardCharsets.UTF_8), type, 1, keyAndArguments);
            return answer.apply(raw);
        } catch (StoreException | SnowflakeException known) {
            throw known;
        } catch (RuntimeException failed) {
            throw trouble(key).of(failed);
        }
    }

    Trouble trouble(String key) {
        return new Trouble(kept, key);
    }

    /** While a context closes, it stops its connection factory before the beans are destroyed that may still ask for ids. */
    private RedisConnection connection() {
        if (connections instanceof Lifecycle factory && !factory.isRunning()) {
            factory.start();
        }
        return connections instanceof LettuceConnectionFactory lettuce
                ? DedicatedConnection.of(lettuce)
                : connections.getConnection();
    }

    /** An answer that is a number. */
    static long number(@Nullable Object answer) {
        if (answer instanceof Long number) {
            return number;
        }
        throw new StoreException(
                "Redis gave an unexpected answer to a script: " + ControlCharacters.escape(String.valueOf(answer)),
                null,
                null);
    }

    /** Elements of an answer. */
    static List<String> texts(@Nullable Object answer) {
        List<String> texts = new ArrayList<>();
        for (Object element : (List<?>) Objects.requireNonNull(answer)) {
            texts.add(
                    element instanceof byte[] bytes
                            ? new String(bytes, StandardCharsets.UTF_8)
                            : String.valueOf(element));
        }
        return texts;
    }
}
