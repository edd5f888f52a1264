package io.github.snowflakeid.redis;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.core.ExecutableProvider;

/** A real Redis server in a separate process on a separate port. It can be killed and restarted. */
public final class Server implements AutoCloseable {

    private final int port = ServerProcess.freePort();
    private final Path directory;
    private final List<String> settings;
    private volatile Process process;

    private Server(List<String> settings) {
        this.settings = settings;
        // Otherwise a test that fails before it closes this object would leave the server running.
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
        directory = ServerProcess.newDirectory("redis");
    }

    /** Returns the server that the tests of this JVM share, with no data in it. It must not be closed or configured. */
    public static Server shared() {
        return Shared.ALONE.emptied();
    }

    /**
     * Returns connections to the server that the system property {@code test.redis.url} names, as Spring Boot's
     * {@code spring.data.redis.url} does, or else to the shared server. The caller closes them.
     */
    static LettuceConnectionFactory namedOrShared() {
        String url = System.getProperty("test.redis.url");
        return url == null
                ? shared().connections()
                : started(new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(url)));
    }

    /** Deletes the keys with a prefix, and no others: the server may be the user's. */
    static void deleteKeys(LettuceConnectionFactory connections, String prefix) {
        StringRedisTemplate redis = new StringRedisTemplate(connections);
        redis.delete(redis.keys(prefix + "*"));
    }

    /** Returns the cluster of one server that the tests of this JVM share. It must not be closed or configured. */
    static Server sharedCluster() {
        return Shared.CLUSTER.emptied();
    }

    private enum Shared {
        ALONE,
        CLUSTER("--cluster-enabled", "yes");

        private final Server server;

        Shared(String... settings) {
            server = started(settings);
            if (settings.length > 0) {
                server.becomeCluster();
            }
        }

        Server emptied() {
            LettuceConnectionFactory connections = server.connections();
            try (RedisConnection connection = connections.getConnection()) {
                connection.serverCommands().flushAll();
            } finally {
                connections.destroy();
            }
            return server;
        }
    }

    /** @param settings the arguments on the command line, in addition to those that disable persistence */
    public static Server started(String... settings) {
        Server server = new Server(List.of(settings));
        server.start();
        return server;
    }

    public void start() {
        List<String> command = new ArrayList<>();
        try {
            command.add(ExecutableProvider.newJarResourceProvider().get().getAbsolutePath());
            command.addAll(List.of("--port", String.valueOf(port), "--save", "", "--dir", directory.toString()));
            command.addAll(settings);
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LettuceConnectionFactory connections = connections();
        try {
            for (long end = System.nanoTime() + Duration.ofMinutes(2).toNanos(); System.nanoTime() < end; ) {
                try {
                    connections.getConnection().ping();
                    return;
                } catch (RuntimeException e) {
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            }
            throw new IllegalStateException(Files.readString(directory.resolve("log")));
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        } finally {
            connections.destroy();
        }
    }

    /** Kills the server, as SIGKILL or a loss of power would. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Assigns all slots to this server. */
    void becomeCluster() {
        LettuceConnectionFactory connections = connections();
        try (RedisConnection connection = connections.getConnection()) {
            byte[][] slots = new byte[1 + 16_384][];
            slots[0] = "ADDSLOTS".getBytes(StandardCharsets.US_ASCII);
            for (int slot = 0; slot < 16_384; slot++) {
                slots[1 + slot] = String.valueOf(slot).getBytes(StandardCharsets.US_ASCII);
            }
            connection.execute("CLUSTER", slots);
            while (!text(connection.execute("CLUSTER", "INFO".getBytes(StandardCharsets.US_ASCII)))
                    .contains("cluster_state:ok")) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            connections.destroy();
        }
    }

    private static String text(Object answer) {
        return answer instanceof byte[] bytes ? new String(bytes, StandardCharsets.US_ASCII) : String.valueOf(answer);
    }

    long pid() {
        return process.pid();
    }

    public int port() {
        return port;
    }

    /** The caller closes it. */
    public LettuceConnectionFactory connections() {
        return connections(port, Duration.ofSeconds(60));
    }

    /** @param margin a shorter margin than the default, for tests that cannot wait until lost leases have ended */
    public static RedisWorkerRegistry registry(
            LettuceConnectionFactory connections, String namespace, Duration furthest, Duration margin) {
        return new RedisWorkerRegistry(
                connections, RedisWorkerRegistry.DEFAULT_KEY_PREFIX, namespace, furthest, margin, false);
    }

    public static LettuceConnectionFactory connections(int port, Duration timeout) {
        return started(new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("localhost", port),
                LettuceClientConfiguration.builder().commandTimeout(timeout).build()));
    }

    static LettuceConnectionFactory started(LettuceConnectionFactory connections) {
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    /**
     * Returns the exception of a call. Lettuce may lose a rejected login at the moment at which it connects. Leases and
     * counters then retry, and so does this method.
     */
    static Throwable rejection(Runnable call) {
        Throwable thrown = catchThrowable(call::run);
        for (int again = 0; again < 5 && thrown instanceof ConfigurationException; again++) {
            thrown = catchThrowable(call::run);
        }
        return thrown;
    }

    @Override
    public void close() {
        kill();
    }
}
