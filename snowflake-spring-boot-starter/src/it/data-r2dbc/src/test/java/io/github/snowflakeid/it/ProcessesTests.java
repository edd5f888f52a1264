package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ProcessesTests {

    private static final int TICKETS = 10_000;

    @Test
    void noRowIsLostOrThereTwiceWhenAProcessIsKilled() throws Exception {
        Set<Long> saved = new HashSet<>();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            Shops killed = new Shops(postgres.getPort());
            assertThat(killed.readIds(1, saved)).as(killed.others.toString()).isOne();
            // The tables are there now.
            Shops other = new Shops(postgres.getPort());
            int ofOther = other.readIds(TICKETS / 4, saved);
            killed.readIds(TICKETS / 4, saved);
            // Not by Process, which would close the output.
            killed.process.toHandle().destroyForcibly();
            killed.readIds(TICKETS, saved);

            assertThat(ofOther + other.readIds(TICKETS, saved))
                    .as(other.others.toString())
                    .isEqualTo(TICKETS);
            assertThat(other.process.waitFor()).isZero();
            List<Long> rows = rows(postgres.getPostgresDatabase());
            assertThat(new HashSet<>(rows)).hasSameSizeAs(rows).containsAll(saved);
        }
    }

    private static List<Long> rows(DataSource source) throws SQLException {
        List<Long> rows = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet ids = statement.executeQuery("select id from ticket")) {
            while (ids.next()) {
                rows.add(ids.getLong(1));
            }
        }
        return rows;
    }

    /** A process that saves tickets. */
    private static final class Shops {

        private final Process process;
        private final BufferedReader output;
        private final List<String> others = new ArrayList<>();

        Shops(int port) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Shop.class.getName(),
                            "--tickets=" + TICKETS,
                            "--spring.r2dbc.url=r2dbc:postgresql://localhost:" + port + "/postgres",
                            "--snowflake.worker.jdbc.url=jdbc:postgresql://localhost:" + port + "/postgres",
                            "--snowflake.worker.jdbc.username=postgres",
                            "--spring.r2dbc.username=postgres",
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
