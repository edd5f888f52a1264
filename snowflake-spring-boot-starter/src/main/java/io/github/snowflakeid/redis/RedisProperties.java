package io.github.snowflakeid.redis;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Leases in Redis, as {@code application.yml} describes them.
 *
 * @param keyPrefix How the keys of leases begin; the namespace follows.
 * @param assumeNewNamespace Whether no process has ever leased in the namespace, so that the first one need not wait. For the first
 *     start, and for tests: with it, a Redis that has lost its data causes duplicate IDs.
 */
@ConfigurationProperties("snowflake.worker.redis")
record RedisProperties(
        @DefaultValue(RedisWorkerRegistry.DEFAULT_KEY_PREFIX)
        String keyPrefix,

        @DefaultValue("false") boolean assumeNewNamespace) {}
