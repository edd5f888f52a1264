package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.BoundedCalls;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The counter of one name in one store, as seen by one process. Numbers are reserved by writing the last of them, on
 * condition that the counter has not been written since it was read. Numbers of a write whose answer was lost are never
 * used.
 *
 * <p>The process remembers the last number that it holds in the store. A counter below that number has lost a write, so
 * other processes may be given the same numbers, and nothing is reserved any more. The same applies after the counter
 * was seen with another start or increment, even if it was corrected since.
 *
 * <p>Each call to the store has a time limit. An error is thrown as a {@link RuntimeException}, so that it does not
 * keep other stores from being used.
 *
 * <p>For use by one thread at a time.
 */
final class StoredCounter {

    /**
     * Longer than the limits of the library's own stores, because their exceptions explain better why there is no
     * answer. Shorter than callers wait for a number by default, so that another store can serve them.
     */
    private static final Duration LONGEST_CALL = Duration.ofMillis(4_500);

    /** How often to try to reserve numbers. An attempt fails only if another process has reserved numbers meanwhile. */
    private static final int ATTEMPTS = 100;

    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    private final SegmentStore store;
    private final BoundedCalls calls;
    private final int index;
    private final String name;
    private final long start;
    private final long end;
    private final int increment;

    /** The counter as this process wrote it last. */
    private @Nullable Counter written;

    /** The last number that this process has reserved and not returned. */
    private long held = Segment.NOTHING;

    /**
     * The failure that was reported when the counter was seen with another start or increment; null if it never was.
     */
    private @Nullable NumbersUnavailableException mismatch;

    StoredCounter(SegmentStore store, int index, String name, long start, long end, int increment) {
        this.store = store;
        this.index = index;
        this.name = name;
        this.start = start;
        this.end = end;
        this.increment = increment;
        calls = new BoundedCalls(store, "store", LONGEST_CALL);
    }

    /**
     * Calls the store. Clears the interrupt flag meanwhile, because an interrupted thread does not wait for an answer.
     */
    private <T extends @Nullable Object> T ask(Callable<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return calls.ask(call);
        } catch (Error e) {
            throw new IllegalStateException("%s failed: %s".formatted(store.description(), e), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Calls the store. A failure has no effect. */
    private void tryAsk(Callable<Boolean> call) {
        try {
            ask(call);
        } catch (RuntimeException e) {
            // The caller does not need the answer.
        }
    }

    private boolean write(@Nullable Counter seen, Counter next) {
        return ask(() -> store.write(name, seen, next));
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
        Counter seen = this.<@Nullable Counter>ask(() -> store.read(name));
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
        if (held != Segment.NOTHING && (seen == null || seen.last() < held)) {
            String state = seen == null ? "no longer exists" : "has the value " + seen.last();
            String message =
                    "Counter '%s' in %s moved back, so numbers may be issued twice: it %s, but this process has reserved numbers up to %s. The store was emptied or restored. Stop all processes, set the counter above the highest number in use, and start them again"
                            .formatted(name, store.description(), state, held);
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
            write(null, counter(highest < start ? start - increment : highest - (highest - start) % increment));
            read();
        }
    }

    /**
     * Writes the value of the counter again.
     *
     * @throws RuntimeException if no numbers could be reserved at the moment
     */
    void checkWritable() {
        Counter seen = read();
        if (seen == null) {
            throw doesNotExist();
        }
        Counter same = counter(seen.last());
        // If another process was faster, the store can be written.
        if (write(seen, same) && seen.equals(written)) {
            written = same;
        }
    }

    /**
     * Reserves the next numbers.
     *
     * @param above a number that all reserved numbers must exceed
     * @param step how many numbers to reserve; fewer are reserved if the counter ends before
     * @throws NumbersUnavailableException if the numbers are exhausted, or the counter has another start or increment
     *     or has moved back
     * @throws RuntimeException if the store does not answer, or if other processes reserved numbers first in every
     *     attempt
     */
    Segment reserve(long above, long step) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Counter seen = read();
            if (seen == null) {
                throw doesNotExist();
            }
            long first = firstAfter(Math.max(seen.last(), above));
            long size = Math.min(step - 1, (end - first) / increment) + 1;
            Counter next = counter(first + (size - 1) * increment);
            if (write(seen, next)) {
                Segment segment = new Segment(first, increment, size, index, held);
                written = next;
                held = next.last();
                return segment;
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
        }
        throw new IllegalStateException(
                "Could not reserve numbers of '%s' in %s: other processes were faster in each of %s attempts"
                        .formatted(name, store.description(), ATTEMPTS));
    }

    private IllegalStateException doesNotExist() {
        return new IllegalStateException("Counter '%s' does not exist in %s".formatted(name, store.description()));
    }

    /** Returns the first number of this store that is greater than another number. */
    private long firstAfter(long number) {
        long distance = increment - Math.floorMod(number - start, (long) increment);
        if (number > end - distance) {
            String message =
                    "Counter '%s' in %s is exhausted: its last number is %s".formatted(name, store.description(), end);
            throw new NumbersUnavailableException(Reason.EXHAUSTED, message, null);
        }
        return number + distance;
    }

    /**
     * Returns unused numbers to the store: sets the counter back to the number before them, if it still is as this
     * process wrote it. The numbers are lost if the store does not answer.
     */
    void returnUnused(Segment unused) {
        Counter last = written;
        if (last != null && last.last() == unused.last()) {
            Counter before = counter(unused.numberAt(0) - increment);
            // Set before the write: even if its answer is lost, this process must not use the numbers any more.
            written = before;
            held = unused.heldBefore;
            tryAsk(() -> store.write(name, last, before));
        }
    }

    private Counter counter(long last) {
        return new Counter(start, increment, last, UUID.randomUUID().toString());
    }

    void closeIdleConnections() {
        tryAsk(() -> {
            store.closeIdleConnections();
            return true;
        });
    }

    String description() {
        return store.description();
    }
}
