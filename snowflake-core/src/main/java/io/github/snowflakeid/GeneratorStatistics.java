package io.github.snowflakeid;

import java.time.Duration;
import java.util.Map;

/**
 * What a generator has done since it was built, and how it stands, as {@link SnowflakeIdGenerator#statistics()} returns it. Immutable.
 *
 * <p>Except for the drift, numbers never decrease. They are read one after the other while callers get IDs.
 *
 * @param issued about how many IDs were issued, an estimate. IDs that were claimed but not issued, as when a lease or a generator ends
 *     under load, count, too; the estimate may be behind while a thread is about to issue the first ID of a tick. Generators of one
 *     process with one fixed worker ID are counted together.
 * @param waited how long callers have waited, all together: for the clock, or for a lease
 * @param refusals how often a caller got no ID, by reason; every reason is present
 * @param drift how far the last ID is ahead of the clock; zero if it is not
 * @param tickerRunning whether a thread reads the clock for all callers, because they get many IDs
 * @param acquisitions how often a worker ID was leased
 * @param renewals how often the registry has confirmed a lease after that
 * @param failures how often the registry failed, or rejected an acquisition or a renewal
 */
public record GeneratorStatistics(
        long issued,
        Duration waited,
        Map<Refusal, Long> refusals,
        Duration drift,
        boolean tickerRunning,
        long acquisitions,
        long renewals,
        long failures) {

    /** Why a caller got no id. */
    public enum Refusal {
        /**
         * IDs are farther ahead of the clock than the caller may wait: it stepped back, they are issued too fast, or the generator
         * was just opened.
         */
        CLOCK,
        /** The lease of the worker id has ended, and was not renewed or replaced while the caller waited. */
        LEASE,
        /** The timestamps of the layout have come to their end. */
        LAYOUT,
        /** The generator is closed. */
        CLOSED,
        /** {@link SnowflakeIdGenerator#tryNextId()} would have had to wait. */
        NO_WAIT
    }
}
