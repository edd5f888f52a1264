package io.github.snowflakeid;

import io.github.snowflakeid.CandidateSelector.Candidate;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a lease: acquiring a worker ID, renewing the lease, replacing a lost one, and releasing the worker ID
 * when the generator is closed. Only the lease's thread uses this class. A step returns the time at which the next step
 * is due, as {@link TimeSource#nanos}.
 *
 * <p><b>Why two IDs are never equal.</b> A lease is a range of ticks of one worker ID. The registry stores the end of
 * that range as {@code reservedUntil} before the first ID of the range is issued. Each acquisition, renewal and release
 * is one atomic write, on the condition that the entry has the owner and the {@code reservedUntil} that this process
 * knew last. Each acquisition uses a new owner, which is a random token. So the ranges of a worker ID follow one
 * another without overlap, even if a write takes effect late. The fence that stops the generator moves only after the
 * registry has confirmed the write. The fence is compared with the tick of the ID itself, so neither a wrong clock nor
 * a paused thread matters. Clocks only decide when another process may take over an entry.
 *
 * <p><b>States.</b> What this process knows about its worker ID is one {@link State}. In the states {@link Acquiring}
 * and {@link Renewing}, a write is not confirmed yet, mostly because the registry has not answered. No ID is issued
 * from such a write before the registry has confirmed it, either by its answer or by the entry that a later step reads.
 *
 * <p><b>Why a late answer does no harm.</b> An answer may arrive after the generator was closed, or even opened again
 * with another lease. The generator's allocation is replaced only if it still is the object that this lease gave it
 * last. Closing the generator replaces that object, and each opening begins with a new one, so a late answer changes
 * nothing. A worker ID that was acquired too late is released, or expires if the registry does not answer. A write that
 * takes effect after its call has failed only reserves ticks that no process uses.
 *
 * <p><b>Why an error does no harm.</b> A step may fail with any error at any point. {@link #stop}, {@link #granted} and
 * {@link #confirmed} change the generator's allocation or its fence, and then the state, by assignments that cannot
 * fail: whatever they need was created before. So an error leaves the state from which the next step continues, and no
 * ID is issued once the loss of a lease is reported.
 */
final class LeaseSteps {

    /** The longest pause after another process was faster to acquire a worker ID. */
    private static final int AFTER_A_RACE_NANOS = 20_000_000;

    /**
     * The pause if the generator was closed while a worker ID was acquired: the closing thread is about to set the
     * phase.
     */
    private static final long UNTIL_CLOSED_NANOS = 50_000_000;

    /** The shortest time between two renewals while this machine's clock is ahead. */
    private static final long WHILE_AHEAD_NANOS = 1_000_000_000;

    private final SlotIssuer issuer;
    private final LeaseTerms terms;
    private final LeasePhase phase;
    private final LeaseStatus status;
    private final WorkerRegistry registry;
    private final IdLayout layout;
    private final TimeSource time;
    private final LeaseFailures failures;
    private final CandidateSelector candidates;
    private final Reservation reservation;
    private final TrustedClock clock;

    private State state;

    /** Whether a granted worker ID was reported since the generator was opened. */
    private boolean everReported;

    /**
     * Before this time, as {@link TimeSource#nanos}, an empty registry is not trusted, because it has lost the leases
     * of processes that still issue IDs. Null if it has not.
     */
    private @Nullable Long emptyUntil;

    /** What this process knows about its worker ID. */
    private sealed interface State {}

    /**
     * No worker ID is leased, and no write is unconfirmed.
     *
     * @param empty the generator's allocation
     */
    private record Vacant(Allocation empty) implements State {}

    /**
     * A worker ID was acquired, or may have been acquired, and is not granted yet.
     *
     * @param before the state to return to if the worker ID was not acquired: vacant, or renewing if the held lease is
     *     to be replaced. If the held lease is renewed after all, the acquired worker ID expires.
     * @param usedUntil the end of the range that was reserved before, to be written back if the acquisition is given up
     * @param floor the registry's floor at the time of the write; the claim begins there even if the floor has become
     *     lower since
     */
    private record Acquiring(State before, Claim claim, Instant usedUntil, Instant floor) implements State {}

    /**
     * A worker ID is leased, and the generator issues its IDs.
     *
     * @param claim what the registry has confirmed
     * @param allocation the generator's allocation
     * @param after the state in which the loss of the lease leaves the generator
     */
    private record Held(Claim claim, Allocation allocation, Vacant after, LeaseValues view) implements State {}

    /**
     * The held lease was renewed, or may have been renewed. The next renewal asks for the same end, so that the effect
     * of either one can be recognized.
     */
    private record Renewing(Held held, Claim target) implements State {}

    /** @throws IllegalArgumentException if the datacenter ID of the terms does not fit the layout */
    LeaseSteps(SlotIssuer issuer, Allocation vacancy, LeaseTerms terms, LeasePhase phase, LeaseStatus status) {
        this.issuer = issuer;
        state = new Vacant(vacancy);
        this.terms = terms;
        this.phase = phase;
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

    /**
     * Returns whether an early renewal can help. If the clock is ahead, a renewal would not move the fence far enough.
     *
     * @param near the tick near the fence that callers have reached; they may have done so before the fence was moved
     */
    boolean canHurry(long near) {
        Held mine = held();
        return mine != null && mine.allocation.nearFence() == near && !clock.isAhead();
    }

    /** Renews the held lease, or acquires a worker ID if none is held. */
    long keep() {
        phase.connect();
        State now = settled();
        if (now instanceof Renewing unanswered) {
            return renew(unanswered, true);
        }
        return now instanceof Held held
                ? renew(new Renewing(held, extended(held)), false)
                : acquire(now, status.readRegistry());
    }

    /** Returns the state without an unconfirmed acquisition. */
    private State settled() {
        return state instanceof Acquiring acquiring ? acquiring.before : state;
    }

    private @Nullable Held held() {
        State now = settled();
        return now instanceof Renewing renewing ? renewing.held : now instanceof Held held ? held : null;
    }

    private long nextRenewal(long begin) {
        return begin + terms.ttl().toNanos() / 3;
    }

    // ---- acquire

    /**
     * Acquires a worker ID.
     *
     * @param before the settled state: vacant, or renewing if the held lease is to be replaced
     */
    private long acquire(State before, ClockedSnapshot snapshot) {
        long begin = time.nanos();
        if (!everReported) {
            candidates.checkSkew(snapshot);
        }
        Snapshot seen = snapshot.seen();
        Long trusted = emptyUntil;
        if (trusted != null && seen.entries().isEmpty() && trusted - begin > 0) {
            String why = "the registry has lost all leases, and other processes may issue IDs until theirs end";
            status.show(status.reported().with(WorkerLease.State.LOST, why));
            return trusted;
        }
        emptyUntil = null;
        Instant now = clock.now(terms.maxClockSkew(), () -> snapshot);
        boolean anyUsed = candidates.checkLayouts(seen);
        if (state instanceof Acquiring pending && seen.contains(pending.claim)) {
            return grantOnceBegun(pending, now, begin);
        }
        Candidate candidate = candidates.select(seen, now, issuer.budget.tolerated());
        Claim claim = reservation.of(candidate, seen.floor(), now, terms.ownerInfo());
        if (!phase.announceClaim()) {
            return begin;
        }
        Acquiring acquiring = new Acquiring(before, claim, candidate.used(), seen.floor());
        state = acquiring;
        candidates.avoid(claim);
        boolean acquired;
        try {
            acquired = registry.acquire(candidate.entry(), claim, reservation.validity(seen));
        } catch (WorkerIdUnavailableException e) {
            // Nothing was written.
            state = before;
            throw e;
        }
        if (!acquired) {
            state = before;
            candidates.raceLost();
            return time.nanos() + time.draw(AFTER_A_RACE_NANOS);
        }
        if (!anyUsed) {
            // No entry showed the layout of the namespace, so another process may have just begun with another layout.
            candidates.checkLayouts(registry.read());
        }
        return grantOnceBegun(acquiring, now, begin);
    }

    /**
     * Grants an acquired worker ID. While the registry may have lost leases, a claim is an empty range at the
     * registry's floor. It reserves the worker ID, and is granted and extended once the clock has reached the floor.
     */
    private long grantOnceBegun(Acquiring acquired, Instant now, long begin) {
        Instant start = acquired.claim.reservedFrom();
        boolean isEmpty = acquired.claim.reservedUntil().equals(start);
        if (!isEmpty || !acquired.floor.isAfter(now)) {
            return granted(acquired, begin);
        }
        long nanos = time.nanos();
        long later = nanos + Duration.between(now, start).toNanos();
        String why = "the registry may have lost leases; IDs begin at " + start;
        status.show(status.reported().with(WorkerLease.State.LOST, why));
        phase.failed(failures.waiting(why), later);
        // The clock may be set during the wait, so the next step checks again before its end.
        return Math.min(later, nextRenewal(nanos));
    }

    /** Grants a worker ID. This is the only place where the generator gets a new worker ID. */
    private long granted(Acquiring acquired, long begin) {
        Claim claim = acquired.claim;
        Held replaced = held();
        if (replaced != null) {
            Acquiring withoutLease = new Acquiring(replaced.after, claim, acquired.usedUntil, acquired.floor);
            stop(replaced);
            state = withoutLease;
        }
        Allocation vacant = replaced != null ? replaced.after.empty : ((Vacant) acquired.before).empty;
        String origin = "leased, namespace '" + registry.namespace() + "'";
        WorkerId worker = new WorkerId(claim.datacenterId(), claim.workerId(), origin);
        LeaseValues view = reservation.held(claim, time.timestamp(), clock, vacant.lastTick());
        long start = layout.tickAtOrAfter(claim.reservedFrom());
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        Allocation.Grant grant = new Allocation.Grant(worker, layout, start, fence, reservation.near(fence));
        Allocation allocation = Allocation.leased(grant, issuer.firstSlot(start, fence), vacant);
        Held granted = new Held(claim, allocation, new Vacant(allocation.vacant()), view);
        issuer.statistics.acquired.increment();
        if (!issuer.replace(vacant, allocation)) {
            return time.nanos() + UNTIL_CLOSED_NANOS;
        }
        state = granted;
        return report(granted, begin);
    }

    /**
     * Reports a lease that the registry has confirmed, unless the answer came so late that no ID can be issued: such a
     * lease is renewed at once. If this machine's clock is so far ahead that a renewal would not help, that is reported
     * instead; if it is not that far ahead, the next renewal is due at the fence, which the clock reaches early.
     */
    private long report(Held mine, long begin) {
        candidates.done();
        boolean isEmpty = mine.claim.reservedUntil().equals(mine.claim.reservedFrom());
        // The end of the layout cannot be moved.
        boolean isOver = mine.allocation.fence() <= Math.min(issuer.ticks.current(), layout.endTick() - 1);
        if (!clock.isAhead() && (isEmpty || isOver)) {
            return begin;
        }
        everReported = true;
        status.confirmed(mine.view);
        phase.opened();
        long toFence = Duration.between(time.timestamp(), mine.view.fence()).toNanos();
        return clock.isAhead() && toFence > 0
                ? Math.min(nextRenewal(begin), time.nanos() + Math.max(toFence, WHILE_AHEAD_NANOS))
                : nextRenewal(begin);
    }

    // ---- renew

    /**
     * Renews the held lease. If less than half a ttl is left, and the registry answers but the entry of the lease does
     * not, for example because a transaction has locked its row, replaces the lease by one of another worker ID.
     *
     * @param again whether an earlier attempt was not answered
     */
    private long renew(Renewing attempt, boolean again) {
        Held mine = attempt.held;
        ClockedSnapshot answer = null;
        if (!again) {
            state = attempt;
        } else if (reservation.isRunningOut(mine.claim, mine.allocation.lastTick())) {
            try {
                answer = status.readRegistry();
            } catch (WorkerIdUnavailableException e) {
                // The renewal says whether the lease is lost.
            }
        }
        long begin = time.nanos();
        boolean renewed;
        try {
            renewed = registry.renew(mine.claim, attempt.target.reservedUntil(), terms.ttl());
        } catch (Throwable e) {
            if (e instanceof WorkerIdUnavailableException known && known.reason() == Reason.REGISTRY_LOST) {
                emptyUntil = begin + terms.ttl().toNanos();
                lost(mine, LeaseFailures.messages(e));
                return begin;
            }
            // The IDs of another worker ID would begin at the floor.
            if (answer == null || answer.seen().floor().isAfter(answer.seen().now())) {
                throw e;
            }
            candidates.avoid(mine.claim);
            try {
                long due = acquire(attempt, answer);
                issuer.statistics.failed.increment();
                return due;
            } catch (RuntimeException other) {
                // The failed renewal is what needs to be known.
                throw e;
            }
        }
        if (renewed) {
            long due = confirmed(mine, attempt.target, begin);
            // The end that an earlier attempt asked for is near by now: renew again immediately.
            return again ? begin : due;
        }
        if (!again) {
            stop(mine);
            status.stopped(mine.view);
        }
        Snapshot seen = registry.read();
        if (again && seen.contains(attempt.target)) {
            confirmed(mine, attempt.target, begin);
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

    /** Moves the fence after the registry has confirmed a renewal. */
    private long confirmed(Held before, Claim claim, long begin) {
        LeaseValues view = reservation.held(claim, before.view.acquiredAt(), clock, before.allocation.lastTick());
        Held renewed = new Held(claim, before.allocation, before.after, view);
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        long near = reservation.near(fence);
        issuer.statistics.renewed.increment();
        before.allocation.moveFence(fence, near);
        state = renewed;
        return report(renewed, begin);
    }

    /** Stops ID generation. Called before the registry is read and before anything is reported. */
    private void stop(Held mine) {
        issuer.replace(mine.allocation, mine.after.empty);
        state = mine.after;
    }

    private void lost(Held mine, String reason) {
        stop(mine);
        issuer.statistics.failed.increment();
        status.show(mine.view.with(WorkerLease.State.LOST, reason));
    }

    /** Reports the failure of a step. */
    void failed(Throwable e) {
        Held mine = held();
        if (!everReported) {
            phase.failed(failures.of(e), Math.min(phase.awaitedSince(), time.nanos()));
        } else if (mine != null) {
            status.show(mine.view.with(WorkerLease.State.EXPIRING, LeaseFailures.messages(e)));
        } else {
            LeaseValues before = status.reported();
            // The first time, the entry was found to have changed, and reading the registry for the reason failed.
            String changed = LeaseStatus.CHANGED.equals(before.reason()) ? LeaseStatus.CHANGED + "; " : "";
            status.show(before.with(WorkerLease.State.LOST, changed + LeaseFailures.messages(e)));
        }
        boolean isForeign = e instanceof WorkerIdUnavailableException known && known.reason() == Reason.LAYOUT_MISMATCH;
        if (isForeign && state instanceof Acquiring pending) {
            state = pending.before;
            registry.release(pending.claim, pending.usedUntil);
        }
    }

    // ---- release

    /**
     * Releases the worker ID. Its entry then ends with the tick of the last ID, so that the next holder need not wait
     * for the rest of the range.
     *
     * @param again whether an earlier attempt may have released it
     * @return why it was not released; null if it was
     */
    @Nullable
    String release(boolean again) {
        boolean released = true;
        Held mine = held();
        if (mine != null) {
            Instant afterLast = layout.timestampOf(mine.allocation.lastTick() + 1);
            released = registry.release(mine.claim, Reservation.used(mine.claim, afterLast));
            if (!released && settled() instanceof Renewing unanswered) {
                released = registry.release(unanswered.target, Reservation.used(unanswered.target, afterLast));
            }
        }
        if (state instanceof Acquiring pending) {
            registry.release(pending.claim, pending.usedUntil);
        }
        return released || again ? null : "its entry no longer belonged to this process";
    }

    /** @param reason why the worker ID was not released; null if it was */
    void closed(@Nullable String reason) {
        if (everReported) {
            status.show(status.reported().with(WorkerLease.State.CLOSED, reason));
        }
    }
}
