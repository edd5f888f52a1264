package io.github.snowflakeid;

import io.github.snowflakeid.CandidateSelector.Candidate;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Calculates which ticks a lease reserves. A reservation ends one ttl after now or, if the next ID is ahead of the
 * clock, one ttl after the next ID, which counts only as far as IDs may be ahead of the clock. A tick that begins
 * before the end of a reservation belongs to it as a whole; the next holder begins with the tick after it.
 *
 * @param ttl the ttl of the lease
 * @param tolerated how far IDs may be ahead of the clock before callers get an exception
 */
record Reservation(IdLayout layout, TimeSource time, Duration ttl, Duration tolerated) {

    /**
     * Returns the end of a reservation.
     *
     * @param nextTick the tick of the next ID
     * @param now the trusted time
     */
    private Instant end(long nextTick, Instant now) {
        Instant furthest = now.plus(tolerated);
        Instant next = layout.timestampOf(nextTick);
        return later(next.isBefore(furthest) ? next : furthest, now).plus(ttl).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Returns a new claim. Its range begins after all IDs of the worker ID that may have been issued, and not before
     * the floor. If the floor or that start is too far ahead of the clock, the range is empty; it is extended when the
     * clock has come near enough.
     *
     * @param now the trusted time
     */
    Claim of(Candidate candidate, Instant floor, Instant now, String ownerInfo) {
        Instant start = later(layout.epoch(), floor);
        if (candidate.entry() != null) {
            start = later(start, candidate.entry().reservedUntil());
        }
        // Registries keep whole milliseconds, and a claim is recognized by its end.
        start = start.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
        return Claim.of(
                candidate.datacenterId(),
                candidate.workerId(),
                UUID.randomUUID().toString(),
                ownerInfo,
                start,
                floor.isAfter(now) ? start : later(start, end(layout.tickAtOrAfter(start), now)),
                layout.fingerprint());
    }

    /** Returns how long a new claim is valid: until one ttl after its IDs may begin. */
    Duration validity(Snapshot seen) {
        Duration early = Duration.between(seen.now(), seen.floor());
        return early.isNegative() ? ttl : ttl.plus(early);
    }

    /**
     * Returns the next end of a held claim.
     *
     * @param nextTick the tick of the next ID
     * @param now the trusted time
     */
    Instant extension(Claim held, long nextTick, Instant now) {
        // Each renewal writes a new value, so that its effect can be recognized.
        return later(end(nextTick, now), held.reservedUntil().plusMillis(1));
    }

    /** Returns the instant at which the ticks of a claim end and the next holder's ticks begin. */
    Instant fence(Claim claim) {
        return layout.timestampOf(layout.tickAtOrAfter(claim.reservedUntil()));
    }

    /**
     * Returns whether less than half a ttl is left before the fence, so that another renewal that hangs would come too
     * late.
     */
    boolean isRunningOut(Claim held, long lastTick) {
        Instant half = fence(held).minus(ttl.dividedBy(2));
        return !later(time.timestamp(), layout.timestampOf(lastTick)).isBefore(half);
    }

    /**
     * Returns the end of the part of a claim that was used, so that the next holder need not wait for the rest.
     *
     * @param afterLast the start of the tick after the last ID
     */
    static Instant used(Claim held, Instant afterLast) {
        return afterLast.isBefore(held.reservedUntil()) ? afterLast : held.reservedUntil();
    }

    /**
     * Returns the state of a lease that was confirmed now. {@link LeaseStatus} adds the skew of the registry's clock.
     *
     * @param lastTick the tick of the last ID
     */
    LeaseValues held(Claim claim, Instant acquiredAt, TrustedClock clock, long lastTick) {
        Instant fence = fence(claim);
        String ahead = clock.warning(fence);
        String warning = ahead == null ? behind(lastTick) : ahead;
        State state = warning == null ? State.HELD : State.EXPIRING;
        return LeaseValues.of(
                state, claim.datacenterId(), claim.workerId(), fence, acquiredAt, time.timestamp(), warning);
    }

    /**
     * Returns why the lease is of no use to callers until its next renewal is due: the clock is too far behind the last
     * ID. Else null.
     */
    private @Nullable String behind(long lastTick) {
        Duration behind = Duration.between(time.timestamp(), layout.timestampOf(lastTick));
        return behind.compareTo(tolerated.plus(ttl.dividedBy(3))) > 0
                ? "this machine's clock is %s ms behind the last ID (tolerated: %s ms)"
                        .formatted(behind.toMillis(), tolerated.toMillis())
                : null;
    }

    /**
     * Returns the tick from which on a renewal is urgent; none if the fence is the end of the layout, which no renewal
     * can move.
     */
    long near(long fence) {
        long third = ttl.toMillis() / layout.tick().toMillis() / 3;
        return fence == layout.endTick() ? Long.MAX_VALUE : fence - third;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
