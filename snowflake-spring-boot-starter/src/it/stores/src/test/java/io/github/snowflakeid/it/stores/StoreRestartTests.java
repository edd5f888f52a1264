package io.github.snowflakeid.it.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.it.common.FreePort;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Restarts servers that no other test uses. */
// Slow: restarts each server and waits for clients to find it.
@Tag("full")
class StoreRestartTests {

    @Test
    void idsContinueWhileTheServersOfLeasesAreRestarted() throws Exception {
        try (RedisServer redis = new RedisServer();
                TestingServer zooKeeper = new TestingServer(FreePort.choose());
                ConfigurableApplicationContext context = StoreServers.run(List.of(
                        "--spring.data.redis.port=" + redis.port(),
                        "--shop.zookeeper=" + zooKeeper.getConnectString(),
                        "--snowflake.worker.strategy=redis",
                        "--snowflake.generators.orders.worker.strategy=zookeeper",
                        "--snowflake.worker.lease.ttl=20s",
                        StoreServers.NEW_NAMESPACE))) {
            Map<String, SnowflakeIdGenerator> generators = context.getBeansOfType(SnowflakeIdGenerator.class);
            assertThat(generators).hasSize(2);
            CompletableFuture<Instant> restarted = CompletableFuture.supplyAsync(() -> restart(redis, zooKeeper));
            long[] last = new long[generators.size()];
            boolean renewed = false;
            while (!renewed) {
                renewed = restarted.isDone();
                int i = 0;
                for (SnowflakeIdGenerator ids : generators.values()) {
                    long id = ids.nextId();
                    assertThat(id).isGreaterThan(last[i]);
                    last[i++] = id;
                    renewed = renewed && ids.lease().orElseThrow().renewedAt().isAfter(restarted.join());
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private static Instant restart(RedisServer redis, TestingServer zooKeeper) {
        try {
            redis.restart();
            zooKeeper.restart();
            return Instant.now();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
