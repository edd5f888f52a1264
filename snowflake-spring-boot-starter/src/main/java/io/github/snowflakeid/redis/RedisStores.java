package io.github.snowflakeid.redis;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Opens the stores of leases and counters in Redis. */
record RedisStores(ObjectProvider<RedisConnectionFactory> factories)
        implements WorkerRegistryFactory, SegmentStoreFactory {

    @Override
    public WorkerRegistry registry(LeaseSettings settings) {
        RedisConnectionFactory factory = factory(settings.store(), "Worker IDs are leased");
        RedisProperties properties = settings.store().properties(RedisProperties.class);
        RedisWorkerRegistry registry =
                new RedisWorkerRegistry(factory, properties.keyPrefix(), settings.namespace(), settings.furthest());
        return properties.assumeNewNamespace() ? registry.assumingNewNamespace() : registry;
    }

    @Override
    public List<SegmentStore> stores(StoreSettings settings) {
        RedisConnectionFactory factory = factory(settings, "A counter is stored");
        return List.of(new RedisSegmentStore(
                factory, settings.properties(RedisSegmentProperties.class).keyPrefix()));
    }

    private RedisConnectionFactory factory(StoreSettings settings, String use) {
        RedisConnectionFactory factory = factories.getIfUnique();
        if (factory == null) {
            throw Problem.AMBIGUOUS_STORE.exception(
                    use
                            + " in Redis, but there is no unique RedisConnectionFactory bean: no bean is the only one or primary",
                    """
                    Set the host of Redis, so that Spring Boot creates the bean:

                    spring.data.redis.host: localhost

                    or mark the bean to use with @Primary.""");
        }
        settings.endBefore(factory, RedisConnectionFactory.class);
        return factory;
    }
}
