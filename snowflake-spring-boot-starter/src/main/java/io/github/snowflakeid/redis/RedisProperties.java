package io.github.snowflakeid.redis;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Leases in Redis, as {@code application.yml} describes them. */
@ConfigurationProperties("snowflake.worker.redis")
final class RedisProperties {

    /** How the keys of leases begin; the namespace follows. */
    private String keyPrefix = RedisWorkerRegistry.DEFAULT_KEY_PREFIX;

    /** Whether no process has ever leased in the namespace, so that the first one need not wait. For the first start, and
     * for tests: with it, a Redis that has lost what it holds makes ids twice. */
    private boolean assumeNewNamespace;

    public String getKeyPrefix() {
        return keyPrefix;
    }

    public void setKeyPrefix(String keyPrefix) {
        this.keyPrefix = keyPrefix;
    }

    public boolean isAssumeNewNamespace() {
        return assumeNewNamespace;
    }

    public void setAssumeNewNamespace(boolean assumeNewNamespace) {
        this.assumeNewNamespace = assumeNewNamespace;
    }
}
