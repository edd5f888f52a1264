package io.github.snowflakeid.segment;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.internal.SafeCall;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands numbers out, and sees to it that there always are some.
 *
 * <p><b>Who races with whom.</b> Callers claim positions of the present segment, without a lock. A claimed position belongs to one
 * caller, and one behind the end to nobody. Who gets one of these comes under the lock, and claims again: of the present segment, if
 * somebody has put another one there meanwhile; else of the one that is ready, which becomes the present one; else it waits.
 * Segments follow each other in the order of their numbers, and the present one is replaced only when it is used up, so each caller's
 * numbers ascend.
 *
 * <p>At most one fetch is under way. It leaves its segment, under the lock, as the one that is ready.
 *
 * <p>Who closes drains the present segment: whatever was claimed before is issued, nothing is claimed after. So what is left is known
 * exactly, and can be given back. A fetch that ends later gives its own segment back.
 */
final class SegmentSupplier implements Prefetcher.Recipient {

    /** How often a caller that must not wait tries to get the lock. */
    private static final int TRIES = 1000;

    /** Stands for a number if there is none. */
    private static final long NONE = -1;

    /** Nobody waits longer than this without a look for himself. */
    private static final long LONGEST_WAIT_NANOS = 100_000_000;

    private final SegmentBuffer stock = new SegmentBuffer();
    private final StoreRotation counters;
    private final Prefetcher fetch;
    private final StepSizer pace;
    private final Duration maxWait;
    private final LongSupplier nanos;
    private final SegmentListener listener;
    private final StatisticsRecorder statistics = new StatisticsRecorder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // All below is used under the lock.
    private final Outage outage;
    private boolean closed = true;
    private boolean fetching;

    SegmentSupplier(
            String name,
            StoreRotation counters,
            Prefetcher fetch,
            StepSizer pace,
            Duration maxWait,
            LongSupplier nanos,
            SegmentListener listener) {
        this.counters = counters;
        this.fetch = fetch;
        this.pace = pace;
        this.maxWait = maxWait;
        this.nanos = nanos;
        this.listener = listener;
        outage = new Outage(name, maxWait);
    }

    // ---- numbers

    long next() {
        Segment mine = stock.present();
        long position = mine.claim(1);
        return mine.isBeforeMilestone(position) ? mine.numberAt(position) : nextAtMilestone(mine, position, true);
    }

    /**
     * Returns the number of a claimed position, after a look how fast numbers go, unless another thread is at it; or a number of another
     * segment if the position is behind the end.
     *
     * <p>That this is one long method is for the sake of {@link #next()}. HotSpot inlines no method of more than 325 bytes; were
     * this inlined where numbers are made in a loop, two threads would make half as many.
     *
     * @param mayWait whether to wait for a number, and to throw an exception if there is none in time
     * @return {@link #NONE} if there is no number and the caller must not wait
     */
    private long nextAtMilestone(Segment mine, long position, boolean mayWait) {
        if (position < mine.size) {
            if (lock.tryLock()) {
                try {
                    if (mine == stock.present()) {
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
        } else if (!lockWithoutParking()) {
            statistics.refused.increment();
            return NONE;
        }
        try {
            while (true) {
                OptionalLong number = stock.claim(this::measure);
                if (number.isPresent()) {
                    return number.getAsLong();
                }
                // Before the look at the time: who must not wait lets others have numbers later.
                fetch();
                if (!mayWait) {
                    statistics.refused.increment();
                    return NONE;
                }
                long waited = nanos.getAsLong() - start;
                long left = maxWait.toNanos() - waited;
                if (closed || outage.isFinal() || left <= 0) {
                    statistics.refused.increment();
                    throw closed ? new GeneratorClosedException() : outage.reason();
                }
                waits = true;
                try {
                    changed.awaitNanos(Math.min(left, LONGEST_WAIT_NANOS));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (waits) {
                statistics.waitedNanos.add(nanos.getAsLong() - start);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Fills an array with ascending numbers. */
    void next(long[] numbers) {
        for (int filled = 0; filled < numbers.length; ) {
            Segment mine = stock.present();
            int wanted = numbers.length - filled;
            long position = mine.claim(wanted);
            long end = Math.min(position + wanted, mine.size);
            for (long each = position; each < end; each++) {
                numbers[filled++] = mine.numberAt(each);
            }
            if (filled < numbers.length) {
                numbers[filled++] = nextAtMilestone(mine, mine.size, true);
            } else if (!mine.isBeforeMilestone(end - 1)) {
                nextAtMilestone(mine, end - 1, true);
            }
        }
    }

    /** The thread of an event loop must not park, and other threads hold the lock for moments only. */
    private boolean lockWithoutParking() {
        for (int tries = 0; tries < TRIES; tries++) {
            if (lock.tryLock()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Returns a number, if there is one at hand. */
    OptionalLong tryNext() {
        Segment mine = stock.present();
        long position = mine.claim(1);
        long number =
                mine.isBeforeMilestone(position) ? mine.numberAt(position) : nextAtMilestone(mine, position, false);
        return number == NONE ? OptionalLong.empty() : OptionalLong.of(number);
    }

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

    // ---- segments

    private void measure() {
        pace.passed(nanos.getAsLong(), stock.issued());
        if (pace.isDue(stock.present())) {
            fetch();
        }
    }

    private void fetch() {
        if (!fetching && !closed && !outage.isFinal() && stock.ready() == null) {
            fetching = true;
            try {
                fetch.begin(this);
            } catch (Throwable e) {
                fetching = false;
                outage.failed(new IllegalStateException("no thread to take numbers with", e));
            }
        }
    }

    @Override
    public long step() {
        return locked(() -> pace.step(nanos.getAsLong(), stock.issued()));
    }

    @Override
    public boolean arrived(Segment segment, long answeredIn) {
        Duration away;
        lock.lock();
        try {
            pace.answered(answeredIn);
            statistics.fetches.increment();
            if (closed || outage.isFinal()) {
                return false;
            }
            stock.add(segment);
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

    @Override
    public boolean failed(RuntimeException reason) {
        NumbersUnavailableException news;
        boolean goesOn;
        lock.lock();
        try {
            statistics.failures.increment();
            outage.failed(reason);
            if (StoreRotation.isFinal(reason)) {
                stock.drain();
            }
            boolean ends = !closed && (outage.isFinal() || stock.remaining() == 0) && outage.begins(nanos.getAsLong());
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

    @Override
    public void over() {
        locked(() -> {
            fetching = false;
            changed.signalAll();
            return closed;
        });
    }

    @Override
    public boolean pause(long atMost) {
        return locked(() -> {
            await(() -> closed, atMost);
            return !closed;
        });
    }

    // ---- opening and closing

    /**
     * Looks at the stores and takes the first segment, if this is closed.
     *
     * @throws NumbersUnavailableException if none can be taken; this remains closed then
     */
    void open() {
        lock.lock();
        try {
            if (!closed) {
                return;
            }
            await(() -> !fetching, maxWait.toNanos());
            if (fetching) {
                throw outage.reason();
            }
            closed = false;
            fetching = true;
            outage.forget();
        } finally {
            lock.unlock();
        }
        try {
            fetch.first(this, maxWait);
        } catch (RuntimeException | Error e) {
            over();
            close();
            throw e;
        }
        over();
    }

    /** Ends handing out, and gives back what is left, if no process has taken numbers since. */
    void close() {
        @Nullable Segment next;
        Segment last;
        long from;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            changed.signalAll();
            next = stock.ready();
            last = stock.present();
            from = stock.drain();
            // The segment of a fetch that is under way comes after the others, goes back before them, and is none of
            // those to come.
            await(() -> !fetching, maxWait.toNanos());
        } finally {
            lock.unlock();
        }
        fetch.giveBack(next, 0);
        fetch.giveBack(last, from);
        counters.closeIdleConnections();
    }

    // ---- how it stands

    /** Why the next caller would get no number, as far as known. */
    Optional<NumbersUnavailableException> trouble() {
        return locked(() -> closed || stock.remaining() > 0 ? Optional.empty() : outage.known());
    }

    SegmentStatistics statistics() {
        return locked(() -> statistics.statistics(pace.lastStep(), counters.highest(), stock));
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
