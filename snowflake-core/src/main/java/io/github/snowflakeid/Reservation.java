package io.github.snowflakeid;

import io.github.snowflakeid.CandidateSelector.Candidate;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * How far time is reserved for a lease: a ttl from now, or from the next ID if that is ahead of the clock, as far as IDs may be.
 * A tick that has begun by the end of a reservation belongs to it as a whole, and the next holder begins with the tick after that.
 *
 * @param tolerated how far IDs may be ahead of the clock before callers are refused
 */
record Reservation(IdLayout layout, TimeSource time, Duration ttl, Duration tolerated) {

    /**
     * Where a reservation ends.
     *
     * @param nextTick the tick of the next ID
     * @param now what is trusted of the clock
     */
    private Instant end(long nextTick, Instant now) {
        Instant furthest = now.plus(tolerated);
        Instant next = layout.timestampOf(nextTick);
        return later(next.isBefore(furthest) ? next : furthest, now).plus(ttl);
    }

    /**
     * A new claim, behind all IDs that may have been issued of the worker ID. If the floor is ahead, or the next tick is far, the
     * claim is an empty range there, which is extended when the clock has come so far.
     *
     * @param now what is trusted of the clock
     */
    Claim of(Candidate candidate, Instant floor, Instant now, String ownerInfo) {
        Instant start = later(layout.epoch(), floor);
        if (candidate.entry() != null) {
            start = later(start, candidate.entry().reservedUntil());
        }
        return new Claim(
                candidate.datacenterId(),
                candidate.workerId(),
                UUID.randomUUID().toString(),
                ownerInfo,
                start,
                floor.isAfter(now) ? start : later(start, end(layout.tickAtOrAfter(start), now)),
                layout.fingerprint());
    }

    /** How long a new claim is valid: for a ttl from where its ids may begin. */
    Duration validity(Snapshot seen) {
        Duration early = Duration.between(seen.now(), seen.floor());
        return early.isNegative() ? ttl : ttl.plus(early);
    }

    /**
     * A later end for what is held.
     *
     * @param nextTick the tick of the next ID
     * @param now what is trusted of the clock
     */
    Instant extension(Claim held, long nextTick, Instant now) {
        // Each renewal writes another value, so that it can be recognized.
        return later(end(nextTick, now), held.reservedUntil().plusMillis(1));
    }

    /** Returns the instant at which the ticks of a claim end and the next holder's ticks begin. */
    Instant fence(Claim claim) {
        return layout.timestampOf(layout.tickAtOrAfter(claim.reservedUntil()));
    }

    /** Whether so little is left before the fence that a renewal that hangs once more would be too late. */
    boolean isRunningOut(Claim held, long lastTick) {
        Instant half = fence(held).minus(ttl.dividedBy(2));
        return !later(time.timestamp(), layout.timestampOf(lastTick)).isBefore(half);
    }

    /** What was really used of what is held, so that the next one need not wait for the rest. */
    static Instant used(Claim held, Instant behindLast) {
        return behindLast.isBefore(held.reservedUntil()) ? behindLast : held.reservedUntil();
    }

    /** How a lease stands that is confirmed now. {@link LeaseStatus} adds what is known of the registry's clock. */
    WorkerLease held(Claim claim, Instant acquiredAt, TrustedClock clock) {
        Instant fence = fence(claim);
        String trouble = clock.trouble(fence);
        State state = trouble == null ? State.HELD : State.EXPIRING;
        return WorkerLease.of(state, claim.datacenterId(), claim.workerId(), fence, acquiredAt, time.timestamp())
                .with(state, trouble);
    }

    /** From which tick on a renewal is urgent; never at the end of the layout, which no renewal moves. */
    long near(long fence) {
        long third = ttl.toMillis() / layout.tick().toMillis() / 3;
        return fence == layout.endTick() ? Long.MAX_VALUE : fence - third;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
