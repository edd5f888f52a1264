package io.github.snowflakeid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of a test, which writes its IDs to files until it is killed. */
final class Member {

    private final Path directory;
    private final Path log;
    private final Process process;
    private boolean frozen;

    /**
     * Starts the process.
     *
     * @param main the main class
     * @param arguments the arguments of the main class; the beginning of the names of its files is added as the last
     *     argument
     */
    Member(Path directory, String name, Class<?> main, String... arguments) throws IOException {
        this.directory = directory;
        log = directory.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        command.add(directory.resolve(name + ".ids").toString());
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void awaitLog(String text) throws Exception {
        while (!log().contains(text)) {
            assertThat(process.isAlive()).as(log()).isTrue();
            Thread.sleep(10);
        }
    }

    /** Waits for IDs that any process generates from now on. */
    void awaitIds() throws Exception {
        long before = IdFiles.bytes(directory);
        while (IdFiles.bytes(directory) < before + 100L * Long.BYTES) {
            assertThat(process.isAlive()).as(log()).isTrue();
            Thread.sleep(10);
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void stop() throws Exception {
        thaw();
        process.destroy();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(log()).isTrue();
    }

    void freeze() throws Exception {
        signal("-STOP");
        frozen = true;
    }

    void thaw() throws Exception {
        signal("-CONT");
        frozen = false;
    }

    void freezeOrThaw() throws Exception {
        if (frozen) {
            thaw();
        } else {
            freeze();
        }
    }

    private void signal(String signal) throws Exception {
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    }

    /** A process that could not start because the server was down has ended. */
    void say(long number) {
        try {
            process.getOutputStream().write((number + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            assertThat(process.isAlive()).isFalse();
        }
    }

    String log() throws IOException {
        return Files.readString(log);
    }
}
