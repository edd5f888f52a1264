package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.WorkerRegistry;

/**
 * A kind of store in which worker IDs are leased. The auto-configuration of a store declares a bean of this type, with
 * the name {@code snowflake.store.} and the name of the store. Each generator that leases its worker ID in such a store
 * asks the bean for a registry.
 */
public interface WorkerRegistryFactory {

    /**
     * Returns whether there is a store to connect to. If not, startup fails if this strategy is configured; if no
     * strategy is configured, another one is used.
     *
     * @param settings the settings of the generator
     * @return true unless overridden
     */
    default boolean canLease(StoreSettings settings) {
        return true;
    }

    /**
     * Opens a registry for one generator. If it is {@link AutoCloseable}, it is closed after the generator.
     *
     * @param settings the settings of the generator
     * @return a registry; the store need not be reachable yet
     * @throws io.github.snowflakeid.failure.ConfigurationException if the configuration is invalid
     */
    WorkerRegistry registry(LeaseSettings settings);
}
