package io.github.snowflakeid;

import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A generator that lives on a lease, from one opening to the next closing. Its allocation is replaced on the condition
 * that it is the one that this tenant was given last; so what comes late, after a closing, changes nothing.
 */
final class Tenant {

    private static final VarHandle VIEW;

    static {
        try {
            VIEW = MethodHandles.lookup().findVarHandle(Tenant.class, "view", WorkerLease.class);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    final SlotIssuer issuer;
    final LeaseTerms terms;
    final long driftTicks;

    /** What the issuer has, unless it was closed. Used by who holds the lock of the lease. */
    private Allocation current;

    private volatile WorkerLease view;

    /** Whether there ever was a worker id. Changed as {@link #current} is. */
    private volatile boolean hasLeased;

    /** Who waits for the lease on behalf of the generator. */
    volatile @Nullable Thread waiting;

    Tenant(SlotIssuer issuer, Allocation vacancy, LeaseTerms terms, long driftTicks, WorkerLease view) {
        this.issuer = issuer;
        current = vacancy;
        this.terms = terms;
        this.driftTicks = driftTicks;
        this.view = view;
    }

    /** How the lease of a generator stands that has had none. */
    static WorkerLease notLeased(IdLayout layout, Instant now) {
        return new WorkerLease(
                State.LOST, 0, 0, layout.epoch(), now, now, Duration.ZERO, now, "the registry has granted none yet");
    }

    /**
     * Whether others would have to wait because of this one: all who share an allocation go on behind its last id, which is later
     * than any of them may make ids now.
     */
    boolean isTooFarAheadFor(Allocation common) {
        long lastTick = issuer.allocation().lastTick();
        long drift = Math.min(driftTicks, common.maxDriftTicks());
        return lastTick >= common.fence() || lastTick - issuer.ticks.current() > drift;
    }

    /** Gives the generator another allocation; false if it was closed meanwhile. */
    boolean take(Allocation next) {
        // First: nothing may come between the replacement and what says so.
        hasLeased |= next.hasSlots();
        if (!issuer.replace(current, next)) {
            return false;
        }
        current = next;
        return true;
    }

    /** How the lease stands. */
    WorkerLease view() {
        return view;
    }

    /** Remembers how far the registry's clock is ahead. */
    void measured(ClockedSnapshot reading) {
        WorkerLease before;
        do {
            before = view;
        } while (!VIEW.compareAndSet(this, before, before.withClock(reading.skew(), reading.here())));
    }

    /**
     * Publishes how the lease stands, and tells the listener if that is news. What was measured last of the registry's clock stays.
     * Survives whatever the listener throws. Once it is closed, it remains so.
     */
    void show(WorkerLease lease) {
        WorkerLease before;
        WorkerLease next;
        do {
            before = view;
            if (before.state() == State.CLOSED) {
                return;
            }
            next = lease.withClock(before.clockSkew(), before.clockReadAt());
        } while (!VIEW.compareAndSet(this, before, next));
        boolean sameWorker = next.datacenterId() == before.datacenterId() && next.workerId() == before.workerId();
        boolean sameReason = next.state() != State.LOST || Objects.equals(next.reason(), before.reason());
        if (next.state() == before.state() && sameWorker && sameReason) {
            return;
        }
        try {
            terms.listener().accept(next);
        } catch (Throwable ofListener) {
            try {
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, ofListener);
            } catch (Throwable ofHandler) {
                // Nobody is left to tell; the lease goes on.
            }
        }
    }

    /** Says what is wrong, on the terms of this one. Made when there is trouble, not at each start. */
    LeaseFailures trouble() {
        return new LeaseFailures(terms);
    }

    /** What a caller gets who has waited for the fence to move. */
    WorkerLeaseExpiredException expired(long waitedMillis) {
        WorkerLease now = view();
        String why = now.reason() == null ? "" : " (" + now.reason() + ")";
        return new WorkerLeaseExpiredException(whatEnded(now, waitedMillis) + why + "; no id issued", now);
    }

    private String whatEnded(WorkerLease now, long waitedMillis) {
        if (!hasLeased) {
            return "No worker id leased yet, waited %d ms".formatted(waitedMillis);
        }
        return now.state() == State.LOST
                ? "Lease of worker id %d was lost and no other worker id leased within %d ms"
                        .formatted(now.workerId(), waitedMillis)
                : "Lease of worker id %d ended at %s and was not renewed within %d ms"
                        .formatted(now.workerId(), now.fence(), waitedMillis);
    }
}
