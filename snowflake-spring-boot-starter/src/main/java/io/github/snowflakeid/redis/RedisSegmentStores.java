package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.store.SegmentSettings;
import io.github.snowflakeid.internal.store.SegmentStoreFactory;
import io.github.snowflakeid.segment.SegmentStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Counters in Redis. */
@ImportRuntimeHints(RedisSegmentStores.Hints.class)
final class RedisSegmentStores implements SegmentStoreFactory {

    private final ObjectProvider<RedisConnectionFactory> factories;

    RedisSegmentStores(ObjectProvider<RedisConnectionFactory> factories) {
        this.factories = factories;
    }

    @Override
    public Class<?> properties() {
        return RedisSegmentProperties.class;
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public List<SegmentStore> open(SegmentSettings settings) {
        RedisConnectionFactory factory = RedisScripts.unique(factories.getIfUnique(), "A counter is kept", ".");
        settings.endBefore(factory, RedisConnectionFactory.class);
        RedisSegmentProperties properties = settings.properties("redis", new RedisSegmentProperties());
        return List.of(new RedisSegmentStore(factory, properties.getKeyPrefix()));
    }

    /** What a native image would lack. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(RedisSegmentProperties.class).registerHints(hints);
            hints.resources().registerPattern("io/github/snowflakeid/redis/*.lua");
        }
    }
}
