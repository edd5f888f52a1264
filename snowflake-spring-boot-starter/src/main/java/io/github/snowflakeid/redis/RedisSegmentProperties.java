package io.github.snowflakeid.redis;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of counters in Redis.
 *
 * @param keyPrefix Prefix of the keys of counters; the name of the counter follows.
 */
@ConfigurationProperties("snowflake.segment.redis")
record RedisSegmentProperties(
        @DefaultValue(RedisSegmentStore.DEFAULT_KEY_PREFIX) String keyPrefix) {}
