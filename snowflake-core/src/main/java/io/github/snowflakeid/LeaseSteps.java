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
 * The steps of a lease: acquire a worker ID, renew it, replace it if it is lost, and release it when the generator is closed. Used by
 * the lease's thread only. A step returns when the next step is due, as {@link TimeSource#nanos}.
 *
 * <p><b>Why IDs are never equal.</b> A lease is a range of ticks of one worker ID. The registry holds the end of that range as {@code
 * reservedUntil} before the first ID in it is issued. Each acquisition, renewal and release is one atomic write on the condition that
 * the entry has the owner and the {@code reservedUntil} that this process last knew; each acquisition has an owner of its own, a random
 * token. So the ranges of a worker ID follow one another without overlap, even if a write takes effect late. The fence that stops the generator moves only after the registry has confirmed
 * the write, and it is compared with the ID's own tick: neither a wrong clock nor a paused thread matters. Clocks only decide when
 * another process may take over an entry.
 *
 * <p><b>Who holds what.</b> {@link #held} is what the registry has confirmed. The generator follows it: {@link #handOver} gives the
 * generator the allocation of what is held, or a vacancy. {@link #renewing} and {@link #acquiring} are writes that are not held yet, mostly
 * because the registry has not answered. No ID is issued from them before the registry has confirmed them, by its answer or by what it
 * holds when a later step reads it.
 *
 * <p><b>Why a late answer does no harm.</b> An answer may come after the generator was closed, or even opened again with another lease.
 * The generator's allocation is replaced on the condition that it is the object that this lease handed over last. Closing a generator
 * replaces it, and each opening begins with a new object, so the answer changes nothing. What was acquired in vain is released, or expires
 * if the registry does not answer. A write that takes effect after the call has failed only reserves ticks that no process uses.
 *
 * <p><b>Why an error does no harm.</b> A step may end with any error at any point. Only {@link #granted}, {@link #stop} and
 * {@link #release} change which worker ID is held, in assignments that cannot fail. If an error comes before these, the next step repeats the work; if it comes after
 * them, the next step hands over what is held.
 */
final class LeaseSteps {

    /** How long a process pauses at most after another process was faster. */
    private static final int AFTER_A_RACE_NANOS = 20_000_000;

    /** How many races for another worker ID may be lost before the held one is tried again. */
    private static final int RACES = 5;

    /** How long to pause when the generator was closed while a worker ID was acquired: the closing thread sets the status next. */
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

    /** What this lease gave the generator last. */
    private Allocation handedOver;

    /** What the registry has confirmed. */
    private @Nullable Held held;

    /** A renewal of what is held that is not confirmed. The next one has the same end, so that either one's effect can be recognized. */
    private @Nullable Claim renewing;

    /** An acquisition that is not confirmed, or not granted yet. */
    private @Nullable Acquisition acquiring;

    /** Whether the generator ever had a worker ID. */
    private boolean everGranted;

    private record Held(Claim claim, Allocation allocation, WorkerLease view) {}

    /**
     * An entry that was written, or may have been, and is not held yet.
     *
     * @param usedUntil what was reserved of the worker ID before, to be written back if the acquisition is given up
     * @param floor the registry's floor when this was written. The claim begins there, even if the floor is lower by now.
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

    /** Returns whether an early renewal may help. If the clock is ahead, it would not move the fence far enough. */
    boolean canHurry() {
        return held != null && !clock.isAhead();
    }

    /** Acquires a worker ID, or renews what is held. */
    long keep() {
        handOver();
        Held mine = held;
        return mine == null ? acquire(null) : renew(mine);
    }

    /**
     * Gives the generator what is held, or a vacancy. Returns false if there was something to give and the generator was closed.
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

    /** @param stuck what is held, if its entry alone does not answer; null if nothing is held */
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
            // Another worker ID would begin later than the held one ends.
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
            // No entry showed the namespace's layout yet; another process may have begun with another layout at the
            // same time.
            candidates.checkLayouts(registry.read());
        }
        return grantOnceBegun(pending, now, begin);
    }

    /**
     * Grants what was acquired. While the registry may have forgotten leases, a claim is an empty range at the registry's floor: it keeps
     * the worker ID, and is granted and extended once the clock has reached that floor.
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
        String why = "the registry may have forgotten leases; ids begin at " + start;
        status.show(status.view().with(State.LOST, why));
        status.refuse(failures.waiting(why), later);
        // The clock may be set meanwhile, so this looks again in between.
        return Math.min(later, nextRenewal(nanos));
    }

    /** Grants a worker ID: the only place where the generator gets another one. */
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
        // After an error before this line, the next step grants again; after an error behind it, the next step hands
        // over what is held.
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
            // An end that was asked for earlier is near: renew again at once.
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
        // Slots beyond the fence, which callers claimed in vain, do not count.
        long nextTick = Math.min(mine.allocation.next() >>> layout.sequenceBits(), mine.allocation.fence());
        Instant now = clock.now(terms.maxClockSkew(), status::readRegistry);
        return mine.claim.until(reservation.extension(mine.claim, nextTick, now));
    }

    /**
     * Acquires another worker ID if the registry answers but the entry does not, as when a transaction has locked its row. Returns
     * whether that, or another renewal, succeeded.
     */
    private boolean acquiredInsteadOf(Held stuck) {
        candidates.avoid(stuck.claim);
        try {
            if (registry.read().entryOf(stuck.claim) != null && isRenewed(stuck)) {
                // The whole registry was unavailable, and is back.
                return true;
            }
            for (int races = 0; renewing != null && races < RACES; races++) {
                acquire(stuck);
            }
        } catch (RuntimeException e) {
            // The failure of the renewal is the one to report.
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
            // The entry alone does not answer.
        }
        return false;
    }

    /** Moves the fence, after the registry has confirmed it. */
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
        // An error may have come between the grant and this.
        status.opened();
        return nextRenewal(begin);
    }

    /** Takes the worker ID from the generator, before the registry is asked or anything is reported. */
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

    /** Reports what has ended a step. */
    void failed(Throwable e) {
        WorkerIdUnavailableException refusal = failures.of(e);
        if (held != null) {
            status.show(held.view.with(State.EXPIRING, LeaseFailures.messages(e)));
        } else if (everGranted) {
            WorkerLease before = status.view();
            // The generator was stopped because its entry had changed, and reading why failed.
            boolean isNews = before.state() != State.LOST;
            status.show(before.with(State.LOST, isNews ? "its entry has changed" : LeaseFailures.messages(e)));
        } else {
            status.refuse(refusal, Math.min(status.awaitedSince(), time.nanos()));
        }
        Acquisition pending = acquiring;
        if (pending != null && refusal.reason() == Reason.LAYOUT_MISMATCH) {
            acquiring = null;
            registry.release(pending.claim, pending.usedUntil);
        }
    }

    // ---- release

    /**
     * Releases the worker ID from the tick after the last ID on, so that the next holder need not wait for the rest of the range.
     *
     * @param again whether this was tried before, and may have been done
     */
    void release(boolean again) {
        boolean released = true;
        Held mine = held;
        if (mine != null) {
            Instant behind = layout.timestampOf(mine.allocation.lastTick() + 1);
            released = registry.release(mine.claim, Reservation.used(mine.claim, behind));
            Claim unanswered = renewing;
            if (!released && unanswered != null) {
                released = registry.release(unanswered, Reservation.used(unanswered, behind));
            }
            held = null;
        }
        Acquisition pending = acquiring;
        if (pending != null) {
            registry.release(pending.claim, pending.usedUntil);
            acquiring = null;
        }
        closed(released || again ? null : "it was not ours any more");
    }

    /** Reports that the worker ID was not released. */
    void notReleased(Throwable e) {
        closed("not given back: " + LeaseFailures.messages(e));
    }

    /** @param reason why it was not released; null if it was */
    private void closed(@Nullable String reason) {
        if (everGranted) {
            status.show(status.view().with(State.CLOSED, reason));
        }
    }
}
