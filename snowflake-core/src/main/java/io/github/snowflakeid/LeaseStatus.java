package io.github.snowflakeid;

import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.internal.SafeCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator's lease as users see it: {@link WorkerLease.State} explains the states. The lease's thread
 * changes it, or the thread that closes the generator if the lease's thread hangs; any thread may measure the
 * registry's clock. Each field changes atomically, so it is safe for use by any number of threads.
 */
final class LeaseStatus {

    /** The reason for a loss that is not known yet. */
    static final String CHANGED = "its entry has changed";

    private final LeaseTerms terms;
    private final TimeSource time;
    private final LeasePhase phase;
    private final AtomicReference<LeaseValues> view;

    /** When the last grant or renewal was confirmed, as {@link TimeSource#nanos}. */
    private volatile long renewedSince;

    LeaseStatus(LeaseTerms terms, IdLayout layout, TimeSource time, LeasePhase phase) {
        this.terms = terms;
        this.time = time;
        this.phase = phase;
        Instant now = time.timestamp();
        String reason = "the registry has granted no worker ID yet";
        view = new AtomicReference<>(LeaseValues.of(State.LOST, 0, 0, layout.epoch(), now, now, reason));
    }

    /**
     * Returns when another process may acquire the worker ID although it was not released; null if this process never
     * had one.
     */
    @Nullable
    Instant freeAt() {
        return phase.isOpening() ? null : reported().fence().plus(terms.ttl());
    }

    /** Returns the time until {@link #freeAt}, without a limit if this process never had a worker ID. */
    long nanosUntilFree() {
        Instant free = freeAt();
        return free == null
                ? Long.MAX_VALUE
                : Math.max(0, Duration.between(time.timestamp(), free).toNanos());
    }

    /**
     * Returns the lease as it is now: ended if the clock has passed its fence, otherwise expiring if the last renewal
     * was confirmed more than half a ttl ago. A renewal is due after a third of the ttl, but while the registry does
     * not answer, the lease's thread reports nothing.
     */
    LeaseValues view() {
        LeaseValues lease = reported();
        boolean isLate = time.nanos() - renewedSince >= terms.ttl().toNanos() / 2 || isOver(lease);
        return lease.state() == State.HELD && isLate
                ? asOfNow(lease.with(State.EXPIRING, "no renewal was confirmed since " + lease.renewedAt()))
                : asOfNow(lease);
    }

    private boolean isOver(LeaseValues lease) {
        return !time.timestamp().isBefore(lease.fence());
    }

    /** Decides whether a lease that was not renewed in time is expiring or has ended. */
    private LeaseValues asOfNow(LeaseValues lease) {
        boolean isFailing = lease.state() == State.EXPIRING || lease.state() == State.ENDED;
        return isFailing ? lease.with(isOver(lease) ? State.ENDED : State.EXPIRING, lease.reason()) : lease;
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
        if (lease.state() != State.EXPIRING) {
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
     * listener. An exception of the listener has no effect on the lease. A closed lease stays closed, even if a call
     * that hung while it was closed is answered later.
     */
    void show(LeaseValues shown) {
        LeaseValues lease = asOfNow(shown);
        LeaseValues last = replace(lease);
        boolean sameWorker = lease.datacenterId() == last.datacenterId() && lease.workerId() == last.workerId();
        boolean sameReason = lease.state() != State.LOST || Objects.equals(lease.reason(), last.reason());
        if (last.state() != State.CLOSED && (lease.state() != last.state() || !sameWorker || !sameReason)) {
            LeaseValues news = lease.withClock(last.clockSkew(), last.clockReadAt());
            SafeCall.run(() -> terms.listener().accept(news));
        }
    }

    /**
     * Publishes that ID generation has stopped because the entry has changed. The listener is called when the reason is
     * known.
     */
    void stopped(LeaseValues lease) {
        replace(lease.with(State.LOST, CHANGED));
    }

    /** Returns the lease before. */
    private LeaseValues replace(LeaseValues lease) {
        return view.getAndUpdate(before ->
                before.state() == State.CLOSED ? before : lease.withClock(before.clockSkew(), before.clockReadAt()));
    }

    /** Returns the exception for a caller whose wait for the lease has timed out. */
    WorkerLeaseExpiredException expired(long waitedMillis) {
        LeaseValues now = view();
        String why = now.reason() == null ? "" : " (" + now.reason() + ")";
        String lease = "the lease of worker ID " + now.workerId();
        String ended = now.state() == State.LOST
                ? lease + " was lost and no other worker ID could be leased within"
                : lease + " expired at " + now.fence() + " and was not renewed within";
        String what = phase.isOpening() ? "no worker ID has been leased within" : ended;
        return new WorkerLeaseExpiredException("No ID issued: %s %s ms%s".formatted(what, waitedMillis, why), now);
    }
}
