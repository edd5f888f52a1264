package io.github.snowflakeid;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How far a generator's lease is between the opening of the generator and its end, and why no worker ID has been
 * granted yet. The lease's thread, and the threads that open or close the generator, all read and change it. Each field
 * changes atomically, so it is safe for use by any number of threads.
 */
final class LeasePhase {

    /**
     * The phases between opening and closing a generator, in this order. A phase may be skipped, but never comes back.
     */
    private enum Phase {
        /** No worker ID has been claimed yet, so nothing must be released if the generator is closed now. */
        LOOKING,
        /** The registry may hold a claim of this lease, but no worker ID has been granted to the generator yet. */
        CLAIMING,
        /** A worker ID has been granted. If the lease is lost later, another worker ID is acquired in this phase. */
        OPEN,
        /** The generator is closed and its worker ID is being released. */
        CLOSING,
        /** The worker ID is released, or needs no release. The lease's thread stops. */
        DONE
    }

    private final WorkerRegistry registry;
    private final TimeSource time;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.LOOKING);

    /** Why no worker ID has been granted yet; null if unknown. */
    private volatile @Nullable WorkerIdUnavailableException failure;

    /** The start of the acquire timeout, as {@link TimeSource#nanos}. */
    private volatile long awaitedSince;

    /** Whether the registry may be about to open its first connection; the acquire timeout has not begun then. */
    private volatile boolean connecting = true;

    LeasePhase(WorkerRegistry registry, TimeSource time) {
        this.registry = registry;
        this.time = time;
        awaitedSince = time.nanos();
    }

    private Phase phase() {
        return Objects.requireNonNull(phase.get());
    }

    boolean isOpening() {
        return phase().compareTo(Phase.OPEN) < 0;
    }

    /** Returns whether the generator has been closed. */
    boolean isClosed() {
        return phase().compareTo(Phase.OPEN) > 0;
    }

    boolean isDone() {
        return phase() == Phase.DONE;
    }

    /**
     * Announces a claim, so that closing the generator from now on releases it. Returns false if the generator has been
     * closed, so that no worker ID may be claimed.
     */
    boolean announceClaim() {
        Phase next = phase.updateAndGet(now -> now == Phase.LOOKING ? Phase.CLAIMING : now);
        return next.compareTo(Phase.OPEN) <= 0;
    }

    void opened() {
        phase.updateAndGet(now -> now.compareTo(Phase.OPEN) < 0 ? Phase.OPEN : now);
    }

    /**
     * Asks the lease's thread to release the worker ID, if it may have claimed one, and to stop. The generator must
     * have stopped issuing IDs.
     */
    void close() {
        phase.updateAndGet(now -> now == Phase.LOOKING || now == Phase.DONE ? Phase.DONE : Phase.CLOSING);
    }

    void done() {
        phase.set(Phase.DONE);
    }

    // ---- the reason why no worker ID has been granted yet

    /** Lets the registry open its first connection, unless it was asked before. */
    void connect() {
        if (connecting) {
            registry.connect();
            awaitedSince = time.nanos();
            connecting = false;
        }
    }

    /** Begins the acquire timeout even if there is no first connection, once the reason is recorded. */
    void connectionFailed() {
        connecting = false;
    }

    boolean isConnecting() {
        return connecting;
    }

    /**
     * Records why no worker ID has been granted yet.
     *
     * @param begin the start of the acquire timeout, as {@link TimeSource#nanos}. It is in the future if a worker ID
     *     was acquired whose IDs begin then.
     */
    void failed(WorkerIdUnavailableException why, long begin) {
        failure = why;
        awaitedSince = begin;
    }

    /**
     * Returns whether no worker ID will be granted, however often the registry is asked. Asking again could lock an
     * account.
     */
    boolean hasFailed() {
        WorkerIdUnavailableException why = failure;
        return isOpening() && why != null && LeaseFailures.isFinal(why);
    }

    @Nullable
    WorkerIdUnavailableException failure() {
        return failure;
    }

    long awaitedSince() {
        return awaitedSince;
    }
}
