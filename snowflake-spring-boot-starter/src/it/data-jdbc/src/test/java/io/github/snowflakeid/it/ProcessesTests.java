package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;

@Timeout(120)
class ProcessesTests {

    private static final int TICKETS = 10_000;

    @Test
    void noRowIsLostOrThereTwiceWhenAProcessIsKilled() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1";
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(url);
        source.setUser("sa");
        Set<Long> saved = new HashSet<>();
        try {
            Shops killed = new Shops(url);
            Shops other = new Shops(url);
            assertThat(killed.readIds(TICKETS / 4, saved))
                    .as(killed.others.toString())
                    .isEqualTo(TICKETS / 4);
            // Not by Process, which would close the output.
            killed.process.toHandle().destroyForcibly();
            killed.readIds(TICKETS, saved);

            assertThat(other.readIds(TICKETS, saved))
                    .as(other.others.toString())
                    .isEqualTo(TICKETS);
            assertThat(other.process.waitFor()).isZero();
            List<Long> rows = new JdbcTemplate(source).queryForList("select id from ticket", Long.class);
            assertThat(new HashSet<>(rows)).hasSameSizeAs(rows).containsAll(saved);
        } finally {
            server.stop();
        }
    }

    /** A process that saves tickets. */
    private static final class Shops {

        private final Process process;
        private final BufferedReader output;
        private final List<String> others = new ArrayList<>();

        Shops(String url) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Shop.class.getName(),
                            "--tickets=" + TICKETS,
                            "--spring.datasource.url=" + url,
                            "--spring.datasource.username=sa",
                            "--snowflake.worker.jdbc.initialize-schema=always")
                    .redirectErrorStream(true)
                    .start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** @return how many were read */
        int readIds(int most, Set<Long> saved) throws IOException {
            int read = 0;
            String line;
            while (read < most && (line = output.readLine()) != null) {
                if (line.matches("saved \\d+")) {
                    assertThat(saved.add(Long.valueOf(line.substring("saved ".length()))))
                            .as(line)
                            .isTrue();
                    read++;
                } else {
                    others.add(line);
                }
            }
            return read;
        }
    }
}
