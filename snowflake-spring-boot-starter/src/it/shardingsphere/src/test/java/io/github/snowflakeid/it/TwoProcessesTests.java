package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class TwoProcessesTests {

    @TempDir
    private Path directory;

    @Test
    void noCommittedRowIsLostOrThereTwiceWhereOneOfTwoProcessesIsKilled() throws Exception {
        try (Connection shop0 = DriverManager.getConnection(url("shop_0"), "sa", "");
                Connection shop1 = DriverManager.getConnection(url("shop_1"), "sa", "")) {
            List<Long> ids = new ArrayList<>();
            Process killed = start("killed", 1_000_000);
            BufferedReader ofKilled = killed.inputReader();
            readIds(ofKilled, 100, ids);
            Process other = start("other", 400);
            BufferedReader ofOther = other.inputReader();
            readIds(ofOther, 100, ids);
            // By its handle, which leaves what it has written to be read.
            killed.toHandle().destroyForcibly();
            readIds(ofKilled, Integer.MAX_VALUE, ids);
            readIds(ofOther, Integer.MAX_VALUE, ids);
            assertThat(other.waitFor()).isZero();

            Set<Long> rows = new HashSet<>(rows(shop0, "orders_0"));
            assertThat(rows).allMatch(id -> id % 2 == 0);
            assertThat(rows(shop1, "orders_1")).allMatch(id -> id % 2 == 1);
            rows.addAll(rows(shop1, "orders_1"));
            assertThat(ids).hasSizeGreaterThanOrEqualTo(500).doesNotHaveDuplicates();
            assertThat(rows).containsAll(ids);
            Set<Long> workers = new HashSet<>();
            rows.forEach(id -> workers.add(id >> 12 & 1023));
            assertThat(workers).hasSize(2);
        }
    }

    private static void readIds(BufferedReader out, int most, List<Long> ids) throws Exception {
        String line;
        for (int i = 0; i < most && (line = out.readLine()) != null; ) {
            if (line.startsWith("id ")) {
                ids.add(Long.valueOf(line.substring(3)));
                i++;
            }
        }
    }

    private static List<Long> rows(Connection shard, String table) throws Exception {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = shard.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM " + table)) {
            while (row.next()) {
                ids.add(row.getLong(1));
            }
        }
        return ids;
    }

    private String url(String database) {
        return "jdbc:h2:file:" + directory.resolve(database) + ";AUTO_SERVER=TRUE";
    }

    private Process start(String name, int rows) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dshop.0=" + url("shop_0"),
                        "-Dshop.1=" + url("shop_1"),
                        Inserting.class.getName(),
                        "--inserting.rows=" + rows,
                        "--spring.application.name=" + name,
                        "--snowflake.worker.jdbc.url=" + url("leases"),
                        "--snowflake.worker.jdbc.initialize-schema=always")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static final class Inserting {

        public static void main(String[] args) {
            try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
                Orders orders = context.getBean(Orders.class);
                int rows = context.getEnvironment().getRequiredProperty("inserting.rows", Integer.class);
                for (int i = 0; i < rows; i++) {
                    System.out.println("id " + orders.add("orders", "Ada"));
                }
            }
        }
    }
}
