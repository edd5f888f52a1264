package io.github.snowflakeid.redis;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases in Redis.
 *
 * @param keyPrefix Prefix of the keys of leases; the namespace follows.
 * @param assumeNewNamespace Whether no process has ever leased in the namespace, so that the first one need not wait.
 *     Only for the first start and for tests: causes duplicate IDs if Redis has lost its data.
 */
@ConfigurationProperties("snowflake.worker.redis")
record RedisProperties(
        @DefaultValue(RedisWorkerRegistry.DEFAULT_KEY_PREFIX)
        String keyPrefix,

        @DefaultValue("false") boolean assumeNewNamespace) {}
