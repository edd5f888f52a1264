package io.github.snowflakeid.it.actuator;

import io.github.snowflakeid.it.common.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import org.h2.tools.Server;

/** A database in a separate process, which tests can kill and restart. */
final class DatabaseProcess {

    private final Path directory;
    private final int port;
    private Process server;

    DatabaseProcess(Path directory) throws IOException {
        this.directory = directory;
        port = FreePort.choose();
    }

    String url() {
        return "jdbc:h2:tcp://localhost:%s/shop".formatted(port);
    }

    void start() throws Exception {
        Path jar = Path.of(
                Server.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        jar.toString(),
                        Server.class.getName(),
                        "-tcp",
                        "-tcpPort",
                        String.valueOf(port),
                        "-ifNotExists",
                        "-baseDir",
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // The server prints a line when it accepts connections.
        server.inputReader().readLine();
    }

    void kill() throws InterruptedException {
        server.destroyForcibly().waitFor();
    }
}
