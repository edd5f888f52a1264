package io.github.snowflakeid.it;

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
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes that write one table. */
class ProcessTests {

    private static final int ROWS = 10_000;

    private final List<Process> processes = new ArrayList<>();
    private Server database;

    @BeforeEach
    void startDatabase() throws Exception {
        database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        database.stop();
    }

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        String url = "jdbc:h2:tcp://localhost:" + database.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            BufferedReader killed = start(100 * ROWS, url);
            BufferedReader other = start(ROWS, url);
            CompletableFuture<List<Long>> whole =
                    CompletableFuture.supplyAsync(() -> committed(other, Integer.MAX_VALUE));

            List<Long> committed = new ArrayList<>(committed(killed, ROWS / 4));
            // That of the process itself would close its output.
            processes.get(0).toHandle().destroyForcibly();
            committed.addAll(committed(killed, Integer.MAX_VALUE));

            assertThat(whole.get()).hasSize(ROWS);
            assertThat(processes.get(1).waitFor()).isZero();
            committed.addAll(whole.get());
            assertThat(saved(connection)).doesNotHaveDuplicates().containsAll(new HashSet<>(committed));
        }
    }

    private BufferedReader start(int rows, String url) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SellingProcess.class.getName(),
                        Integer.toString(rows),
                        "--spring.datasource.url=" + url,
                        "--spring.datasource.username=sa",
                        "--spring.sql.init.mode=always",
                        "--snowflake.worker.jdbc.initialize-schema=always")
                .redirectErrorStream(true)
                .start();
        processes.add(process);
        return process.inputReader();
    }

    /** Reads until so many rows are committed, or to the end. What was cut off has no end. */
    private static List<Long> committed(BufferedReader output, int rows) {
        List<Long> ids = new ArrayList<>();
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith("committed ") && line.endsWith(" end")) {
                    Stream.of(line.split(" "))
                            .skip(1)
                            .limit(25)
                            .map(Long::valueOf)
                            .forEach(ids::add);
                }
                if (ids.size() >= rows) {
                    return ids;
                }
            }
            return ids;
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    private static List<Long> saved(Connection connection) throws Exception {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = connection.createStatement().executeQuery("select id from purchase")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
