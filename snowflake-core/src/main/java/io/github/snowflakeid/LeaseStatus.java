package io.github.snowflakeid;

import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.internal.SafeCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator's lease, from the opening of the generator until it is closed. The lease's thread, the
 * generator and its callers all read and change it. Each field changes atomically, so it is safe for use by any number
 * of threads.
 */
final class LeaseStatus {

    /**
     * The phases between opening and closing a generator, in this order. A phase may be skipped, but never comes back.
     */
    enum Phase {
        /** No worker ID has been claimed yet, so nothing must be released if the generator is closed now. */
        LOOKING,
        /** The registry may hold a claim of this lease, but no worker ID has been granted to the generator yet. */
        CLAIMING,
        /** A worker ID has been granted. If the lease is lost later, another worker ID is acquired in this phase. */
        OPEN,
        /** The generator is closed and its worker ID is being released. */
        CLOSING,
        /** The worker ID is released, or needs no release. The lease's thread ends. */
        ENDED
    }

    /** The reason for a loss that is not known yet. */
    static final String CHANGED = "its entry has changed";

    private final LeaseTerms terms;
    private final TimeSource time;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.LOOKING);
    private final AtomicReference<LeaseValues> view;

    /** Why no worker ID has been granted yet; null if unknown. */
    private volatile @Nullable WorkerIdUnavailableException failure;

    /** The start of the acquire timeout, as {@link TimeSource#nanos}. */
    private volatile long awaitedSince;

    /** When the last grant or renewal was confirmed, as {@link TimeSource#nanos}. */
    private volatile long renewedSince;

    /** Whether the registry may be about to open its first connection; the acquire timeout has not begun then. */
    private volatile boolean connecting = true;

    /** Whether the listener knows that the lease has expired without a renewal. Used only by the lease's thread. */
    private boolean expired;

    LeaseStatus(LeaseTerms terms, IdLayout layout, TimeSource time) {
        this.terms = terms;
        this.time = time;
        Instant now = time.timestamp();
        String reason = "the registry has granted no worker ID yet";
        view = new AtomicReference<>(LeaseValues.of(State.LOST, 0, 0, layout.epoch(), now, now, reason));
        awaitedSince = time.nanos();
    }

    // ---- the phase

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

    boolean hasEnded() {
        return phase() == Phase.ENDED;
    }

    /**
     * Announces a claim, so that closing the generator from now on releases it. Returns false if the generator has been
     * closed, so that no worker ID may be claimed.
     */
    boolean mayClaim() {
        Phase next = phase.updateAndGet(now -> now == Phase.LOOKING ? Phase.CLAIMING : now);
        return next.compareTo(Phase.OPEN) <= 0;
    }

    void opened() {
        phase.updateAndGet(now -> now.compareTo(Phase.OPEN) < 0 ? Phase.OPEN : now);
    }

    /**
     * Asks the lease's thread to release the worker ID, if it may have claimed one, and to end. The generator must have
     * stopped issuing IDs.
     */
    void close() {
        phase.updateAndGet(now -> now == Phase.LOOKING || now == Phase.ENDED ? Phase.ENDED : Phase.CLOSING);
    }

    void end() {
        phase.set(Phase.ENDED);
    }

    /** Lets the registry open its first connection, unless it was asked before. */
    void connect() {
        if (connecting) {
            terms.registry().connect();
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
     * Returns when another process may acquire the worker ID although it was not released; null if this process never
     * had one.
     */
    @Nullable
    Instant freeAt() {
        return isOpening() ? null : reported().fence().plus(terms.ttl());
    }

    /** Returns the time until {@link #freeAt}, without a limit if this process never had a worker ID. */
    long nanosUntilFree() {
        Instant free = freeAt();
        return free == null
                ? Long.MAX_VALUE
                : Math.max(0, Duration.between(time.timestamp(), free).toNanos());
    }

    // ---- the reason why no worker ID has been granted yet

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

    // ---- the state as users see it

    /**
     * Returns the lease as it is now: expiring if the clock has passed its fence, or if the last renewal was confirmed
     * more than half a ttl ago. A renewal is due after a third of the ttl, but while the registry does not answer, the
     * lease's thread reports nothing.
     */
    LeaseValues view() {
        LeaseValues lease = reported();
        boolean isLate = time.nanos() - renewedSince >= terms.ttl().toNanos() / 2
                || !time.timestamp().isBefore(lease.fence());
        return lease.state() == State.HELD && isLate
                ? lease.with(State.EXPIRING, "no renewal was confirmed since " + lease.renewedAt())
                : lease;
    }

    /** Returns the lease as it was {@linkplain #show reported} last. */
    LeaseValues reported() {
        return Objects.requireNonNull(view.get());
    }

    /** Reads the registry, and records the skew of its clock. */
    ClockedSnapshot readRegistry() {
        ClockedSnapshot snapshot = ClockedSnapshot.of(terms.registry(), time);
        view.updateAndGet(last -> last.withClock(snapshot.skew(), snapshot.here()));
        return snapshot;
    }

    /**
     * Returns when the clock reaches the fence, as {@link TimeSource#nanos}, if renewals fail and that is earlier than
     * {@code later}; otherwise {@code later}.
     */
    long fenceOr(long later) {
        LeaseValues lease = reported();
        if (lease.state() != State.EXPIRING || expired) {
            return later;
        }
        long fence =
                time.nanos() + Duration.between(time.timestamp(), lease.fence()).toNanos();
        return later - fence > 0 ? fence : later;
    }

    /** Publishes a lease whose grant or renewal the registry has just confirmed. */
    void confirmed(LeaseValues lease) {
        renewedSince = time.nanos();
        show(lease);
    }

    /**
     * Publishes the state of the lease, with the last measurement of the registry's clock, and reports changes to the
     * listener. An exception of the listener has no effect on the lease.
     */
    void show(LeaseValues lease) {
        LeaseValues last = view.getAndUpdate(before -> lease.withClock(before.clockSkew(), before.clockReadAt()));
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
            LeaseValues news = lease.withClock(last.clockSkew(), last.clockReadAt());
            SafeCall.run(() -> terms.listener().accept(news));
        }
    }

    /**
     * Publishes that ID generation has stopped because the entry has changed. The listener is called when the reason is
     * known.
     */
    void stopped(LeaseValues lease) {
        view.updateAndGet(
                before -> lease.with(State.LOST, CHANGED).withClock(before.clockSkew(), before.clockReadAt()));
    }

    /** Returns the exception for a caller whose wait for the lease has timed out. */
    WorkerLeaseExpiredException expired(long waitedMillis) {
        LeaseValues now = view();
        String why = now.reason() == null ? "" : " (" + now.reason() + ")";
        String lease = "the lease of worker ID " + now.workerId();
        String ended = now.state() == State.LOST
                ? lease + " was lost and no other worker ID could be leased within"
                : lease + " expired at " + now.fence() + " and was not renewed within";
        String what = isOpening() ? "no worker ID has been leased within" : ended;
        return new WorkerLeaseExpiredException("No ID issued: %s %s ms%s".formatted(what, waitedMillis, why), now);
    }
}
