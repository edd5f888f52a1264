package io.github.snowflakeid;

import io.github.snowflakeid.LeaseChoice.Candidate;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * How far time is reserved for a lease: from now, or from a later instant, for one ttl. Ends are starts of ticks, except where
 * a renewal must differ from the one before: by 1 ms.
 */
record Reservation(IdLayout layout, Time time, Duration ttl) {

    /** A ttl from now, or from a later instant, at the start of a tick: no two holders ever share one. */
    Instant endBehind(Instant from) {
        return layout.timestampOf(
                layout.tickAtOrAfter(later(from, time.timestamp()).plus(ttl)));
    }

    /**
     * A new claim, behind all ids that may have been made of the worker id. Where the floor is ahead, it is an empty range
     * there, which is extended when the clock has come so far: no time is ever reserved farther ahead than by a ttl.
     */
    Claim of(Candidate candidate, Instant floor, String ownerInfo) {
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
                floor.isAfter(time.timestamp()) ? start : endBehind(start),
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
     * @param lastTick the last one used
     */
    Instant extension(Claim held, long lastTick) {
        // Each renewal writes another value, so that it can be recognized. Not a tick more each time: ticks may be
        // long.
        Instant atLeast = earlier(held.reservedUntil().plusMillis(1), layout.end());
        return later(endBehind(layout.timestampOf(lastTick + 1)), atLeast);
    }

    /** Whether so little is left before the fence that a renewal that hangs once more would be too late. */
    boolean isRunningOut(Claim held, long lastTick) {
        Instant half = held.reservedUntil().minus(ttl.dividedBy(2));
        return !later(time.timestamp(), layout.timestampOf(lastTick)).isBefore(half);
    }

    /** What was really used of what is held, so that the next one need not wait for the rest. */
    static Instant used(Claim held, Instant behindLast) {
        return earlier(behindLast, held.reservedUntil());
    }

    /** How a lease stands that is confirmed now. What is known of the registry's clock, each {@link Tenant} adds. */
    WorkerLease held(Claim claim, Instant acquiredAt) {
        return new WorkerLease(
                State.HELD,
                claim.datacenterId(),
                claim.workerId(),
                claim.reservedUntil(),
                acquiredAt,
                time.timestamp(),
                Duration.ZERO,
                acquiredAt,
                null);
    }

    /** From which tick on a renewal is urgent; never at the end of the layout, which no renewal moves. */
    long near(long fence) {
        long third = ttl.toMillis() / layout.tick().toMillis() / 3;
        return fence == layout.endTick() ? Long.MAX_VALUE : fence - third;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
