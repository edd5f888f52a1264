package io.github.snowflakeid.redis;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Counters in Redis, as {@code application.yml} describes them. */
@ConfigurationProperties("snowflake.segment.redis")
final class RedisSegmentProperties {

    /** How the keys of counters begin; the name of the counter follows. */
    private String keyPrefix = RedisSegmentStore.DEFAULT_KEY_PREFIX;

    public String getKeyPrefix() {
        return keyPrefix;
    }

    public void setKeyPrefix(String keyPrefix) {
        this.keyPrefix = keyPrefix;
    }
}
