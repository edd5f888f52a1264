package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.IdLayout;
import java.time.Duration;
import java.util.OptionalInt;

/** What a {@link LeaseStore} has to know of a generator. */
public interface StoreSettings {

    /**
     * The name under which processes share worker ids.
     *
     * @return {@code snowflake.worker.lease.namespace}
     */
    String namespace();

    /**
     * The layout of the ids.
     *
     * @return the layout
     */
    IdLayout layout();

    /**
     * The only datacenter id that worker ids are leased of.
     *
     * @return {@code snowflake.datacenter.id}, or empty
     */
    OptionalInt datacenterId();

    /**
     * How long a lease lasts without renewal.
     *
     * @return {@code snowflake.worker.lease.ttl}
     */
    Duration ttl();

    /**
     * How far ahead of the store's clock time may be reserved that ids are made of: by a ttl, by a clock that is ahead as far as
     * it may be, by ids that are ahead of that clock, and by the rest of a tick.
     *
     * @return the sum of these
     */
    Duration furthest();

    /**
     * How long a call to the store may take, so that another one can follow before a lease ends.
     *
     * @return less than a third of the ttl
     */
    Duration longestAnswer();

    /**
     * What to do for whoever cannot lease.
     *
     * @return advice, with lines that can be pasted
     */
    String howToSetWorkerId();

    /**
     * The properties of the store: those of this generator, else those of the unnamed one.
     *
     * @param group as in {@code snowflake.worker.<group>}
     * @param defaults an object with setters, which has the defaults
     * @param <T> its type
     * @return the same object, bound
     */
    <T> T properties(String group, T defaults);

    /**
     * Lets the generator give its worker id back before a bean is destroyed that the registry needs for that.
     *
     * @param bean the bean
     * @param type a type of it
     * @param <T> that type
     */
    <T> void endBefore(T bean, Class<T> type);
}
