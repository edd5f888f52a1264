package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The counter of one name in one store, as one process sees it. Numbers are taken by writing the last of them under the condition
 * that nobody has written since the counter was read; numbers of a write whose answer was lost are never used.
 *
 * <p>This process knows how far it has taken numbers. A counter that stands before that has lost something, and others may be
 * given the same numbers: nothing is taken from it any more. Neither is anything taken after the counter was seen with another start or
 * increment, even if it was corrected since.
 *
 * <p>For use by one thread at a time.
 */
final class StoredCounter {

    /** How often numbers are tried for. Each time fails only if another process has taken some. */
    private static final int TRIES = 100;

    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    /** Below every number. */
    private static final long NOTHING = Long.MIN_VALUE;

    private final SegmentStore store;
    private final int index;
    private final String name;
    private final long start;
    private final long end;
    private final int increment;

    /** What this process has written last. */
    private @Nullable Counter written;

    /**
     * The last number that this process has taken and not given back. Not the last one that it has written: numbers before a segment
     * that it has given back as a whole belong to other processes, which may give them back as well.
     */
    private long kept = NOTHING;

    /** The same before the last segment was taken. */
    private long keptBefore = NOTHING;

    /** How this counter was seen to be another one. */
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
     * Reads the counter, and checks that it is the one that is meant.
     *
     * @throws NumbersUnavailableException if it has another start or increment, or has moved back
     */
    @Nullable
    Counter look() {
        if (mismatch != null) {
            throw mismatch;
        }
        Counter seen = store.read(name);
        if (seen != null && (seen.start() != start || seen.increment() != increment)) {
            String found =
                    "Counter '%s' in %s has start %d and increment %d, but here start is %d and increment is %d; use the same start and the same stores in the same order everywhere, or another name"
                            .formatted(name, store.description(), seen.start(), seen.increment(), start, increment);
            throw mismatch(found);
        }
        if (seen != null && (seen.last() - start) % increment != 0) {
            String found =
                    "Counter '%s' in %s stands at %d, which is no number of this store (start %d, increment %d); others may have taken what would come next: set it to one that is, above the highest number in use"
                            .formatted(name, store.description(), seen.last(), start, increment);
            throw mismatch(found);
        }
        if (kept != NOTHING && (seen == null || seen.last() < kept)) {
            String stand = seen == null ? "is gone" : "stands at " + seen.last();
            String found =
                    "Counter '%s' in %s %s, but this process has taken numbers up to %d; the store was emptied or restored, and numbers may be issued twice: stop all processes, set the counter above the highest number in use, start again"
                            .formatted(name, store.description(), stand, kept);
            throw new NumbersUnavailableException(Reason.COUNTER_MOVED_BACK, found, null);
        }
        return seen;
    }

    private NumbersUnavailableException mismatch(String message) {
        mismatch = new NumbersUnavailableException(Reason.COUNTER_MISMATCH, message, null);
        return mismatch;
    }

    /**
     * Creates the counter, unless there is one.
     *
     * @param taken no number up to this one will be taken
     * @throws NumbersUnavailableException if there is another counter than the one that is meant
     */
    void create(long taken) {
        if (look() == null) {
            long last = taken < start ? start - increment : taken - (taken - start) % increment;
            store.write(name, null, counter(last));
            look();
        }
    }

    /**
     * Takes the next numbers.
     *
     * @param floor no number is less
     * @param step how many; fewer before the end
     * @throws NumbersUnavailableException if there are no more, or if this is not the counter that is meant
     * @throws RuntimeException if the store does not answer, or other processes always take theirs first
     */
    Segment take(long floor, long step) {
        for (int tries = 0; tries < TRIES; tries++) {
            Counter seen = look();
            if (seen == null && increment > 1) {
                throw new IllegalStateException("Counter '%s' is missing in %s".formatted(name, store.description()));
            }
            long first = firstAfter(seen == null ? start - increment : seen.last(), floor);
            long size = Math.min(step - 1, (end - first) / increment) + 1;
            Counter next = counter(first + (size - 1) * increment);
            if (store.write(name, seen, next)) {
                written = next;
                keptBefore = kept;
                kept = next.last();
                return new Segment(first, increment, size, index);
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
        }
        throw new IllegalStateException("Other processes took numbers of '%s' from %s first, %d times"
                .formatted(name, store.description(), TRIES));
    }

    /** The first number of this store behind the last one that was taken, and not below the floor. */
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
        String message = "Numbers of '%s' in %s have come to their end, %d; no number issued"
                .formatted(name, store.description(), end);
        return new NumbersUnavailableException(Reason.EXHAUSTED, message, null);
    }

    /**
     * Gives numbers back, if nobody has taken any since.
     *
     * @param from the position of the first one that was not issued
     * @throws RuntimeException if it is not known whether they were given back
     */
    void giveBack(Segment segment, long from) {
        Counter last = written;
        if (last == null || last.last() != segment.numberAt(segment.size - 1)) {
            return;
        }
        Counter before = counter(segment.numberAt(from) - increment);
        // Even if the answer is lost: the numbers are not ours any more.
        written = before;
        kept = from > 0 ? before.last() : keptBefore;
        keptBefore = NOTHING;
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
