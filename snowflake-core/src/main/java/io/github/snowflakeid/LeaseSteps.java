package io.github.snowflakeid;

import io.github.snowflakeid.CandidateSelector.Candidate;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a lease: acquiring a worker ID, renewing the lease, replacing a lost one, and releasing the worker ID when the generator is
 * closed. Only the lease's thread uses this class. A step returns the time at which the next step is due, as {@link TimeSource#nanos}.
 *
 * <p><b>Why two IDs are never equal.</b> A lease is a range of ticks of one worker ID. The registry stores the end of that range as {@code
 * reservedUntil} before the first ID of the range is issued. Each acquisition, renewal and release is one atomic write, on the condition
 * that the entry has the owner and the {@code reservedUntil} that this process knew last. Each acquisition uses a new owner, which is a
 * random token. So the ranges of a worker ID follow one another without overlap, even if a write takes effect late. The fence that stops the
 * generator moves only after the registry has confirmed the write. The fence is compared with the tick of the ID itself, so neither a wrong
 * clock nor a paused thread matters. Clocks only decide when another process may take over an entry.
 *
 * <p><b>Confirmed and unconfirmed writes.</b> {@link #held} is the lease that the registry has confirmed. {@link #handOver} gives the
 * generator the allocation of this lease, or an empty allocation if there is no lease. {@link #renewing} and {@link #acquiring} are writes
 * that are not confirmed yet, mostly because the registry has not answered. No ID is issued from them before the registry has confirmed
 * them, either by its answer or by the entry that a later step reads.
 *
 * <p><b>Why a late answer does no harm.</b> An answer may arrive after the generator was closed, or even opened again with another lease.
 * The generator's allocation is replaced only if it still is the object that this lease handed over last. Closing the generator replaces
 * that object, and each opening begins with a new one, so a late answer changes nothing. A worker ID that was acquired too late is released,
 * or expires if the registry does not answer. A write that takes effect after its call has failed only reserves ticks that no process uses.
 *
 * <p><b>Why an error does no harm.</b> A step may fail with any error at any point. Only {@link #granted}, {@link #stop} and {@link #release}
 * change which worker ID is held, in assignments that cannot fail. If an error occurs before such an assignment, the next step repeats the
 * work. If an error occurs after it, the next step hands over the held lease.
 */
final class LeaseSteps {

    /** The longest pause after another process was faster to acquire a worker ID. */
    private static final int AFTER_A_RACE_NANOS = 20_000_000;

    /** How many races for another worker ID may be lost before the held worker ID is tried again. */
    private static final int RACES = 5;

    /** The pause if the generator was closed while a worker ID was acquired: the closing thread is about to set the status. */
    private static final long UNTIL_CLOSED_NANOS = 50_000_000;

    private final SlotIssuer issuer;
    private final LeaseTerms terms;
    private final LeaseStatus status;
    private final WorkerRegistry registry;
    private final IdLayout layout;
    private final TimeSource time;
    private final LeaseFailures failures;
    private final CandidateSelector candidates;
    private final Reservation reservation;
    private final TrustedClock clock;

    /** The allocation that this lease gave the generator last. */
    private Allocation handedOver;

    /** The lease that the registry has confirmed; null if there is none. */
    private @Nullable Held held;

    /**
     * An unconfirmed renewal of the held lease. The next renewal asks for the same end, so that the effect of either one can be recognized.
     */
    private @Nullable Claim renewing;

    /** An acquisition that is not confirmed or not granted yet. */
    private @Nullable Acquisition acquiring;

    /** Whether the generator has had a worker ID since it was opened. */
    private boolean everGranted;

    private record Held(Claim claim, Allocation allocation, WorkerLease view) {}

    /**
     * An entry that was written, or may have been written, and is not held yet.
     *
     * @param usedUntil the end of the range that was reserved before, to be written back if the acquisition is given up
     * @param floor the registry's floor at the time of the write; the claim begins there even if the floor has become lower since
     */
    private record Acquisition(Claim claim, Instant usedUntil, Instant floor) {}

    /** @throws IllegalArgumentException if the datacenter ID of the terms does not fit the layout */
    LeaseSteps(SlotIssuer issuer, Allocation vacancy, LeaseTerms terms, LeaseStatus status) {
        this.issuer = issuer;
        handedOver = vacancy;
        this.terms = terms;
        this.status = status;
        registry = terms.registry();
        layout = issuer.layout;
        time = issuer.time;
        failures = new LeaseFailures(terms);
        candidates = new CandidateSelector(terms, layout, time);
        reservation = new Reservation(layout, time, terms.ttl(), issuer.budget.tolerated());
        clock = new TrustedClock(time);
        layout.nodeOf(terms.datacenterId().orElse(0), 0);
    }

    /** Returns whether an early renewal can help. If the clock is ahead, a renewal would not move the fence far enough. */
    boolean canHurry() {
        return held != null && !clock.isAhead();
    }

    /** Renews the held lease, or acquires a worker ID if none is held. */
    long keep() {
        handOver();
        Held mine = held;
        return mine == null ? acquire(null) : renew(mine);
    }

    /**
     * Gives the generator the allocation of the held lease, or an empty allocation if no lease is held. Returns false if the allocation
     * would have changed, but the generator was closed.
     */
    private boolean handOver() {
        Held mine = held;
        Allocation next = handedOver;
        if (mine != null) {
            next = mine.allocation;
        } else if (handedOver.hasSlots()) {
            next = handedOver.vacant();
        }
        if (next != handedOver && !issuer.replace(handedOver, next)) {
            return false;
        }
        handedOver = next;
        return true;
    }

    private long nextRenewal(long begin) {
        return begin + terms.ttl().toNanos() / 3;
    }

    // ---- acquire

    /**
     * Acquires a worker ID.
     *
     * @param stuck the held lease, if the registry answers but its entry does not; null if no lease is held
     */
    private long acquire(@Nullable Held stuck) {
        long begin = time.nanos();
        ClockedSnapshot snapshot = status.readRegistry();
        if (!everGranted) {
            candidates.checkSkew(snapshot);
        }
        Snapshot seen = snapshot.seen();
        Instant now = clock.now(terms.maxClockSkew(), () -> snapshot);
        boolean anyUsed = candidates.checkLayouts(seen);
        Claim unanswered = renewing;
        if (stuck != null && unanswered != null && seen.contains(unanswered)) {
            return confirmed(stuck, unanswered, begin);
        }
        Acquisition pending = acquiring;
        if (pending != null && seen.contains(pending.claim)) {
            return grantOnceBegun(pending, now, begin);
        }
        if (stuck != null && seen.floor().isAfter(now)) {
            // The IDs of another worker ID would begin only after the held lease has ended.
            return begin;
        }
        Candidate candidate = candidates.select(seen, now, issuer.budget.tolerated());
        Claim claim = reservation.of(candidate, seen.floor(), now, terms.ownerInfo());
        pending = new Acquisition(claim, candidate.used(), seen.floor());
        if (!status.mayClaim()) {
            return begin;
        }
        acquiring = pending;
        candidates.avoid(claim);
        boolean acquired;
        try {
            acquired = registry.acquire(candidate.entry(), claim, reservation.validity(seen));
        } catch (WorkerIdUnavailableException e) {
            // Nothing was written.
            acquiring = null;
            throw e;
        }
        if (!acquired) {
            acquiring = null;
            candidates.raceLost();
            return time.nanos() + time.draw(AFTER_A_RACE_NANOS);
        }
        if (!anyUsed) {
            // No entry showed the layout of the namespace, so another process may have just begun with another layout.
            candidates.checkLayouts(registry.read());
        }
        return grantOnceBegun(pending, now, begin);
    }

    /**
     * Grants an acquired worker ID. While the registry may have lost leases, a claim is an empty range at the registry's floor. It reserves
     * the worker ID, and is granted and extended once the clock has reached the floor.
     */
    private long grantOnceBegun(Acquisition acquisition, Instant now, long begin) {
        Instant start = acquisition.claim.reservedFrom();
        boolean isEmpty = acquisition.claim.reservedUntil().equals(start);
        if (!isEmpty || !acquisition.floor.isAfter(now)) {
            long due = granted(acquisition.claim, begin);
            return isEmpty ? begin : due;
        }
        long nanos = time.nanos();
        long later = nanos + Duration.between(now, start).toNanos();
        String why = "the registry may have lost leases; IDs begin at " + start;
        status.show(status.view().with(State.LOST, why));
        status.failed(failures.waiting(why), later);
        // The clock may be set during the wait, so the next step checks again before its end.
        return Math.min(later, nextRenewal(nanos));
    }

    /** Grants a worker ID. This is the only place where the generator gets a new worker ID. */
    private long granted(Claim claim, long begin) {
        stop();
        String origin = "leased, namespace '" + registry.namespace() + "'";
        WorkerId worker = new WorkerId(claim.datacenterId(), claim.workerId(), origin);
        WorkerLease view = reservation.held(claim, time.timestamp(), clock);
        long start = layout.tickAtOrAfter(claim.reservedFrom());
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        Allocation allocation = Allocation.leased(
                new Allocation.Grant(worker, layout, start, fence, reservation.near(fence)),
                issuer.firstSlot(start, fence),
                handedOver);
        Held granted = new Held(claim, allocation, view);
        // If an error occurs before this line, the next step repeats the grant; if after, it hands over the held lease.
        held = granted;
        acquiring = null;
        renewing = null;
        if (!handOver()) {
            return time.nanos() + UNTIL_CLOSED_NANOS;
        }
        everGranted = true;
        candidates.done();
        issuer.statistics.acquired.increment();
        status.show(view);
        status.opened();
        return nextRenewal(begin);
    }

    // ---- renew

    private long renew(Held mine) {
        Claim unanswered = renewing;
        Claim target = unanswered == null ? extended(mine) : unanswered;
        long begin = time.nanos();
        renewing = target;
        boolean renewed;
        try {
            renewed = registry.renew(mine.claim, target.reservedUntil(), terms.ttl());
        } catch (Throwable e) {
            if (!reservation.isRunningOut(mine.claim, mine.allocation.lastTick())) {
                throw e;
            }
            status.show(mine.view.with(State.EXPIRING, LeaseFailures.messages(e)));
            if (!acquiredInsteadOf(mine)) {
                throw e;
            }
            issuer.statistics.failed.increment();
            return held != null && !held.claim.owner().equals(mine.claim.owner()) ? nextRenewal(begin) : begin;
        }
        if (renewed) {
            long due = confirmed(mine, target, begin);
            // The end that an earlier attempt asked for is near by now: renew again immediately.
            return unanswered == null ? due : begin;
        }
        renewing = unanswered;
        if (unanswered == null) {
            stop();
        }
        Snapshot seen = registry.read();
        if (unanswered != null && seen.contains(unanswered)) {
            confirmed(mine, unanswered, begin);
        } else {
            lost(mine, LeaseFailures.reasonOfLoss(mine.claim, seen));
        }
        return begin;
    }

    private Claim extended(Held mine) {
        // Slots that callers have claimed beyond the fence are never issued, so they do not count.
        long nextTick = Math.min(mine.allocation.next() >>> layout.sequenceBits(), mine.allocation.fence());
        Instant now = clock.now(terms.maxClockSkew(), status::readRegistry);
        return mine.claim.until(reservation.extension(mine.claim, nextTick, now));
    }

    /**
     * Acquires another worker ID if the registry answers but the entry of the held lease does not, for example because a transaction has
     * locked its row. Returns whether this or another renewal succeeded.
     */
    private boolean acquiredInsteadOf(Held stuck) {
        candidates.avoid(stuck.claim);
        try {
            if (registry.read().entryOf(stuck.claim) != null && isRenewed(stuck)) {
                // The whole registry was unavailable and is available again.
                return true;
            }
            for (int races = 0; renewing != null && races < RACES; races++) {
                acquire(stuck);
            }
        } catch (RuntimeException e) {
            // The caller reports the failure of the renewal instead.
        }
        return renewing == null;
    }

    private boolean isRenewed(Held stuck) {
        long begin = time.nanos();
        Claim target = Objects.requireNonNull(renewing);
        try {
            if (registry.renew(stuck.claim, target.reservedUntil(), terms.ttl())) {
                confirmed(stuck, target, begin);
                return true;
            }
        } catch (RuntimeException e) {
            // Only this entry does not answer, so the caller acquires another worker ID.
        }
        return false;
    }

    /** Moves the fence after the registry has confirmed a renewal. */
    private long confirmed(Held before, Claim claim, long begin) {
        WorkerLease view = reservation.held(claim, before.view.acquiredAt(), clock);
        Held next = new Held(claim, before.allocation, view);
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        next.allocation.moveFence(fence, reservation.near(fence));
        held = next;
        renewing = null;
        everGranted = true;
        candidates.done();
        issuer.statistics.renewed.increment();
        status.show(view);
        // The grant may have ended with an error before it set this.
        status.opened();
        return nextRenewal(begin);
    }

    /** Stops ID generation. Called before the registry is read and before anything is reported. */
    private void stop() {
        held = null;
        renewing = null;
        handOver();
    }

    private void lost(Held mine, String reason) {
        stop();
        issuer.statistics.failed.increment();
        status.show(mine.view.with(State.LOST, reason));
    }

    /** Reports the failure of a step. */
    void failed(Throwable e) {
        WorkerIdUnavailableException failure = failures.of(e);
        if (held != null) {
            status.show(held.view.with(State.EXPIRING, LeaseFailures.messages(e)));
        } else if (everGranted) {
            WorkerLease before = status.view();
            // The first time, the entry was found to have changed, and reading the registry for the reason failed.
            boolean isNews = before.state() != State.LOST;
            status.show(before.with(State.LOST, isNews ? "its entry has changed" : LeaseFailures.messages(e)));
        } else {
            status.failed(failure, Math.min(status.awaitedSince(), time.nanos()));
        }
        Acquisition pending = acquiring;
        if (pending != null && failure.reason() == Reason.LAYOUT_MISMATCH) {
            acquiring = null;
            registry.release(pending.claim, pending.usedUntil);
        }
    }

    // ---- release

    /**
     * Releases the worker ID. Its entry then ends with the tick of the last ID, so that the next holder need not wait for the rest of the
     * range.
     *
     * @param again whether an earlier attempt may have released it
     */
    void release(boolean again) {
        boolean released = true;
        Held mine = held;
        if (mine != null) {
            Instant afterLast = layout.timestampOf(mine.allocation.lastTick() + 1);
            released = registry.release(mine.claim, Reservation.used(mine.claim, afterLast));
            Claim unanswered = renewing;
            if (!released && unanswered != null) {
                released = registry.release(unanswered, Reservation.used(unanswered, afterLast));
            }
            held = null;
        }
        Acquisition pending = acquiring;
        if (pending != null) {
            registry.release(pending.claim, pending.usedUntil);
            acquiring = null;
        }
        closed(released || again ? null : "its entry no longer belonged to this process");
    }

    /** Reports that the worker ID could not be released. */
    void notReleased(Throwable e) {
        closed("it could not be released (" + LeaseFailures.messages(e) + ")");
    }

    /** @param reason why the worker ID was not released; null if it was */
    private void closed(@Nullable String reason) {
        if (everGranted) {
            status.show(status.view().with(State.CLOSED, reason));
        }
    }
}
