package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Reserves segments in the stores for a {@link SegmentSupplier}: the first segment when the generator is opened, all further segments in
 * the background before they are needed. It also asks excluded stores whether they answer again. It holds no lock while it waits for a
 * store.
 */
final class Prefetcher {

    private static final long SHORTEST_PAUSE_NANOS = 50_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final String name;
    private final StoreRotation counters;
    private final Duration maxWait;
    private final LongSupplier nanos;
    private final Executor background;
    private final AtomicBoolean probing = new AtomicBoolean();
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
                sizer, outage, maxWait, nanos, listener, () -> background.execute(this::fetchUntilDelivered));
    }

    private void fetchUntilDelivered() {
        try {
            long pause = SHORTEST_PAUSE_NANOS;
            // Computed only once, because few numbers are issued during an outage, which says nothing about how many
            // are needed.
            long step = supplier.step();
            while (!isDone(step) && supplier.pause(pause)) {
                pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            }
        } finally {
            supplier.fetchEnded();
        }
    }

    /** Fetches a segment. Returns false if it has to be tried again. */
    private boolean isDone(long step) {
        try {
            fetch(step);
            return true;
        } catch (RuntimeException e) {
            return !supplier.failed(e);
        }
    }

    private void fetch(long step) {
        long began = nanos.getAsLong();
        Segment segment = counters.reserve(step);
        if (supplier.arrived(segment, nanos.getAsLong() - began)) {
            probeExcluded();
        } else {
            returnUnused(segment, 0);
            counters.closeIdleConnections();
        }
    }

    /**
     * Starts to ask excluded stores in the background, until all of them answer. They may be slow, because other stores deliver numbers
     * meanwhile.
     */
    private void probeExcluded() {
        if (counters.isAnyExcluded() && probing.compareAndSet(false, true)) {
            try {
                background.execute(this::probeUntilAllAnswer);
            } catch (RuntimeException | Error e) {
                // No thread could be started. This is tried again after the next segment.
                probing.set(false);
            }
        }
    }

    private void probeUntilAllAnswer() {
        boolean retries = true;
        try {
            do {
                counters.probeExcluded();
            } while (counters.isAnyExcluded() && supplier.pause(LONGEST_PAUSE_NANOS));
        } catch (NumbersUnavailableException e) {
            retries = supplier.failed(e);
        } finally {
            // A store that is excluded at this very moment is asked after the next segment.
            probing.set(false);
        }
        if (!retries || !supplier.pause(0)) {
            counters.closeIdleConnections();
        }
    }

    /**
     * Checks all stores and fetches the first segment, unless the generator is open.
     *
     * @throws NumbersUnavailableException if no segment is available within {@code maxWait}, or if a store has a counter of this name with
     *     another start or increment; the generator then remains closed
     */
    void open() {
        if (!supplier.open()) {
            return;
        }
        try {
            uninterrupted(this::fetchFirst);
        } catch (Throwable e) {
            supplier.fetchEnded();
            close();
            throw e;
        }
        supplier.fetchEnded();
    }

    private void fetchFirst() {
        long start = nanos.getAsLong();
        long step = supplier.step();
        while (true) {
            try {
                counters.open();
                fetch(step);
                return;
            } catch (NumbersUnavailableException e) {
                throw e;
            } catch (RuntimeException e) {
                long left = maxWait.toNanos() - (nanos.getAsLong() - start);
                if (left <= 0) {
                    throw new NumbersUnavailableException(
                            Reason.STORE_UNREACHABLE,
                            "No store delivered numbers of '%s' within %s ms (%s)"
                                    .formatted(name, maxWait.toMillis(), e.getMessage()),
                            e);
                }
                LockSupport.parkNanos(Math.min(left, SHORTEST_PAUSE_NANOS));
            }
        }
    }

    /** Stops issuing numbers, and returns the numbers that were not issued to their store. */
    void close() {
        SegmentSupplier.Rest rest = supplier.close();
        if (rest != null) {
            if (rest.ready() != null) {
                returnUnused(rest.ready(), 0);
            }
            returnUnused(rest.current(), rest.from());
            counters.closeIdleConnections();
        }
    }

    /**
     * Returns numbers to their store, if no process has reserved numbers since. If the store does not answer, the numbers are lost, as
     * after a kill.
     */
    private void returnUnused(Segment segment, long from) {
        try {
            uninterrupted(() -> counters.returnUnused(segment, from));
        } catch (RuntimeException | Error e) {
            // The numbers are lost.
        }
    }

    /**
     * Runs code with the interrupt flag cleared and sets the flag again afterwards, because stores fail if the calling thread is
     * interrupted.
     */
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
