package io.github.snowflakeid;

import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;

/**
 * A snapshot of a registry, together with the time on this machine's clock when it was read.
 *
 * @param here the time on this machine's clock, halfway between the call and the answer
 * @param uncertainty half the time that the call took, because the registry may have read its clock at any moment in
 *     between
 * @param begin {@link TimeSource#nanos} before the call
 */
record ClockedSnapshot(Snapshot seen, Instant here, Duration uncertainty, long begin) {

    static ClockedSnapshot of(WorkerRegistry registry, TimeSource time) {
        long begin = time.nanos();
        Snapshot seen = registry.read();
        long uncertainty = (time.nanos() - begin) / 2;
        return new ClockedSnapshot(
                seen, time.timestamp().minusNanos(uncertainty), Duration.ofNanos(uncertainty), begin);
    }

    /** Returns the latest time that the registry's clock may show when {@link TimeSource#nanos} is {@code nanos}. */
    Instant latestAt(long nanos) {
        return seen.now().plusNanos(nanos - begin);
    }

    /**
     * Returns how far the registry's clock is certainly ahead of this machine's clock; negative if it is behind. A
     * difference that the duration of the call may explain counts as zero.
     */
    Duration skew() {
        Duration skew = Duration.between(here, seen.now());
        Duration certain = skew.abs().compareTo(uncertainty) > 0 ? skew.abs().minus(uncertainty) : Duration.ZERO;
        return skew.isNegative() ? certain.negated() : certain;
    }
}
