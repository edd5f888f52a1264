package io.github.snowflakeid;

import java.time.Duration;
import java.util.Map;

/**
 * The statistics of a generator since it was built, as {@link SnowflakeIdGenerator#statistics()} returns them.
 * Immutable.
 *
 * <p>All counters and the waiting time only increase. They are read one after the other while callers get IDs, so they
 * may be inconsistent by the few IDs that are issued at that moment.
 *
 * @since 1.0
 */
public sealed interface GeneratorStatistics permits StatisticsValues {

    /**
     * Returns an estimate of how many IDs were issued. It includes IDs that were claimed but not issued, for example
     * when a lease expires under load, and it may lag while a thread is about to issue the first ID of a tick.
     * Generators in the same process that share an assigned worker ID are counted together.
     *
     * @return the number of IDs
     */
    long issued();

    /**
     * Returns how long callers have waited in total, for the clock or for a lease.
     *
     * @return the sum of all waits
     */
    Duration waited();

    /**
     * Returns how often callers got no ID, by reason.
     *
     * @return an unmodifiable map that contains every reason
     */
    Map<Refusal, Long> refusals();

    /**
     * Returns how far the tick of the last ID is ahead of the clock.
     *
     * @return the drift; zero if the last ID is not ahead
     */
    Duration drift();

    /**
     * Returns whether the ticker runs: a thread that reads the clock for all callers under load.
     *
     * @return true under load
     */
    boolean tickerRunning();

    /**
     * Returns how often the generator acquired a lease on a worker ID.
     *
     * @return the number of leases; zero for a generator without a lease
     */
    long acquisitions();

    /**
     * Returns how often the registry confirmed the renewal of a lease.
     *
     * @return the number of renewals; zero for a generator without a lease
     */
    long renewals();

    /**
     * Returns how often an acquisition or a renewal failed: the registry was unavailable or rejected it.
     *
     * @return the number of failures; zero for a generator without a lease
     */
    long failures();

    /** Why a caller got no ID. Later versions may add constants. */
    enum Refusal {
        /**
         * The next ID is farther ahead of the clock than the caller may wait: the clock stepped back, IDs are issued
         * too fast, or the generator was just opened.
         */
        CLOCK,
        /** The lease of the worker ID expired, and was neither renewed nor replaced while the caller waited. */
        LEASE,
        /** The timestamps of the layout are exhausted. */
        LAYOUT,
        /** The generator is closed. */
        CLOSED,
        /** {@link SnowflakeIdGenerator#tryNextId()} would have had to wait. */
        NO_WAIT
    }
}
