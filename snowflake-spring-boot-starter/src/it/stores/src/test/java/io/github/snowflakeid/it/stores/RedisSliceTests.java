package io.github.snowflakeid.it.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Closes its context early, so that it releases the worker ID while Redis still runs. */
@RedisSlice
@DirtiesContext
class RedisSliceTests {

    @Autowired
    private StringRedisTemplate redis;

    @Autowired
    private IdGenerator ids;

    @DynamicPropertySource
    static void leasing(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.port", StoreServers::redisPort);
        properties.add("snowflake.worker.strategy", () -> "redis");
        properties.add("snowflake.worker.redis.assume-new-namespace", () -> true);
        properties.add("snowflake.worker.lease.namespace", () -> "slice");
    }

    @Test
    void sliceLeasesInTheRedisThatItTests() {
        assertThat(ids.nextId()).isPositive();
        assertThat(redis.hasKey("snowflake:slice")).isTrue();
    }
}
