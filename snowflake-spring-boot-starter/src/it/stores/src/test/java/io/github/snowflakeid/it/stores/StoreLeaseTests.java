package io.github.snowflakeid.it.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import java.util.List;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

@ExtendWith(OutputCaptureExtension.class)
class StoreLeaseTests {

    private enum Lease {
        REDIS("redis", LettuceConnectionFactory.class),
        REDIS_BY_JEDIS("redis", JedisConnectionFactory.class, "--spring.data.redis.client-type=jedis"),
        ZOOKEEPER("zookeeper", CuratorFramework.class),
        ZOOKEEPER_BY_A_CLIENT_OF_ITS_OWN(
                "zookeeper", CuratorFramework.class, "--snowflake.worker.zookeeper.connect-string=${shop.zookeeper}"),
        DIRECTORY(
                "file",
                IdGenerator.class,
                "--snowflake.worker.file.directory=${shop.directory}",
                "--snowflake.worker.file.verify-file-system=false",
                "--snowflake.datacenter.id=3");

        private final String strategy;

        /** A bean that the lease needs. */
        private final Class<?> client;

        private final String[] options;

        Lease(String strategy, Class<?> client, String... options) {
            this.strategy = strategy;
            this.client = client;
            this.options = options;
        }
    }

    /** Clients of Redis are stopped before any bean is destroyed. */
    @ParameterizedTest
    @EnumSource
    void lastsFromTheStartUntilTheLastBeanIsDestroyed(Lease lease, CapturedOutput output) throws Exception {
        String namespace = lease.name();
        List<String> options = StoreServers.options(lease.options);
        options.addAll(List.of(
                StoreServers.NEW_NAMESPACE,
                "--snowflake.worker.strategy=" + lease.strategy,
                "--snowflake.worker.lease.namespace=" + namespace));
        long first;
        LastOrder lastOrder;
        try (ConfigurableApplicationContext context = StoreServers.run(options)) {
            SnowflakeIdGenerator ids = context.getBean(SnowflakeIdGenerator.class);
            first = ids.nextId();
            lastOrder = context.getBean(LastOrder.class);

            assertThat(context.getBean(lease.client)).isNotNull();
            assertThat(ids.workerId().origin()).isEqualTo("leased, namespace '%s'".formatted(namespace));
            assertThat(StoreServers.owners(lease.strategy, namespace))
                    .hasSize(1)
                    .doesNotContainNull();
        }

        assertThat(lastOrder.id()).isGreaterThan(first);
        assertThat(StoreServers.owners(lease.strategy, namespace)).containsExactly((String) null);
        assertThat(output)
                .contains("(leased, namespace '%s')".formatted(namespace))
                .contains("ended: released");
    }

    @Test
    void eachGeneratorHasItInAStoreOfItsOwn() throws Exception {
        Map<String, String> strategies =
                Map.of("each", "redis", "orders", "zookeeper", "invoices", "jdbc", "tickets", "file");
        try (ConfigurableApplicationContext context = StoreServers.run(StoreServers.options(
                "--spring.profiles.active=each",
                "--snowflake.worker.lease.namespace=each",
                StoreServers.NEW_NAMESPACE))) {
            assertThat(context.getBeansOfType(SnowflakeIdGenerator.class).values())
                    .extracting(ids -> ids.workerId().origin())
                    .containsExactlyInAnyOrder(
                            "leased, namespace 'each'",
                            "leased, namespace 'orders'",
                            "leased, namespace 'invoices'",
                            "leased, namespace 'tickets'");
            for (Map.Entry<String, String> lease : strategies.entrySet()) {
                assertThat(StoreServers.owners(lease.getValue(), lease.getKey()))
                        .as(lease.getKey())
                        .hasSize(1)
                        .doesNotContainNull();
            }
        }

        for (Map.Entry<String, String> lease : strategies.entrySet()) {
            assertThat(StoreServers.owners(lease.getValue(), lease.getKey()))
                    .as(lease.getKey())
                    .containsExactly((String) null);
        }
    }
}
