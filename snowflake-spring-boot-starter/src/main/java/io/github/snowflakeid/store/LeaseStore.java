package io.github.snowflakeid.store;

import io.github.snowflakeid.worker.WorkerRegistry;

/**
 * A kind of store that worker ids are leased in. The auto-configuration of a store declares one as a bean, whose name is {@link
 * #BEAN} followed by the value of {@code snowflake.worker.strategy} that asks for it. It is asked for a registry by each
 * generator that leases there, and by no other.
 */
@FunctionalInterface
public interface LeaseStore {

    /** How the names of these beans begin. */
    String BEAN = "snowflake.store.";

    /**
     * Opens a registry for one generator. Where it is {@link AutoCloseable}, it is closed after the generator.
     *
     * @param settings of the generator
     * @return a registry; the store need not be reachable yet
     * @throws StoreException if the configuration is in the way
     */
    WorkerRegistry open(StoreSettings settings);
}
