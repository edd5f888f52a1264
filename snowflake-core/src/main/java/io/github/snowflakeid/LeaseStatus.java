package io.github.snowflakeid;

import io.github.snowflakeid.internal.SafeCall;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How the lease of a generator stands, from one opening of the generator to its next closing. The lease's thread, the generator and
 * its callers all read and change it; each field changes atomically, so it is safe for use by many threads.
 */
final class LeaseStatus {

    /** The phases of an opening, in their order. An opening may skip phases, but never goes back. */
    enum Phase {
        /** No worker ID has been claimed yet, so there is nothing to release if the generator is closed now. */
        LOOKING,
        /** The registry may hold a claim of this lease, but no worker ID has been granted to the generator yet. */
        CLAIMING,
        /** A worker ID has been granted. If the lease is lost later, another worker ID is acquired in this phase. */
        OPEN,
        /** The generator is closed, and its worker ID is being released. */
        CLOSING,
        /** The lease's thread ends. */
        ENDED
    }

    private final LeaseTerms terms;
    private final TimeSource time;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.LOOKING);
    private final AtomicReference<WorkerLease> view;

    /** Why no worker ID has been granted yet, as far as known. */
    private volatile @Nullable WorkerIdUnavailableException refusal;

    /** {@link TimeSource#nanos} from which on the opening may take as long as the acquire timeout says. */
    private volatile long awaitedSince;

    /** Whether the listener knows that the fence has passed. Used by the lease's thread only. */
    private boolean expired;

    LeaseStatus(LeaseTerms terms, IdLayout layout, TimeSource time) {
        this.terms = terms;
        this.time = time;
        Instant now = time.timestamp();
        String reason = "the registry has granted none yet";
        view = new AtomicReference<>(
                WorkerLease.of(State.LOST, 0, 0, layout.epoch(), now, now).with(State.LOST, reason));
        awaitedSince = time.nanos();
    }

    // ---- the phase

    private Phase phase() {
        return Objects.requireNonNull(phase.get());
    }

    boolean isOpening() {
        return phase().compareTo(Phase.OPEN) < 0;
    }

    /** Whether the generator has been closed. */
    boolean isClosed() {
        return phase().compareTo(Phase.OPEN) > 0;
    }

    boolean hasEnded() {
        return phase() == Phase.ENDED;
    }

    /** Announces a claim, which closing the generator then releases. Returns false if the generator has been closed: claim nothing. */
    boolean mayClaim() {
        Phase next = phase.updateAndGet(now -> now == Phase.LOOKING ? Phase.CLAIMING : now);
        return next.compareTo(Phase.OPEN) <= 0;
    }

    void opened() {
        phase.updateAndGet(now -> now.compareTo(Phase.OPEN) < 0 ? Phase.OPEN : now);
    }

    /**
     * Asks the lease's thread to release the worker ID, if it may have claimed one, and to end. The generator issues no IDs any more.
     */
    void close() {
        phase.updateAndGet(now -> now == Phase.LOOKING || now == Phase.ENDED ? Phase.ENDED : Phase.CLOSING);
    }

    void end() {
        phase.set(Phase.ENDED);
    }

    // ---- why there is no worker ID yet

    /**
     * Remembers why no worker ID is held yet.
     *
     * @param begin when the time begins that opening the generator may take, as {@link TimeSource#nanos}. It begins later if a worker ID
     *     was acquired whose IDs begin later.
     */
    void refuse(WorkerIdUnavailableException why, long begin) {
        refusal = why;
        awaitedSince = begin;
    }

    @Nullable
    WorkerIdUnavailableException refusal() {
        return refusal;
    }

    long awaitedSince() {
        return awaitedSince;
    }

    // ---- what users see

    WorkerLease view() {
        return Objects.requireNonNull(view.get());
    }

    /** Reads the registry, and remembers how far its clock is ahead. */
    ClockedSnapshot readRegistry() {
        ClockedSnapshot snapshot = ClockedSnapshot.of(terms.registry(), time);
        view.updateAndGet(last -> last.withClock(snapshot.skew(), snapshot.here()));
        return snapshot;
    }

    /** Returns when the fence passes, as {@link TimeSource#nanos}, if that is before a time and renewals fail; otherwise that time. */
    long fenceOr(long later) {
        WorkerLease lease = view();
        if (lease.state() != State.EXPIRING || expired) {
            return later;
        }
        long fence =
                time.nanos() + Duration.between(time.timestamp(), lease.fence()).toNanos();
        return later - fence > 0 ? fence : later;
    }

    /**
     * Publishes how the lease stands, with the last measurement of the registry's clock, and reports changes to the listener. Survives
     * whatever the listener throws.
     */
    void show(WorkerLease lease) {
        WorkerLease last = view.getAndUpdate(before -> lease.withClock(before.clockSkew(), before.clockReadAt()));
        boolean sameWorker = lease.datacenterId() == last.datacenterId() && lease.workerId() == last.workerId();
        boolean sameReason = lease.state() != State.LOST || Objects.equals(lease.reason(), last.reason());
        boolean isNews = lease.state() != last.state() || !sameWorker || !sameReason;
        if (isNews) {
            expired = false;
        } else if (lease.state() == State.EXPIRING && !expired) {
            expired = !lease.fence().isAfter(time.timestamp());
            isNews = expired;
        }
        if (isNews) {
            WorkerLease news = lease.withClock(last.clockSkew(), last.clockReadAt());
            SafeCall.run(() -> terms.listener().accept(news));
        }
    }

    /** Returns what a caller gets who has waited for the lease in vain. */
    WorkerLeaseExpiredException expired(long waitedMillis) {
        WorkerLease now = view();
        String why = now.reason() == null ? "" : " (" + now.reason() + ")";
        String lease = "Lease of worker id " + now.workerId();
        String ended = now.state() == State.LOST
                ? lease + " was lost and no other worker id leased within"
                : lease + " ended at " + now.fence() + " and was not renewed within";
        String what = isOpening() ? "No worker id leased yet, waited" : ended;
        return new WorkerLeaseExpiredException("%s %d ms%s; no id issued".formatted(what, waitedMillis, why), now);
    }
}
