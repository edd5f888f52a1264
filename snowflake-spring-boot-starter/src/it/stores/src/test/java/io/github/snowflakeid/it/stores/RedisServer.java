package io.github.snowflakeid.it.stores;

import io.github.snowflakeid.it.common.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** A real Redis server that writes to disk before it confirms. */
final class RedisServer implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofMinutes(1);

    private final String executable =
            ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
    private final int port;
    private final Path directory;
    private Process process;

    RedisServer() throws Exception {
        port = FreePort.choose();
        directory = Files.createTempDirectory("redis");
        start();
    }

    int port() {
        return port;
    }

    private void start() throws Exception {
        process = new ProcessBuilder(
                        executable,
                        "--port",
                        String.valueOf(port),
                        "--dir",
                        directory.toString(),
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        for (long end = System.nanoTime() + LONGEST_START.toNanos(); !answers(); TimeUnit.MILLISECONDS.sleep(5)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(Files.readString(directory.resolve("log")));
            }
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII).equals("+PONG");
        } catch (IOException e) {
            return false;
        }
    }

    void restart() throws Exception {
        close();
        start();
    }

    /** Like a machine that loses power. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
