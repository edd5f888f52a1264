package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;

/**
 * A snapshot of a registry, and the clock of this machine at that moment.
 *
 * @param here the clock of this machine, halfway between question and answer
 * @param uncertainty half the time that the answer took, as the registry may have read its clock at any moment in between
 * @param begin {@link TimeSource#nanos} before the question
 */
record ClockedSnapshot(Snapshot seen, Instant here, Duration uncertainty, long begin) {

    static ClockedSnapshot of(WorkerRegistry registry, TimeSource time) {
        long begin = time.nanos();
        Snapshot seen = registry.read();
        long uncertainty = (time.nanos() - begin) / 2;
        return new ClockedSnapshot(
                seen, time.timestamp().minusNanos(uncertainty), Duration.ofNanos(uncertainty), begin);
    }

    /** Returns the latest time that the registry's clock may show at a moment. */
    Instant latestAt(long nanos) {
        return seen.now().plusNanos(nanos - begin);
    }

    /** Returns how far the registry's clock is ahead at least, negative if it is behind; what may be due to the answer's time is not in it. */
    Duration skew() {
        Duration skew = Duration.between(here, seen.now());
        Duration certain = skew.abs().compareTo(uncertainty) > 0 ? skew.abs().minus(uncertainty) : Duration.ZERO;
        return skew.isNegative() ? certain.negated() : certain;
    }
}
