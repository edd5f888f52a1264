package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.SnowflakeIdGenerator;
import java.util.List;
import org.apache.commons.logging.LogFactory;

/**
 * The stores in which one generator keeps its lease or its counter. It is a bean, so that database initialization
 * happens before the stores are created.
 *
 * @param stores one {@link io.github.snowflakeid.WorkerRegistry}, or one or several
 *     {@link io.github.snowflakeid.segment.SegmentStore}s
 * @param <S> the type of the stores
 */
public record GeneratorStores<S>(List<S> stores) implements AutoCloseable {

    /**
     * Creates a holder of stores.
     *
     * @param stores the stores of one generator
     */
    public GeneratorStores {
        stores = List.copyOf(stores);
    }

    /**
     * Closes the stores that are {@link AutoCloseable}. Errors are only logged, because the application is shutting
     * down.
     */
    @Override
    public void close() {
        for (S store : stores) {
            if (store instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Exception e) {
                    LogFactory.getLog(SnowflakeIdGenerator.class)
                            .warn("Could not close a store of leases or counters", e);
                }
            }
        }
    }
}
