package io.github.snowflakeid;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a generator has done since it was made, and how it stands, as {@link SnowflakeIdGenerator#statistics()} says. Immutable.
 *
 * <p>Numbers never fall, but for the drift. They are read one after the other while others make ids.
 *
 * @param issued ids made with the worker ids of this generator while it had them. Generators of one process that share a worker
 *     id are counted together: each shows what all of them made since it joined. Ids are counted by what was claimed; where a
 *     lease or a generator ends under load, a few may be counted that were claimed at that moment, but not issued. The number may
 *     be behind while a thread is held up that is about to make the first id of a tick.
 * @param waited how long callers have waited, all together: for the clock, or for a lease
 * @param refusals how often a caller got no id, by reason; every reason is there
 * @param drift how far the last id is ahead of the clock; zero if it is not
 * @param tickerRunning whether a thread looks at the clock for the callers, since they make many ids
 * @param acquisitions how often a worker id was leased
 * @param renewals how often a lease was confirmed by the registry after that
 * @param failures how often the registry failed or refused when a lease was to be acquired or renewed
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

    /**
     * Makes statistics.
     *
     * @param issued the number of ids
     * @param waited how long callers have waited
     * @param refusals how often a caller got no id; reasons that are missing count as zero
     * @param drift how far the last id is ahead of the clock
     * @param tickerRunning whether a thread looks at the clock for the callers
     * @param acquisitions how often a worker id was leased
     * @param renewals how often a lease was confirmed
     * @param failures how often the registry failed
     */
    public GeneratorStatistics {
        Map<Refusal, Long> all = new EnumMap<>(Refusal.class);
        for (Refusal reason : Refusal.values()) {
            all.put(reason, refusals.getOrDefault(reason, 0L));
        }
        refusals = Collections.unmodifiableMap(all);
    }

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
