package io.github.snowflakeid.it.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.h2.tools.Server;

/**
 * Runs two processes of {@link ConcurrentInserts} on one table and kills one of them. Checks that no committed row is lost and that
 * no ID is in the table twice.
 */
public final class KilledProcessCheck {

    private static final int ROWS = Integer.getInteger("rows", 2_000);

    private final List<Process> processes = new ArrayList<>();
    private final Class<?> main;
    private final List<String> options;

    private KilledProcessCheck(Class<?> main, List<String> options) {
        this.main = main;
        this.options = options;
    }

    /**
     * Runs the check on an H2 server.
     *
     * @param main the main class, which calls {@link ConcurrentInserts}
     * @param query selects the IDs of all rows
     */
    public static void run(Class<?> main, String query) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            run(main, List.of("--spring.datasource.url=" + url, "--spring.datasource.username=sa"), connection, query);
        } finally {
            server.stop();
        }
    }

    /**
     * Runs the check on the given database.
     *
     * @param options the arguments of both processes
     */
    public static void run(Class<?> main, List<String> options, Connection connection, String query) throws Exception {
        run(main, options, () -> ids(connection, query));
    }

    /**
     * Runs the check on databases of any kind.
     *
     * @param options the arguments of both processes
     * @param ids reads the IDs of all rows
     */
    public static void run(Class<?> main, List<String> options, Callable<List<Long>> ids) throws Exception {
        KilledProcessCheck processes = new KilledProcessCheck(main, options);
        try {
            processes.check(ids);
        } finally {
            processes.processes.forEach(Process::destroyForcibly);
        }
    }

    private void check(Callable<List<Long>> ids) throws Exception {
        List<String> output = new ArrayList<>();
        BufferedReader killed = start(100 * ROWS);
        List<Long> committed = new ArrayList<>(committed(killed, 1, output));
        assertThat(committed).as(() -> String.join("\n", output)).isNotEmpty();
        BufferedReader other = start(ROWS);
        CompletableFuture<List<Long>> whole =
                CompletableFuture.supplyAsync(() -> committed(other, Integer.MAX_VALUE, output));
        committed.addAll(committed(killed, ROWS / 4, new ArrayList<>()));
        // Process.destroyForcibly would also close the output that is still to be read.
        processes.get(0).toHandle().destroyForcibly();
        committed.addAll(committed(killed, Integer.MAX_VALUE, new ArrayList<>()));

        assertThat(whole.get()).as(() -> String.join("\n", output)).hasSize(ROWS);
        assertThat(processes.get(1).waitFor()).isZero();
        committed.addAll(whole.get());
        assertThat(ids.call()).doesNotHaveDuplicates().containsAll(new HashSet<>(committed));
    }

    private BufferedReader start(int rows) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                Integer.toString(rows),
                "--spring.sql.init.mode=always",
                "--snowflake.worker.jdbc.initialize-schema=always"));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        processes.add(process);
        return process.inputReader();
    }

    /**
     * Reads until so many rows are committed, or to the end of the output. Skips the last line if the kill cut it off before its
     * " end".
     */
    private static List<Long> committed(BufferedReader output, int rows, List<String> others) {
        List<Long> ids = new ArrayList<>();
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith("committed ") && line.endsWith(" end")) {
                    Stream.of(line.split(" "))
                            .skip(1)
                            .limit(ConcurrentInserts.BATCH)
                            .map(Long::valueOf)
                            .forEach(ids::add);
                } else {
                    others.add(line);
                }
                if (ids.size() >= rows) {
                    return ids;
                }
            }
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Long> ids(Connection connection, String query) throws Exception {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = connection.createStatement().executeQuery(query)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
