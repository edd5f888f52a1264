package io.github.snowflakeid.segment;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Reserves segments in the stores for a {@link SegmentSupplier}: the first segment when the generator is opened, all
 * further segments in the background before they are needed. It also asks excluded stores whether they answer again. It
 * holds no lock while it waits for a store.
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
            Outage outage,
            Duration maxWait,
            LongSupplier nanos,
            Executor background) {
        this.name = name;
        this.counters = counters;
        this.maxWait = maxWait;
        this.nanos = nanos;
        this.background = background;
        supplier =
                new SegmentSupplier(sizer, outage, maxWait, nanos, () -> background.execute(this::fetchUntilDelivered));
    }

    private void fetchUntilDelivered() {
        try {
            long pause = SHORTEST_PAUSE_NANOS;
            // Computed only once, because few numbers are issued during an outage, which says nothing about how many
            // are needed.
            long step = supplier.step();
            while (!isFetched(step) && supplier.pause(pause)) {
                pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            }
        } finally {
            supplier.fetchEnded();
        }
    }

    private boolean isFetched(long step) {
        try {
            fetch(step);
            return true;
        } catch (RuntimeException e) {
            supplier.failed(e);
            return false;
        }
    }

    private void fetch(long step) {
        long began = nanos.getAsLong();
        Segment segment = counters.reserve(step);
        if (supplier.arrived(segment, nanos.getAsLong() - began)) {
            probeExcluded();
        } else {
            counters.returnUnused(segment);
            counters.closeIdleConnections();
        }
    }

    /**
     * Starts to ask excluded stores in the background, until all of them answer. They may be slow, because other stores
     * deliver numbers meanwhile.
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
        try {
            do {
                counters.probeExcluded();
            } while (counters.isAnyExcluded() && supplier.pause(LONGEST_PAUSE_NANOS));
        } catch (NumbersUnavailableException e) {
            supplier.failed(e);
        } finally {
            // A store that is excluded at this very moment is asked after the next segment.
            probing.set(false);
        }
        if (!supplier.pause(0)) {
            counters.closeIdleConnections();
        }
    }

    /**
     * Checks all stores and fetches the first segment, unless the generator is open.
     *
     * @throws NumbersUnavailableException if no segment is available within {@code maxWait}, or if a store has a
     *     counter of this name with another start or increment; the generator then remains closed
     */
    void open() {
        if (!supplier.open()) {
            return;
        }
        try {
            fetchFirst();
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

    /** Stops issuing numbers, and returns the numbers that were not issued to their stores. */
    void close() {
        if (supplier.isOpen()) {
            supplier.close().forEach(counters::returnUnused);
            counters.closeIdleConnections();
        }
    }
}
