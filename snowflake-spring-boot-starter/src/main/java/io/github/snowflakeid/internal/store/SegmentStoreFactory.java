package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.segment.SegmentStore;
import java.util.List;

/**
 * A kind of store that sequential numbers are taken from in segments. The configuration of a store declares a bean of this type, which is
 * asked for stores by each generator that keeps its counter there.
 */
public interface SegmentStoreFactory {

    /**
     * Returns the value of {@code snowflake.segment.store} that selects this kind of store.
     *
     * @return the name, in lower case
     */
    String name();

    /**
     * Returns the type of the store's properties.
     *
     * @return a class with {@link org.springframework.boot.context.properties.ConfigurationProperties}, whose prefix ends with the name
     */
    Class<?> segmentProperties();

    /**
     * Returns whether there is anything to connect to. If not, and no store was named, startup fails.
     *
     * @param settings of the generator
     * @return true unless a store says otherwise
     */
    default boolean canCount(StoreSettings settings) {
        return true;
    }

    /**
     * Opens the stores of one generator. Those that are {@link AutoCloseable} are closed after the generator.
     *
     * @param settings of the generator
     * @return one store, or several that share the numbers, in an order that is the same in all processes; none need be reachable
     *     yet
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if the configuration is invalid
     */
    List<SegmentStore> stores(StoreSettings settings);
}
