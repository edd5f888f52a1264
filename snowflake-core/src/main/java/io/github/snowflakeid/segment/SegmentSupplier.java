package io.github.snowflakeid.segment;

import io.github.snowflakeid.GeneratorClosedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Issues numbers of the current segment, and requests the next segment in time. Never calls a store.
 *
 * <p><b>Concurrency.</b> Callers claim positions of the current segment without a lock. Each position within the
 * segment goes to exactly one caller; a position beyond its end is no claim. A caller that gets such a position takes
 * the lock and claims again: from the current segment if another caller has replaced it meanwhile, else from the ready
 * segment, which then becomes the current one. If there is no ready segment, the caller waits. Segments follow each
 * other in the order of their numbers, and the current segment is replaced only when it is exhausted, so the numbers of
 * each caller ascend.
 *
 * <p>At most one fetch runs at a time. Under the lock, it delivers its segment as the ready segment.
 *
 * <p>Closing drains the current segment: the numbers of positions claimed before are issued, and no position can be
 * claimed afterwards. The unused rest is therefore known exactly and can be returned to the store. A fetch that ends
 * later returns its own segment.
 */
final class SegmentSupplier {

    /** Returned instead of a number if there is none. */
    static final long NONE = -1;

    /** The longest time that a thread waits before it checks its condition again. */
    private static final long LONGEST_WAIT_NANOS = 100_000_000;

    private final StepSizer sizer;
    private final Duration maxWait;
    private final LongSupplier nanos;
    private final Runnable fetch;
    private final LongAdder refused = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Replaced only while the lock is held. */
    private volatile Segment current = Segment.NONE;

    // The fields below are guarded by the lock.
    private final Outage outage;
    private Segment ready = Segment.NONE;
    private boolean closed = true;
    private boolean fetching;

    /** The number of numbers issued from segments before the current one. */
    private long issuedBefore;

    private long waitedNanos;
    private long fetches;
    private long failures;

    /** @param fetch starts to fetch a segment in the background */
    SegmentSupplier(StepSizer sizer, Outage outage, Duration maxWait, LongSupplier nanos, Runnable fetch) {
        this.sizer = sizer;
        this.outage = outage;
        this.maxWait = maxWait;
        this.nanos = nanos;
        this.fetch = fetch;
    }

    // ---- numbers

    /** Returns the segment to claim numbers from; an empty segment if there is none. */
    Segment current() {
        return current;
    }

    /**
     * Returns the number of a claimed position. If the position is at or past the milestone, the rate of numbers is
     * measured first, unless another thread holds the lock. If the position is beyond the end of its segment, a number
     * of another segment is returned.
     *
     * <p>This is one long method because HotSpot does not inline methods of more than 325 bytes. If this method were
     * inlined into loops that issue numbers, two threads would issue half as many numbers.
     *
     * @param waitNanos how long to wait for a number before an exception is thrown; {@link #NONE} to return without a
     *     number instead
     * @return {@link #NONE} if there is no number and the caller does not wait
     */
    long nextAtMilestone(Segment mine, long position, long waitNanos) {
        if (position < mine.size) {
            if (lock.tryLock()) {
                try {
                    if (mine == current) {
                        mine.moveMilestone();
                        measure();
                    }
                } finally {
                    lock.unlock();
                }
            }
            return mine.numberAt(position);
        }
        long start = nanos.getAsLong();
        boolean waits = false;
        boolean interrupted = false;
        boolean mayWait = waitNanos != NONE;
        if (mayWait) {
            lock.lock();
        } else if (!lock.tryLock()) {
            refused.increment();
            return NONE;
        }
        try {
            while (true) {
                long number = claim();
                if (number != NONE) {
                    return number;
                }
                // Also on behalf of a caller that must not wait, so that later calls find numbers.
                fetch();
                long left = waitNanos - (nanos.getAsLong() - start);
                if (closed || outage.isFinal() || left <= 0) {
                    refused.increment();
                    if (mayWait) {
                        throw closed ? new GeneratorClosedException() : outage.reason();
                    }
                    return NONE;
                }
                waits = true;
                interrupted |= awaitChange(left);
            }
        } finally {
            waitedNanos += waits ? nanos.getAsLong() - start : 0;
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Claims a number of the current segment. If that is exhausted, the ready segment, if any, becomes the current one.
     */
    private long claim() {
        Segment mine = current;
        long position = mine.claim(1);
        if (position >= mine.size && ready.size > 0) {
            issuedBefore += mine.size;
            mine = ready;
            ready = Segment.NONE;
            current = mine;
            position = mine.claim(1);
            measure();
        }
        return position < mine.size ? mine.numberAt(position) : NONE;
    }

    private void measure() {
        sizer.passed(nanos.getAsLong(), issued());
        if (sizer.isDue(current)) {
            fetch();
        }
    }

    private void fetch() {
        if (!fetching && !closed && !outage.isFinal() && ready.size == 0) {
            fetching = true;
            try {
                fetch.run();
            } catch (Throwable e) {
                // No thread could be started. The next caller tries again.
                fetching = false;
                outage.failed(new IllegalStateException("No thread could be started to fetch numbers", e));
            }
        }
    }

    // ---- segments, delivered by the thread that fetches them

    /** Returns how many numbers to reserve now. */
    long step() {
        return locked(() -> sizer.step(nanos.getAsLong(), issued()));
    }

    /**
     * Accepts a fetched segment.
     *
     * @param answeredIn how long the store took to answer
     * @return false if the segment is not needed, because the generator was closed or has failed
     */
    boolean arrived(Segment segment, long answeredIn) {
        return locked(() -> {
            sizer.answered(answeredIn);
            fetches++;
            if (closed || outage.isFinal()) {
                return false;
            }
            ready = segment;
            outage.end(nanos.getAsLong());
            changed.signalAll();
            return true;
        });
    }

    /** Records that no store delivered a segment. */
    void failed(RuntimeException reason) {
        locked(() -> {
            failures++;
            outage.failed(reason);
            if (StoreRotation.isFinal(reason)) {
                drain();
            }
            if (!closed && (outage.isFinal() || remaining() == 0)) {
                outage.begin(nanos.getAsLong());
            }
            changed.signalAll();
            return true;
        });
    }

    /** Records that the running fetch has ended. */
    void fetchEnded() {
        locked(() -> {
            fetching = false;
            changed.signalAll();
            return closed;
        });
    }

    /** Waits before the next attempt, for at most the given time. Returns whether more segments are needed. */
    boolean pause(long atMost) {
        return locked(() -> {
            await(() -> closed || outage.isFinal(), atMost);
            return !closed && !outage.isFinal();
        });
    }

    // ---- opening and closing

    /**
     * Opens this supplier and announces the fetch of the first segment.
     *
     * @return false if it was open already
     */
    boolean open() {
        return locked(() -> {
            if (!closed) {
                return false;
            }
            await(() -> !fetching, maxWait.toNanos());
            if (fetching) {
                throw outage.reason();
            }
            closed = false;
            fetching = true;
            outage.forget();
            return true;
        });
    }

    boolean isOpen() {
        return locked(() -> !closed);
    }

    /** Stops issuing numbers. Returns the unused numbers, the last of them first. */
    List<Segment> close() {
        return locked(() -> {
            closed = true;
            changed.signalAll();
            List<Segment> unused = List.of(ready, drain());
            // The numbers of a running fetch follow these, so the fetch must return its own segment first.
            await(() -> !fetching, maxWait.toNanos());
            return unused;
        });
    }

    /** Ends all reserved numbers. Returns the unused numbers of the current segment. */
    private Segment drain() {
        Segment rest = current.drain();
        issuedBefore += current.size - rest.size;
        current = Segment.NONE;
        ready = Segment.NONE;
        return rest;
    }

    // ---- reports

    /** Returns why the next caller would get no number, as far as this is known. */
    Optional<NumbersUnavailableException> unavailability() {
        return locked(() -> closed || remaining() > 0 ? Optional.empty() : outage.known());
    }

    /** @param last the last number that was reserved in a store */
    SegmentStatistics statistics(long last) {
        return locked(() -> new SegmentValues(
                issued(),
                Duration.ofNanos(waitedNanos),
                refused.sum(),
                fetches,
                failures,
                sizer.lastStep(),
                remaining(),
                last));
    }

    private long issued() {
        return issuedBefore + current.used();
    }

    private long remaining() {
        return current.left() + ready.size;
    }

    // ---- the lock

    /**
     * Waits, with the lock held, until the condition is true or the time has passed. An interrupt does not end the
     * wait.
     */
    private void await(BooleanSupplier condition, long atMost) {
        boolean interrupted = false;
        long end = nanos.getAsLong() + atMost;
        for (long left; !condition.getAsBoolean() && (left = end - nanos.getAsLong()) > 0; ) {
            interrupted |= awaitChange(left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits, with the lock held, for a change or a moment. Returns whether the thread was interrupted, and clears its
     * interrupt flag.
     */
    @SuppressWarnings("WaitNotInLoop") // The callers loop.
    private boolean awaitChange(long atMost) {
        try {
            changed.awaitNanos(Math.min(atMost, LONGEST_WAIT_NANOS));
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
