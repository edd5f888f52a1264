package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseStore;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.worker.WorkerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Leases in Redis. */
final class RedisLeaseStore implements LeaseStore {

    private final ObjectProvider<RedisConnectionFactory> factories;

    RedisLeaseStore(ObjectProvider<RedisConnectionFactory> factories) {
        this.factories = factories;
    }

    @Override
    public Class<?> properties() {
        return RedisProperties.class;
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public WorkerRegistry open(StoreSettings settings) {
        String otherwise = ", or do without a lease. " + settings.howToSetWorkerId();
        RedisConnectionFactory factory =
                RedisScripts.unique(factories.getIfUnique(), "Worker ids are leased", otherwise);
        settings.endBefore(factory, RedisConnectionFactory.class);
        RedisProperties properties = settings.properties("redis", new RedisProperties());
        try {
            RedisWorkerRegistry registry = new RedisWorkerRegistry(
                    factory, properties.getKeyPrefix(), settings.namespace(), settings.furthest());
            return properties.isAssumeNewNamespace() ? registry.ofNewNamespace() : registry;
        } catch (IllegalArgumentException invalid) {
            throw Problem.invalid(invalid, "{snowflake}.worker.lease.namespace: default");
        }
    }
}
