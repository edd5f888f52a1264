package io.github.snowflakeid.it.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Sequential numbers from Redis. */
class RedisSegmentTests {

    /** Clients of Redis are stopped before any bean is destroyed. */
    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void continueWhereTheyEndedInOrder(String client) {
        List<String> options = StoreServers.options(
                "--spring.data.redis.client-type=" + client,
                "--snowflake.worker.id=7",
                "--snowflake.generators.invoices.type=segment",
                "--snowflake.generators.invoices.segment.store=redis",
                "--snowflake.generators.invoices.segment.name=" + client);
        try (ConfigurableApplicationContext context = StoreServers.run(options)) {
            SegmentIdGenerator invoices = context.getBean(SegmentIdGenerator.class);

            assertThat(invoices.nextIds(3)).containsExactly(1, 2, 3);
            assertThat(invoices.stores()).extracting(SegmentStore::kind).containsExactly("redis");
        }
        try (ConfigurableApplicationContext context = StoreServers.run(options)) {
            assertThat(context.getBean(SegmentIdGenerator.class).nextId()).isEqualTo(4);
        }
    }
}
