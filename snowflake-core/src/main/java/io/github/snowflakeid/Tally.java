package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Counts what a generator does: what is rare when it happens, and ids by what their allocation says was claimed, so that no id
 * costs anything. Safe for use by many threads; the lock is held for a moment, and only where the allocation changes or somebody
 * asks.
 */
final class Tally {

    private final LongAdder waitedNanos = new LongAdder();
    private final Map<Refusal, LongAdder> refusals = new EnumMap<>(Refusal.class);
    private final LongAdder acquisitions = new LongAdder();
    private final LongAdder renewals = new LongAdder();
    private final LongAdder failures = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();

    /** What ids are made of now. This and what follows is used under the lock. */
    private Allocation present = Allocation.NONE;

    /** How much of it was claimed when this generator came. */
    private long claimedBefore;

    /** Ids of all allocations before. */
    private long issuedBefore;

    /** The highest number that was told: what is given up later is no reason to take it back. */
    private long told;

    Tally() {
        for (Refusal reason : Refusal.values()) {
            refusals.put(reason, new LongAdder());
        }
    }

    // ---- ids

    /**
     * Counts on with another allocation, if it takes the place of the present one.
     *
     * @param replacement whether it does; must not wait
     */
    boolean goOnWith(Allocation next, BooleanSupplier replacement) {
        lock.lock();
        try {
            if (!replacement.getAsBoolean()) {
                return false;
            }
            issuedBefore += issuedOfPresent();
            present = next;
            claimedBefore = next.claimed();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private long issuedOfPresent() {
        return Math.max(0, present.claimed() - claimedBefore);
    }

    private long issued() {
        lock.lock();
        try {
            told = Math.max(told, issuedBefore + issuedOfPresent());
            return told;
        } finally {
            lock.unlock();
        }
    }

    // ---- what is rare

    void waited(long nanos) {
        waitedNanos.add(nanos);
    }

    /** Counts a refusal that is about to be thrown. */
    <E extends SnowflakeException> E refused(E refusal) {
        refused(
                refusal instanceof ClockMovedBackwardsException
                        ? Refusal.CLOCK
                        : refusal instanceof TimestampExhaustedException
                                ? Refusal.LAYOUT
                                : refusal instanceof GeneratorClosedException ? Refusal.CLOSED : Refusal.LEASE);
        return refusal;
    }

    void refused(Refusal reason) {
        LongAdder count = refusals.get(reason);
        if (count != null) {
            count.increment();
        }
    }

    void acquired() {
        acquisitions.increment();
    }

    void renewed() {
        renewals.increment();
    }

    void failed() {
        failures.increment();
    }

    GeneratorStatistics statistics(Duration drift, boolean tickerRunning) {
        Map<Refusal, Long> counts = new EnumMap<>(Refusal.class);
        refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
        return new GeneratorStatistics(
                issued(),
                Duration.ofNanos(waitedNanos.sum()),
                counts,
                drift,
                tickerRunning,
                acquisitions.sum(),
                renewals.sum(),
                failures.sum());
    }
}
