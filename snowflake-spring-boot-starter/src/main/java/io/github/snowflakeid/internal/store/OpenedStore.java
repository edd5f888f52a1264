package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.SnowflakeIdGenerator;
import java.util.List;
import org.apache.commons.logging.LogFactory;

/**
 * What one generator keeps its lease or its counter in. It is a bean, so that databases are initialized before it is created.
 *
 * @param stores one {@link io.github.snowflakeid.worker.WorkerRegistry}, or one or several {@link
 *     io.github.snowflakeid.segment.SegmentStore}s
 * @param <S> their type
 */
public record OpenedStore<S>(List<S> stores) implements AutoCloseable {

    /**
     * Holds stores.
     *
     * @param stores of one generator
     */
    public OpenedStore {
        stores = List.copyOf(stores);
    }

    /** Closes the stores that can be closed. An error is logged: the application is shutting down. */
    @Override
    public void close() {
        for (S store : stores) {
            if (store instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Exception e) {
                    LogFactory.getLog(SnowflakeIdGenerator.class)
                            .warn("A store of leases or counters was not closed", e);
                }
            }
        }
    }
}
