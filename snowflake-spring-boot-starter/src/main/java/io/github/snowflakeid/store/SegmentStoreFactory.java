package io.github.snowflakeid.store;

import io.github.snowflakeid.segment.SegmentStore;
import java.util.List;

/**
 * A kind of store that numbers are taken from in segments. One is a bean where a generator of kind {@code segment} is configured;
 * its name is {@link #BEAN} followed by the value of {@code snowflake.segment.store} that asks for it.
 */
@FunctionalInterface
public interface SegmentStores {

    /** How the names of these beans begin. */
    String BEAN = "snowflake.segmentStores.";

    /** How the names of the beans end that hold the stores of one generator. */
    String OF_GENERATOR = ".segmentStores";

    /**
     * Opens the stores of one generator. Those that are {@link AutoCloseable} are closed after the generator.
     *
     * @param settings of the generator
     * @return one store, or several that share the numbers, in an order that is the same in all processes; none need be reachable
     *     yet
     * @throws StoreException if the configuration is in the way
     */
    List<SegmentStore> open(SegmentSettings settings);
}
