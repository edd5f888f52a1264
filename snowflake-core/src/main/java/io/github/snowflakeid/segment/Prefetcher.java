package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Takes segments from the stores for a {@link SegmentSupplier}: the first one when the generator is opened, all others in the background,
 * before they are needed. Asks stores that are left out whether they answer again. Holds no lock while it asks a store.
 */
final class Prefetcher {

    private static final long SHORTEST_PAUSE_NANOS = 50_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final String name;
    private final StoreRotation counters;
    private final Duration maxWait;
    private final LongSupplier nanos;
    private final Executor background;
    private final AtomicBoolean looking = new AtomicBoolean();
    final SegmentSupplier supplier;

    Prefetcher(
            String name,
            StoreRotation counters,
            StepSizer sizer,
            Duration maxWait,
            LongSupplier nanos,
            SegmentListener listener,
            Executor background) {
        this.name = name;
        this.counters = counters;
        this.maxWait = maxWait;
        this.nanos = nanos;
        this.background = background;
        Outage outage = new Outage(name, maxWait);
        supplier = new SegmentSupplier(
                sizer, outage, maxWait, nanos, listener, () -> background.execute(this::fetchUntilThere));
    }

    private void fetchUntilThere() {
        try {
            long pause = SHORTEST_PAUSE_NANOS;
            // Once: an outage does not show how many numbers are needed.
            long step = supplier.step();
            while (!isTaken(step) && supplier.pause(pause)) {
                pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            }
        } finally {
            supplier.over();
        }
    }

    /** Returns whether there is nothing more to do. */
    private boolean isTaken(long step) {
        try {
            take(step);
            return true;
        } catch (RuntimeException e) {
            return !supplier.failed(e);
        }
    }

    private void take(long step) {
        long began = nanos.getAsLong();
        Segment segment = counters.take(step);
        if (supplier.arrived(segment, nanos.getAsLong() - began)) {
            look();
        } else {
            giveBack(segment, 0);
            counters.closeIdleConnections();
        }
    }

    /** Asks stores that are left out, until none is. They may take their time, because other stores give numbers meanwhile. */
    private void look() {
        if (counters.isAnyLeftOut() && looking.compareAndSet(false, true)) {
            try {
                background.execute(this::lookUntilAllAnswer);
            } catch (RuntimeException | Error e) {
                // No thread. The next segment is an opportunity to try again.
                looking.set(false);
            }
        }
    }

    private void lookUntilAllAnswer() {
        boolean goesOn = true;
        try {
            do {
                counters.lookAtLeftOut();
            } while (counters.isAnyLeftOut() && supplier.pause(LONGEST_PAUSE_NANOS));
        } catch (NumbersUnavailableException e) {
            goesOn = supplier.failed(e);
        } finally {
            // A store that is left out at this moment is asked after the next segment.
            looking.set(false);
        }
        if (!goesOn || !supplier.pause(0)) {
            counters.closeIdleConnections();
        }
    }

    /**
     * Looks at all stores and takes the first segment, unless the generator is open.
     *
     * @throws NumbersUnavailableException if there is none within {@code maxWait}, or a store has another counter of this name; the
     *     generator remains closed then
     */
    void open() {
        if (!supplier.open()) {
            return;
        }
        try {
            uninterrupted(this::takeFirst);
        } catch (Throwable e) {
            supplier.over();
            close();
            throw e;
        }
        supplier.over();
    }

    private void takeFirst() {
        long start = nanos.getAsLong();
        long step = supplier.step();
        while (true) {
            try {
                counters.open();
                take(step);
                return;
            } catch (NumbersUnavailableException e) {
                throw e;
            } catch (RuntimeException e) {
                long left = maxWait.toNanos() - (nanos.getAsLong() - start);
                if (left <= 0) {
                    throw new NumbersUnavailableException(
                            Reason.STORE_UNREACHABLE,
                            "No store gave numbers of '%s' within %d ms (%s)"
                                    .formatted(name, maxWait.toMillis(), e.getMessage()),
                            e);
                }
                LockSupport.parkNanos(Math.min(left, SHORTEST_PAUSE_NANOS));
            }
        }
    }

    /** Stops handing out numbers, and gives back those that were not issued. */
    void close() {
        SegmentSupplier.Rest rest = supplier.close();
        if (rest != null) {
            if (rest.ready() != null) {
                giveBack(rest.ready(), 0);
            }
            giveBack(rest.present(), rest.from());
            counters.closeIdleConnections();
        }
    }

    /** Gives back numbers, if no process has taken numbers since. If the store does not answer, they are lost, as after a kill. */
    private void giveBack(Segment segment, long from) {
        try {
            uninterrupted(() -> counters.giveBack(segment, from));
        } catch (RuntimeException | Error e) {
            // They are lost.
        }
    }

    /** Stores reject a thread that is interrupted, so the interrupt is put off. */
    private static void uninterrupted(Runnable body) {
        boolean interrupted = Thread.interrupted();
        try {
            body.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
