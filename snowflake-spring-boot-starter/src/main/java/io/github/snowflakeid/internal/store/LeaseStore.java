package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.worker.WorkerRegistry;

/**
 * A kind of store that worker IDs are leased in. The configuration of a store declares a bean of this type, which is asked for a registry
 * by each generator that leases there.
 */
public interface LeaseStore {

    /**
     * Returns the value of {@code snowflake.worker.strategy} that selects this store.
     *
     * @return the name, in lower case
     */
    String name();

    /**
     * Returns the type of the store's properties.
     *
     * @return a class with {@link org.springframework.boot.context.properties.ConfigurationProperties}, whose prefix ends with the name
     */
    Class<?> leaseProperties();

    /**
     * Returns whether there is anything to connect to. If not, the strategy fails the start, or, if it was not set, another one is used.
     *
     * @param settings of the generator
     * @return true unless a store says otherwise
     */
    default boolean canLease(LeaseSettings settings) {
        return true;
    }

    /**
     * Opens a registry for one generator. If it is {@link AutoCloseable}, it is closed after the generator.
     *
     * @param settings of the generator
     * @return a registry; the store need not be reachable yet
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if the configuration is invalid
     */
    WorkerRegistry registry(LeaseSettings settings);
}
