package io.github.snowflakeid.redis;

import io.github.snowflakeid.SnowflakeException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.Lifecycle;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Runs the scripts in this package. Each script has one key. Clients send every script to the primary server, even a
 * script that only reads, and even if the clients otherwise read from replicas.
 *
 * <p>Scripts that only compare numbers handle them as text, because Lua has no 64-bit integers. Milliseconds since 1970
 * are exact as Lua numbers up to the year 287396.
 */
record RedisScripts(RedisConnectionFactory connections, HashKind kind) {

    static final byte[] READ_LEASES = script("info", "lease", "read-leases");
    static final byte[] WRITE_LEASE = script("info", "lease", "write-lease");
    static final byte[] CHECK_SERVER = script("info", "check-server");
    static final byte[] READ_COUNTER = script("read-counter");
    static final byte[] WRITE_COUNTER = script("write-counter");

    RedisScripts {
        Objects.requireNonNull(connections, "connections");
    }

    /** Joins files to one script. */
    private static byte[] script(String... names) {
        return Stream.of(names)
                .map(name -> new ClassPathResource(name + ".lua", RedisScripts.class))
                .map(file -> RedisScript.of(file).getScriptAsString())
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Runs a script that returns a list. */
    List<String> texts(byte[] script, String key, String... arguments) {
        List<?> answer = (List<?>) Objects.requireNonNull(run(script, ReturnType.MULTI, key, arguments));
        return answer.stream()
                .map(each ->
                        each instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : String.valueOf(each))
                .toList();
    }

    /** Runs a script that returns a number. */
    long number(byte[] script, String key, String... arguments) {
        return (Long) Objects.requireNonNull(run(script, ReturnType.INTEGER, key, arguments));
    }

    private @Nullable Object run(byte[] script, ReturnType type, String key, String... arguments) {
        byte[][] keyAndArguments = Stream.concat(Stream.of(key), Stream.of(arguments))
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        try (RedisConnection connection = connection()) {
            return connection.scriptingCommands().eval(script, type, 1, keyAndArguments);
        } catch (SnowflakeException e) {
            throw e;
        } catch (RuntimeException e) {
            throw translator(key).translate(e);
        }
    }

    RedisExceptionTranslator translator(String key) {
        return new RedisExceptionTranslator(kind, key);
    }

    /**
     * Restarts the factory if it was stopped: a closing context stops it before it destroys beans that may still need
     * IDs.
     */
    private RedisConnection connection() {
        if (connections instanceof Lifecycle factory && !factory.isRunning()) {
            factory.start();
        }
        return connections instanceof LettuceConnectionFactory lettuce
                ? DedicatedConnection.of(lettuce)
                : connections.getConnection();
    }
}
