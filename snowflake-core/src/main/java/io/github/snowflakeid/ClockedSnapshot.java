package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;

/**
 * What a registry says, and what the clock of this machine said at that moment.
 *
 * @param here the clock of this machine, in the middle between question and answer
 * @param uncertainty half the time that the answer took: when in between the other clock was read, nobody knows
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

    /** What the clock of the registry shows at a moment, at the latest. */
    Instant latestAt(long nanos) {
        return seen.now().plusNanos(nanos - begin);
    }

    /** How far the clock of the registry is ahead. */
    Duration skew() {
        return Duration.between(here, seen.now());
    }
}
