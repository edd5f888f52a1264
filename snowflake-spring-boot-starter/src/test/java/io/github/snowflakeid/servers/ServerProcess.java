package io.github.snowflakeid.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A server in a separate process, which answers by HTTP. It can be killed, frozen and restarted. */
public final class ServerProcess implements AutoCloseable {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final List<String> command;
    private final Path log;
    private volatile @Nullable Process process;

    /** @param command the command, without the path of the program */
    public ServerProcess(Path directory, List<String> command) {
        this.command = new ArrayList<>(command);
        this.command.set(0, assumed(command.get(0)).toString());
        log = directory.resolve("log");
        // Otherwise a test that fails before it closes this object would leave the server running.
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
    }

    /**
     * Returns a program. Skips the test if it is neither on the path nor named by a system property such as
     * {@code test.etcd}; fails instead if {@code test.servers} contains its name.
     */
    public static Path assumed(String name) {
        String named = System.getProperty("test." + name);
        Path found = named != null
                ? Path.of(named)
                : Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(directory -> Path.of(directory, name))
                        .filter(Files::isExecutable)
                        .findFirst()
                        .orElse(null);
        String why = "%s is not on the path; name it with -Dtest.%1$s=/path/of/%1$s".formatted(name);
        if (found == null) {
            System.out.println("Skipped: " + why);
        }
        if (List.of(System.getProperty("test.servers", "").split(",")).contains(name)) {
            assertThat(found).as(why).isNotNull();
        }
        assumeThat(found).as(why).isNotNull();
        return found;
    }

    /** Returns a new directory for the data of a server. It is deleted when the tests of this JVM have ended. */
    public static Path newDirectory(String name) {
        try {
            Path directory = Files.createTempDirectory(name);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tries again while the server, which another shutdown hook stops, is still writing. */
    private static void delete(Path directory) {
        for (int i = 0; i < 50 && Files.exists(directory); i++) {
            try {
                FileSystemUtils.deleteRecursively(directory);
            } catch (IOException e) {
                sleep(100);
            }
        }
    }

    /**
     * Returns a free port that no other server of this JVM was given. It is below the range from which Linux chooses the
     * ports of outgoing connections, one of which could otherwise take it before the server starts.
     */
    public static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 20_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                if (GIVEN.add(port)) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                // It is in use.
            }
        }
    }

    public boolean isRunning() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** Starts the server, or lets it continue if it is frozen. */
    public void start() {
        try {
            if (isRunning()) {
                signal("-CONT");
                return;
            }
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the server answers a request with a matching status. */
    public void await(String url, IntPredicate status) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(5))
                .build();
        for (long end = System.nanoTime() + Duration.ofSeconds(120).toNanos(); System.nanoTime() < end; ) {
            try {
                if (status.test(CLIENT.send(request, BodyHandlers.ofString()).statusCode())) {
                    return;
                }
            } catch (IOException e) {
                // It has not started yet.
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            sleep(20);
        }
        throw new IllegalStateException("no answer from " + url + ": " + contentOf(log.toFile()));
    }

    public static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public void kill() {
        Process running = process;
        if (running != null) {
            try {
                running.destroyForcibly().waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public void freeze() {
        signal("-STOP");
    }

    private void signal(String signal) {
        try {
            new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
