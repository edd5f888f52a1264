package io.github.snowflakeid.it.named;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Processes of one application with three generators follow each other on one database. {@code -Drolling.processes} sets their number; the
 * default is three.
 */
// Slow: starts one process after the other.
@Tag("full")
@Tag("processes")
class RollingRestartTests {

    private static final int PROCESSES = Integer.getInteger("rolling.processes", 3);
    private static final int AT_ONCE = 2;

    @Test
    void noColumnHasAnIdTwiceAndEveryIdIsOfItsGenerator() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url =
                "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:rolling;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
        Deque<ShopProcess> running = new ArrayDeque<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                running.add(new ShopProcess(url));
                if (running.size() > AT_ONCE) {
                    // One in three is killed, so its worker IDs are not released.
                    running.remove().end(i % 3 == 2);
                }
            }
            while (!running.isEmpty()) {
                running.remove().end(false);
            }
            check(url);
        } finally {
            running.forEach(shop -> shop.process.destroyForcibly());
            server.stop();
        }
    }

    private static void check(String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(url);
        source.setUser("sa");
        JdbcTemplate database = new JdbcTemplate(source);
        assertIdsOf(database, "select id from customers", IdLayout.DEFAULT);
        assertIdsOf(database, "select id from orders", NamedGeneratorsTests.ORDERS);
        assertIdsOf(database, "select ticket from orders", IdLayout.JAVASCRIPT_SAFE);
        assertThat(database.queryForList("select distinct namespace from snowflake_worker order by 1", String.class))
                .containsExactly("default", "orders", "tickets");
    }

    private static void assertIdsOf(JdbcTemplate database, String query, IdLayout layout) {
        List<Long> ids = database.queryForList(query, Long.class);
        assertThat(ids).hasSizeGreaterThanOrEqualTo(10 * PROCESSES).doesNotHaveDuplicates();
        List<Integer> workers = ids.stream()
                .map(layout::decode)
                .map(IdFields::workerId)
                .distinct()
                .sorted()
                .collect(Collectors.toList());
        assertThat(workers).as("worker ids of processes that run side by side").hasSizeBetween(AT_ONCE, PROCESSES);
        assertThat(ids)
                .allSatisfy(id -> assertThat(layout.decode(id).timestamp())
                        .isBetween(
                                Instant.now().minusSeconds(600), Instant.now().plusSeconds(5)));
    }

    /** A process that saves rows. */
    private static final class ShopProcess {

        private final Process process;
        private final BufferedReader output;
        private final List<String> lines = new ArrayList<>();

        ShopProcess(String url) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of(
                    "-XX:TieredStopAtLevel=1",
                    "-Dspring.devtools.restart.enabled=false",
                    "-cp",
                    System.getProperty("java.class.path"),
                    NamedShop.class.getName()));
            command.addAll(Arrays.asList(NamedShop.leasing(url)));
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            readTo("saves");
        }

        private void readTo(String wanted) throws IOException {
            String line;
            do {
                line = output.readLine();
                lines.add(line);
                assertThat(line).as("output %s", lines).isNotNull();
            } while (!line.equals(wanted));
        }

        void end(boolean killed) throws Exception {
            if (killed) {
                process.destroyForcibly().waitFor();
                return;
            }
            try (OutputStream input = process.getOutputStream()) {
                input.write('\n');
            }
            readTo("stopped");
            assertThat(process.waitFor()).as("output %s", lines).isZero();
            assertThat(lines).noneMatch(line -> line.contains("WARN ") && line.contains("SnowflakeIdGenerator"));
        }
    }
}
