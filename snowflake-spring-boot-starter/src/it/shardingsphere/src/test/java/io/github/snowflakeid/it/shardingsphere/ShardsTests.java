package io.github.snowflakeid.it.shardingsphere;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
class ShardsTests {

    @Autowired
    private ShardedOrders orders;

    @Test
    void aRowWithoutAnIdGetsOneOfTheApplicationsGenerator(@Autowired SnowflakeIdGenerator ids) {
        long before = ids.nextId();
        long id = orders.add("orders", "Ada");
        long after = ids.nextId();

        assertThat(id).isBetween(before + 1, after - 1);
        assertThat(orders.ids("orders")).contains(id);
    }

    @Test
    void anotherGeneratorIsChosenByItsName(@Autowired @Qualifier("tickets") SnowflakeIdGenerator tickets) {
        long before = tickets.nextId();

        assertThat(orders.add("tickets", "Ada")).isBetween(before + 1, tickets.nextId() - 1);
    }

    @Test
    void idsSpreadOverTheShardsAlsoAtALowRate() throws Exception {
        long even = inShard(0, "orders");
        long odd = inShard(1, "orders");
        for (int i = 0; i < 100; i++) {
            Instant made = IdLayout.DEFAULT.decode(orders.add("orders", "Ada")).timestamp();
            while (!Instant.now().isAfter(made.plusMillis(1))) {
                Thread.onSpinWait();
            }
        }
        assertThat(inShard(0, "orders") - even).isBetween(40L, 60L);
        assertThat(inShard(1, "orders") - odd).isBetween(40L, 60L);
    }

    // Slow: inserts 10,000 rows.
    @Tag("full")
    @Test
    void noIdOccursTwiceIfManyThreadsInsertSeveralRowsAtOnce() throws Exception {
        int before = orders.ids("orders").size();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(threads.submit(() -> {
                for (int k = 0; k < 250; k++) {
                    orders.addFive("Ada");
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();

        assertThat(orders.ids("orders")).hasSize(before + 10_000).doesNotHaveDuplicates();
    }

    private static long inShard(int shard, String table) throws Exception {
        return select("jdbc:h2:mem:shop_" + shard, "SELECT COUNT(*) FROM " + table + "_" + shard);
    }

    private static long select(String url, String count) throws Exception {
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(count)) {
            result.next();
            return result.getLong(1);
        }
    }
}
