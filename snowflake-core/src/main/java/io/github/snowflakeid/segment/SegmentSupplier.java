package io.github.snowflakeid.segment;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.internal.SafeCall;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out numbers of the present segment, and asks for the next segment in time. Never calls a store.
 *
 * <p><b>Who races with whom.</b> Callers claim positions of the present segment without a lock. A claimed position belongs to one
 * caller, and a position behind the segment's end to nobody. A caller that gets one of these takes the lock and claims again: from the
 * present segment, if another caller has replaced it meanwhile; else from the segment that is ready, which becomes the present one; else
 * the caller waits. Segments follow each other in the order of their numbers, and the present segment is replaced only when it is
 * exhausted, so each caller's numbers ascend.
 *
 * <p>At most one fetch runs at a time. It delivers its segment under the lock, as the one that is ready.
 *
 * <p>Closing drains the present segment: positions that were claimed before are issued, and none is claimed afterwards. So the rest is
 * known exactly and can be given back. A fetch that ends later gives its own segment back.
 */
final class SegmentSupplier {

    /** Stands for a number if there is none. */
    static final long NONE = -1;

    /** No thread waits longer than this before it looks again. */
    private static final long LONGEST_WAIT_NANOS = 100_000_000;

    private final StepSizer sizer;
    private final Duration maxWait;
    private final LongSupplier nanos;
    private final SegmentListener listener;
    private final Runnable fetch;
    private final LongAdder refused = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Replaced under the lock. */
    private volatile Segment present = Segment.NONE;

    // All below is used under the lock.
    private final Outage outage;
    private @Nullable Segment ready;
    private boolean closed = true;
    private boolean fetching;

    /** How many numbers of segments before the present one were issued. */
    private long issuedBefore;

    private long waitedNanos;
    private long fetches;
    private long failures;

    /** @param fetch begins to take a segment in the background */
    SegmentSupplier(
            StepSizer sizer,
            Outage outage,
            Duration maxWait,
            LongSupplier nanos,
            SegmentListener listener,
            Runnable fetch) {
        this.sizer = sizer;
        this.outage = outage;
        this.maxWait = maxWait;
        this.nanos = nanos;
        this.listener = listener;
        this.fetch = fetch;
    }

    // ---- numbers

    /** Returns the segment that numbers are claimed from; an empty one if there are none. */
    Segment present() {
        return present;
    }

    /**
     * Returns the number of a claimed position, after measuring how fast numbers are issued, unless another thread holds the lock; or a
     * number of another segment if the position is behind the end.
     *
     * <p>This is one long method for the sake of its callers. HotSpot inlines no method of more than 325 bytes; if this were
     * inlined where numbers are issued in a loop, two threads would issue half as many.
     *
     * @param mayWait whether to wait for a number, and to throw an exception if there is none in time
     * @return {@link #NONE} if there is no number and the caller must not wait
     */
    long nextAtMilestone(Segment mine, long position, boolean mayWait) {
        if (position < mine.size) {
            if (lock.tryLock()) {
                try {
                    if (mine == present) {
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
                // Also for a caller that must not wait: others have numbers later.
                fetch();
                long left = mayWait ? maxWait.toNanos() - (nanos.getAsLong() - start) : 0;
                if (closed || outage.isFinal() || left <= 0) {
                    refused.increment();
                    if (mayWait) {
                        throw closed ? new GeneratorClosedException() : outage.reason();
                    }
                    return NONE;
                }
                waits = true;
                try {
                    changed.awaitNanos(Math.min(left, LONGEST_WAIT_NANOS));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            waitedNanos += waits ? nanos.getAsLong() - start : 0;
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Claims a number of the present segment, or of the segment that is ready, which becomes the present one. */
    private long claim() {
        Segment mine = present;
        long position = mine.claim(1);
        if (position >= mine.size && ready != null) {
            issuedBefore += mine.size;
            mine = ready;
            ready = null;
            present = mine;
            position = mine.claim(1);
            measure();
        }
        return position < mine.size ? mine.numberAt(position) : NONE;
    }

    private void measure() {
        sizer.passed(nanos.getAsLong(), issued());
        if (sizer.isDue(present)) {
            fetch();
        }
    }

    private void fetch() {
        if (!fetching && !closed && !outage.isFinal() && ready == null) {
            fetching = true;
            try {
                fetch.run();
            } catch (Throwable e) {
                // No thread. The next caller tries again.
                fetching = false;
                outage.failed(new IllegalStateException("no thread to take numbers with", e));
            }
        }
    }

    // ---- segments, which another thread takes from the stores

    /** Returns how many numbers to take now. */
    long step() {
        return locked(() -> sizer.step(nanos.getAsLong(), issued()));
    }

    /**
     * Accepts a segment.
     *
     * @param answeredIn how long the store took
     * @return whether the segment is wanted
     */
    boolean arrived(Segment segment, long answeredIn) {
        Duration away;
        lock.lock();
        try {
            sizer.answered(answeredIn);
            fetches++;
            if (closed || outage.isFinal()) {
                return false;
            }
            ready = segment;
            away = outage.ends(nanos.getAsLong());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (away != null) {
            SafeCall.run(() -> listener.numbersResumed(away));
        }
        return true;
    }

    /**
     * Notes that no store gave a segment.
     *
     * @return whether to try again
     */
    boolean failed(RuntimeException reason) {
        NumbersUnavailableException news;
        boolean goesOn;
        lock.lock();
        try {
            failures++;
            outage.failed(reason);
            if (StoreRotation.isFinal(reason)) {
                drain();
            }
            boolean ends = !closed && (outage.isFinal() || remaining() == 0) && outage.begins(nanos.getAsLong());
            news = ends ? outage.reason() : null;
            goesOn = !closed && !outage.isFinal();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (news != null) {
            SafeCall.run(() -> listener.numbersEnded(news));
        }
        return goesOn;
    }

    /** Notes that a fetch is over. */
    void over() {
        locked(() -> {
            fetching = false;
            changed.signalAll();
            return closed;
        });
    }

    /** Lets time pass. Returns whether the generator is still open. */
    boolean pause(long atMost) {
        return locked(() -> {
            await(() -> closed, atMost);
            return !closed;
        });
    }

    // ---- opening and closing

    /**
     * Begins the fetch of the first segment, if this is closed.
     *
     * @return false if this is open
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

    /** What is left of the numbers at hand: the present segment from a position on, and the next segment. */
    record Rest(Segment present, long from, @Nullable Segment ready) {}

    /** Stops handing out numbers, and returns what is left of them; null if this is closed. */
    @Nullable
    Rest close() {
        return this.<@Nullable Rest>locked(() -> {
            if (closed) {
                return null;
            }
            closed = true;
            changed.signalAll();
            Segment last = present;
            Segment next = ready;
            Rest rest = new Rest(last, drain(), next);
            // The segment of a fetch that runs now begins behind these, and is given back before them.
            await(() -> !fetching, maxWait.toNanos());
            return rest;
        });
    }

    private long drain() {
        long from = present.drain();
        issuedBefore += from;
        present = Segment.NONE;
        ready = null;
        return from;
    }

    // ---- reports

    /** Returns why the next caller would get no number, as far as known. */
    Optional<NumbersUnavailableException> trouble() {
        return locked(() -> closed || remaining() > 0 ? Optional.empty() : outage.known());
    }

    /** @param last the last number that was taken from a store */
    SegmentStatistics statistics(long last) {
        return locked(() -> new SegmentStatistics(new SegmentStatistics.Figures(
                issued(),
                Duration.ofNanos(waitedNanos),
                refused.sum(),
                fetches,
                failures,
                sizer.lastStep(),
                remaining(),
                last)));
    }

    private long issued() {
        return issuedBefore + present.used();
    }

    private long remaining() {
        return present.left() + (ready == null ? 0 : ready.size);
    }

    // ---- the lock

    /** Waits under the lock until something holds, or for so long; an interrupt does not end the wait. */
    private void await(BooleanSupplier holds, long atMost) {
        boolean interrupted = false;
        long end = nanos.getAsLong() + atMost;
        for (long left; !holds.getAsBoolean() && (left = end - nanos.getAsLong()) > 0; ) {
            try {
                changed.awaitNanos(Math.min(left, LONGEST_WAIT_NANOS));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
