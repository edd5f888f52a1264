package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The counter of one name in one store, as seen by one process. Numbers are reserved by writing the last of them, on condition that the
 * counter has not been written since it was read. Numbers of a write whose answer was lost are never used.
 *
 * <p>The process remembers up to which number it has reserved. A counter below that number has lost a write, so other processes may be
 * given the same numbers, and nothing is reserved any more. The same applies after the counter was seen with another start or increment,
 * even if it was corrected since.
 *
 * <p>For use by one thread at a time.
 */
final class StoredCounter {

    /** How often to try to reserve numbers. An attempt fails only if another process has reserved numbers meanwhile. */
    private static final int ATTEMPTS = 100;

    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    /** Below every number. */
    private static final long NOTHING = Long.MIN_VALUE;

    private final SegmentStore store;
    private final int index;
    private final String name;
    private final long start;
    private final long end;
    private final int increment;

    /** The counter as this process wrote it last. */
    private @Nullable Counter written;

    /**
     * The last number that this process has reserved and not returned. It can differ from the last number written: numbers before a segment
     * that was returned as a whole belong to other processes, which may return them as well.
     */
    private long reservedTo = NOTHING;

    /** The value of {@link #reservedTo} before the last segment was reserved. */
    private long reservedToBefore = NOTHING;

    /** The failure that was reported when the counter was seen with another start or increment; null if it never was. */
    private @Nullable NumbersUnavailableException mismatch;

    StoredCounter(SegmentStore store, int index, String name, long start, long end, int increment) {
        this.store = store;
        this.index = index;
        this.name = name;
        this.start = start;
        this.end = end;
        this.increment = increment;
    }

    /**
     * Reads the counter, and checks that it has the expected start and increment.
     *
     * @throws NumbersUnavailableException if it has another start or increment, or has moved back
     */
    @Nullable
    Counter read() {
        if (mismatch != null) {
            throw mismatch;
        }
        Counter seen = store.read(name);
        if (seen != null && (seen.start() != start || seen.increment() != increment)) {
            String message =
                    "Counter '%s' in %s has start %s and increment %s, but this process is configured for start %s and increment %s. Configure the same initial value and the same stores in the same order in all processes, or use another name"
                            .formatted(name, store.description(), seen.start(), seen.increment(), start, increment);
            throw mismatch(message);
        }
        if (seen != null && (seen.last() - start) % increment != 0) {
            String message =
                    "Counter '%s' in %s has the value %s, which is not a number of this store (start %s, increment %s), so its next numbers may already be in use. Set it to a number of this store above the highest number in use"
                            .formatted(name, store.description(), seen.last(), start, increment);
            throw mismatch(message);
        }
        if (reservedTo != NOTHING && (seen == null || seen.last() < reservedTo)) {
            String state = seen == null ? "no longer exists" : "has the value " + seen.last();
            String message =
                    "Counter '%s' in %s moved back, so numbers may be issued twice: it %s, but this process has reserved numbers up to %s. The store was emptied or restored. Stop all processes, set the counter above the highest number in use, and start them again"
                            .formatted(name, store.description(), state, reservedTo);
            throw new NumbersUnavailableException(Reason.COUNTER_MOVED_BACK, message, null);
        }
        return seen;
    }

    private NumbersUnavailableException mismatch(String message) {
        mismatch = new NumbersUnavailableException(Reason.COUNTER_MISMATCH, message, null);
        return mismatch;
    }

    /**
     * Creates the counter, unless it exists.
     *
     * @param highest the highest number in use; the counter begins above it
     * @throws NumbersUnavailableException if the counter exists with another start or increment
     */
    void create(long highest) {
        if (read() == null) {
            long last = highest < start ? start - increment : highest - (highest - start) % increment;
            store.write(name, null, counter(last));
            read();
        }
    }

    /**
     * Reserves the next numbers.
     *
     * @param floor the lowest number that may be reserved
     * @param step how many numbers to reserve; fewer are reserved if the counter ends before
     * @throws NumbersUnavailableException if the numbers are exhausted, or the counter has another start or increment or has moved back
     * @throws RuntimeException if the store does not answer, or if other processes reserved numbers first in every attempt
     */
    Segment reserve(long floor, long step) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Counter seen = read();
            if (seen == null && increment > 1) {
                throw new IllegalStateException(
                        "Counter '%s' does not exist in %s".formatted(name, store.description()));
            }
            long first = firstAfter(seen == null ? start - increment : seen.last(), floor);
            long size = Math.min(step - 1, (end - first) / increment) + 1;
            Counter next = counter(first + (size - 1) * increment);
            if (store.write(name, seen, next)) {
                written = next;
                reservedToBefore = reservedTo;
                reservedTo = next.last();
                return new Segment(first, increment, size, index);
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
        }
        throw new IllegalStateException(
                "Could not reserve numbers of '%s' in %s: other processes were faster in each of %s attempts"
                        .formatted(name, store.description(), ATTEMPTS));
    }

    /** Returns the first number of this store that is greater than {@code last} and not less than {@code floor}. */
    private long firstAfter(long last, long floor) {
        if (last > end - increment || floor > end) {
            throw exhausted();
        }
        long first = last + increment;
        if (first < floor) {
            long missing = Math.floorMod(first - floor, (long) increment);
            if (missing > end - floor) {
                throw exhausted();
            }
            first = floor + missing;
        }
        return first;
    }

    NumbersUnavailableException exhausted() {
        String message =
                "Counter '%s' in %s is exhausted: its last number is %s".formatted(name, store.description(), end);
        return new NumbersUnavailableException(Reason.EXHAUSTED, message, null);
    }

    /**
     * Returns numbers to the store, if no process has reserved numbers since.
     *
     * @param from the position of the first number that was not issued
     * @throws RuntimeException if it is unknown whether they were returned
     */
    void returnUnused(Segment segment, long from) {
        Counter last = written;
        if (last == null || last.last() != segment.numberAt(segment.size - 1)) {
            return;
        }
        Counter before = counter(segment.numberAt(from) - increment);
        // Set before the write: even if its answer is lost, this process must not use the numbers any more.
        written = before;
        reservedTo = from > 0 ? before.last() : reservedToBefore;
        reservedToBefore = NOTHING;
        Counter seen = store.read(name);
        if (seen != null && seen.token().equals(last.token())) {
            store.write(name, seen, before);
        }
    }

    private Counter counter(long last) {
        return new Counter(start, increment, last, UUID.randomUUID().toString());
    }

    void closeIdleConnections() {
        store.closeIdleConnections();
    }

    String description() {
        return store.description();
    }
}
