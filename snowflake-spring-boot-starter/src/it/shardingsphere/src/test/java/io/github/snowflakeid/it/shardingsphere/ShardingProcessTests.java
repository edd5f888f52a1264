package io.github.snowflakeid.it.shardingsphere;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// Slow: starts two processes and kills one of them.
@Tag("full")
@Tag("processes")
class ShardingProcessTests {

    @TempDir
    private Path directory;

    /**
     * ShardingSphere does not accept the URL of an H2 server whose port has five digits, so the first connection to each file serves the
     * others.
     */
    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        try (Connection even = DriverManager.getConnection(url("shop_0"), "sa", "");
                Connection odd = DriverManager.getConnection(url("shop_1"), "sa", "");
                Connection leases = DriverManager.getConnection(url("leases"), "sa", "")) {
            assertThat(leases.isValid(1)).isTrue();
            KilledProcessCheck.run(
                    InsertingProcess.class,
                    List.of(
                            "--shop.0=" + url("shop_0"),
                            "--shop.1=" + url("shop_1"),
                            "--snowflake.worker.jdbc.url=" + url("leases")),
                    () -> {
                        List<Long> rows = new ArrayList<>(KilledProcessCheck.ids(even, "select id from orders_0"));
                        assertThat(rows).allMatch(id -> id % 2 == 0);
                        rows.addAll(KilledProcessCheck.ids(odd, "select id from orders_1"));
                        assertThat(rows.stream().map(id -> id >> 12 & 1023).distinct())
                                .hasSize(2);
                        return rows;
                    });
        }
    }

    private String url(String database) {
        return "jdbc:h2:file:" + directory.resolve(database) + ";AUTO_SERVER=TRUE";
    }

    static final class InsertingProcess {

        public static void main(String[] args) throws Exception {
            for (String arg : args) {
                if (arg.startsWith("--shop.")) {
                    // ShardingSphere does not know Spring's arguments.
                    System.setProperty(arg.substring(2, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
                }
            }
            ConcurrentInserts.save(ShardingShop.class, args, context -> {
                ShardedOrders orders = context.getBean(ShardedOrders.class);
                return count -> IntStream.range(0, count)
                        .mapToObj(row -> orders.add("orders", "Ada"))
                        .collect(Collectors.toList());
            });
        }
    }
}
