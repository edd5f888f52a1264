package io.github.snowflakeid.internal.store;

/** A kind of store that properties select by name. The auto-configuration of the store declares a bean. */
public interface NamedStore {

    /**
     * Returns the value of {@code snowflake.worker.strategy} or {@code snowflake.segment.store} that selects this store.
     *
     * @return the name, in lower case
     */
    String name();
}
