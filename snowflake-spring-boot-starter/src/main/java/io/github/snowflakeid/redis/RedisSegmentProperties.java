package io.github.snowflakeid.redis;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Counters in Redis, as {@code application.yml} describes them.
 *
 * @param keyPrefix How the keys of counters begin; the name of the counter follows.
 */
@ConfigurationProperties("snowflake.segment.redis")
record RedisSegmentProperties(
        @DefaultValue(RedisSegmentStore.DEFAULT_KEY_PREFIX) String keyPrefix) {}
