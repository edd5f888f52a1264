package io.github.snowflakeid.sample;

import io.github.snowflakeid.text.PublicIds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The shop as a separate process, which can be killed without shutdown. */
final class ShopProcess implements AutoCloseable {

    private static final Pattern OPEN = Pattern.compile(".*Shop is open at (http://localhost:\\d+).*");
    private static final String KEY = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";

    /** The keys of all these processes: links remain valid after a restart, and in the other processes. */
    static final PublicIds PUBLIC_IDS = PublicIds.of(PublicIds.Key.of("a", KEY));

    private final Process process;
    private final String address;

    private ShopProcess(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /** Returns when the shop accepts requests. */
    static ShopProcess start(Path directory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                // A short lease is retried so often that the pool would never check whether a connection is alive, and
                // H2 does not report
                // it.
                "-Dcom.zaxxer.hikari.aliveBypassWindowMs=0",
                // The first connection may take more than the default on a slow machine.
                "-Dsnowflake.worker.lease.acquire-timeout=2m",
                // Any free port, unless the arguments name one.
                "-Dserver.port=0",
                "-cp",
                System.getProperty("java.class.path"),
                SampleApplication.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder shop =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        shop.environment().put("PUBLIC_ID_KEY", KEY);
        Process process = shop.start();
        BufferedReader log = process.inputReader();
        String address = addressIn(log);
        // The output must be read, because a full pipe would block the shop.
        Thread reader = new Thread(() -> skip(log), "log of " + address);
        reader.setDaemon(true);
        reader.start();
        return new ShopProcess(process, address);
    }

    private static String addressIn(BufferedReader lines) throws IOException {
        StringBuilder log = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher open = OPEN.matcher(line);
            if (open.matches()) {
                return open.group(1);
            }
            log.append(line).append('\n');
        }
        throw new AssertionError("The shop did not open:\n" + log);
    }

    private static void skip(BufferedReader log) {
        try {
            log.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String address() {
        return address;
    }

    /** Kills the process. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
