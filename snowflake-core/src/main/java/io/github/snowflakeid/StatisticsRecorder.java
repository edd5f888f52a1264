package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts what a generator does: what is rare when it happens, and ids by what their allocation says was claimed, so that no id
 * but the first of a tick costs anything. Safe for use by many threads; the lock is held for a moment, and only where the
 * allocation changes or somebody asks.
 *
 * <p>An allocation says too little while a thread stands still that is about to enter a tick, however long. So what it said once
 * is not kept for good: an allocation that was replaced is asked again, until the next one has been replaced, too. One that
 * others go on with cannot be.
 */
final class StatisticsRecorder {

    /** What becomes of leases. */
    enum Event {
        ACQUIRED,
        RENEWED,
        FAILED
    }

    /** How often a shared allocation is looked at: who enters a tick has done so then, unless it stands still. */
    private static final int LOOKS = 100;

    private final AtomicLong waitedNanos = new AtomicLong();
    private final Map<Refusal, AtomicLong> refusals = new EnumMap<>(Refusal.class);
    private final Map<Event, AtomicLong> events = new EnumMap<>(Event.class);

    private final ReentrantLock lock = new ReentrantLock();

    /** What ids are made of now. This and what follows is used under the lock. */
    private Allocation present = Allocation.NONE;

    /** How much of it was claimed when this generator came. */
    private long claimedBefore;

    /** The one before that had slots. */
    private Allocation last = Allocation.NONE;

    private long claimedBeforeLast;

    /** Ids of all allocations before these. */
    private long issuedBefore;

    /** The highest number that was told: what is given up later is no reason to take it back. */
    private long told;

    StatisticsRecorder() {
        for (Refusal reason : Refusal.values()) {
            refusals.put(reason, new AtomicLong());
        }
        for (Event event : Event.values()) {
            events.put(event, new AtomicLong());
        }
    }

    // ---- ids

    /** Replaces the allocation in a field if it is still the one that is meant, and counts on with the next one then. */
    <T> boolean replace(AtomicReferenceFieldUpdater<T, Allocation> field, T of, Allocation replaced, Allocation next) {
        lock.lock();
        try {
            if (!field.compareAndSet(of, replaced, next)) {
                return false;
            }
            if (present.isShared()) {
                // Others go on with it.
                issuedBefore += issuedOfPresent();
            } else if (present.hasSlots()) {
                issuedBefore += issuedOfLast();
                last = present;
                claimedBeforeLast = claimedBefore;
            }
            present = next;
            claimedBefore = claimedByOthers(next);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Too little would be counted as our ids for ever. */
    private static long claimedByOthers(Allocation joined) {
        long most = joined.claimed();
        for (int looks = 0; joined.isShared() && looks < LOOKS; looks++) {
            Thread.onSpinWait();
            most = Math.max(most, joined.claimed());
        }
        return most;
    }

    private long issuedOfPresent() {
        return Math.max(0, present.claimed() - claimedBefore);
    }

    private long issuedOfLast() {
        return Math.max(0, last.claimed() - claimedBeforeLast);
    }

    private long issued() {
        lock.lock();
        try {
            told = Math.max(told, issuedBefore + issuedOfLast() + issuedOfPresent());
            return told;
        } finally {
            lock.unlock();
        }
    }

    // ---- what is rare

    void waited(long nanos) {
        waitedNanos.addAndGet(nanos);
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
        Objects.requireNonNull(refusals.get(reason)).incrementAndGet();
    }

    void count(Event event) {
        Objects.requireNonNull(events.get(event)).incrementAndGet();
    }

    private long sum(Event event) {
        return Objects.requireNonNull(events.get(event)).get();
    }

    GeneratorStatistics statistics(Duration drift, boolean tickerRunning) {
        Map<Refusal, Long> counts = new EnumMap<>(Refusal.class);
        refusals.forEach((reason, count) -> counts.put(reason, count.get()));
        return new GeneratorStatistics(
                issued(),
                Duration.ofNanos(waitedNanos.get()),
                counts,
                drift,
                tickerRunning,
                sum(Event.ACQUIRED),
                sum(Event.RENEWED),
                sum(Event.FAILED));
    }
}
