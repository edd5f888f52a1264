package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.segment.SegmentStore;
import java.util.List;

/**
 * A kind of store in which the counters of sequential numbers are kept. The auto-configuration of a store declares a
 * bean of this type, with the name {@code snowflake.store.} and the name of the store. Each generator that keeps its
 * counter in such a store asks the bean for its stores.
 */
public interface SegmentStoreFactory {

    /**
     * Returns whether there is a store to connect to. If not, and no store was named, startup fails.
     *
     * @param settings the settings of the generator
     * @return true unless overridden
     */
    default boolean canCount(StoreSettings settings) {
        return true;
    }

    /**
     * Opens the stores of one generator. Stores that are {@link AutoCloseable} are closed after the generator.
     *
     * @param settings the settings of the generator
     * @return one store, or several that share the numbers, in the same order in all processes; the stores need not be
     *     reachable yet
     * @throws io.github.snowflakeid.failure.ConfigurationException if the configuration is invalid
     */
    List<SegmentStore> stores(StoreSettings settings);
}
