package io.github.snowflakeid;

import java.time.Duration;
import java.util.Map;

/**
 * The figures of a generator since it was built, as {@link SnowflakeIdGenerator#statistics()} returns them. Immutable.
 *
 * <p>Except for the drift, figures never decrease. They are read one after the other while callers get IDs, so they may differ by the
 * IDs of that moment.
 *
 * @since 0.1.0
 */
public final class GeneratorStatistics {

    private final Figures figures;

    GeneratorStatistics(Figures figures) {
        this.figures = figures;
    }

    /**
     * Returns about how many IDs were issued. This is an estimate: it also counts IDs that were claimed but not issued, for example when a
     * lease ends under load, and it may lag while a thread is about to issue the first ID of a tick. Generators of one process with the
     * same fixed worker ID are counted together.
     *
     * @return the number of IDs
     */
    public long issued() {
        return figures.issued();
    }

    /**
     * Returns how long callers have waited in total, for the clock or for a lease.
     *
     * @return the sum of all waits
     */
    public Duration waited() {
        return figures.waited();
    }

    /**
     * Returns how often a caller got no ID, by reason.
     *
     * @return an unmodifiable map that contains every reason
     */
    public Map<Refusal, Long> refusals() {
        return figures.refusals();
    }

    /**
     * Returns how far the last ID is ahead of the system clock.
     *
     * @return zero if it is not ahead
     */
    public Duration drift() {
        return figures.drift();
    }

    /**
     * Returns whether the ticker runs: a thread that reads the clock for all callers while they need many IDs.
     *
     * @return true under load
     */
    public boolean tickerRunning() {
        return figures.tickerRunning();
    }

    /**
     * Returns how often a worker ID was leased.
     *
     * @return zero for a generator without a lease
     */
    public long acquisitions() {
        return figures.acquisitions();
    }

    /**
     * Returns how often the registry confirmed the renewal of a lease.
     *
     * @return zero for a generator without a lease
     */
    public long renewals() {
        return figures.renewals();
    }

    /**
     * Returns how often the registry failed, or rejected an acquisition or a renewal.
     *
     * @return zero for a generator without a lease
     */
    public long failures() {
        return figures.failures();
    }

    @Override
    public String toString() {
        return "GeneratorStatistics"
                + figures.toString().substring(Figures.class.getSimpleName().length());
    }

    /** The figures, by the names of the accessors. */
    record Figures(
            long issued,
            Duration waited,
            Map<Refusal, Long> refusals,
            Duration drift,
            boolean tickerRunning,
            long acquisitions,
            long renewals,
            long failures) {}

    /** Why a caller got no ID. Later versions may add constants. */
    public enum Refusal {
        /**
         * IDs are farther ahead of the clock than the caller may wait: the clock stepped back, IDs are issued too fast, or the generator
         * was just opened.
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
