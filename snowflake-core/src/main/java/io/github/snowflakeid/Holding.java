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
 * What a process holds of a registry, step by step: a worker id is acquired, renewed, replaced when it is lost, and given
 * back at the end. For use by one thread; each step says when the next one is due.
 *
 * <p><b>Why ids are never equal.</b> A lease is a range of ticks of one worker id, written into its registry entry as
 * {@code reservedUntil} before the first id of it is made. Each grant, renewal and release is one atomic write on the
 * condition that owner and {@code reservedUntil} are what this process last knew. So the ranges of a worker id follow
 * one another without overlap, whoever writes them and however late. The fence that stops the generator is moved
 * only after the write was confirmed, and is compared with the id's own tick: whether clocks agree, and how long a thread was
 * paused, does not matter. Clocks only decide when somebody else may take an entry over.
 *
 * <p><b>Errors.</b> A step may end with any error at any point. What is granted changes at one point, {@link #granted}, after
 * all that may fail; an answer that never came is found out by a later step.
 */
final class Holding {

    /** How long one waits at most who has lost a race. */
    private static final int AFTER_A_RACE_NANOS = 20_000_000;

    /** How many races for another worker id are lost before what is held is tried again. */
    private static final int RACES = 5;

    /** How long one waits for a generator to leave that was closed while a worker id was acquired for it. */
    private static final long UNTIL_CLOSED_NANOS = 50_000_000;

    private final IdLayout layout;
    private final TimeSource time;
    private final Tenants tenants;

    /** What the registry has confirmed. */
    private @Nullable Held held;

    /** A renewal of what is held whose answer never came. */
    private @Nullable Claim renewing;

    /** What may have been acquired: its answer never came, or it was not granted yet. */
    private @Nullable Acquisition acquiring;

    /** By the terms of the host. */
    private final CandidateSelector choice;

    private final TrustedClock clock;

    /**
     * What was written, or may have been, and is not held yet.
     *
     * @param asItWas up to where the worker id was used before
     * @param floor the registry's when this was written; it may be lower by now
     * @param offered what ids may have been made of; null if there are none
     */
    private record Acquisition(
            Claim claim,
            Instant asItWas,
            Instant floor,
            @Nullable Allocation offered) {}

    private record Held(Claim claim, Allocation allocation, WorkerLease view) {}

    /** @throws IllegalArgumentException if the datacenter id of the terms does not fit the layout */
    Holding(Tenants tenants, IdLayout layout, TimeSource time) {
        this.tenants = tenants;
        this.layout = layout;
        this.time = time;
        LeaseTerms terms = tenants.host().terms;
        choice = new CandidateSelector(terms, layout, time);
        clock = new TrustedClock(time);
        layout.nodeOf(terms.datacenterId().orElse(0), 0);
    }

    private LeaseTerms terms() {
        return tenants.host().terms;
    }

    private WorkerRegistry registry() {
        return terms().registry();
    }

    private Reservation reservation() {
        return new Reservation(layout, time, terms().ttl(), tenants.tolerated());
    }

    private long inTime(long begin) {
        return begin + terms().ttl().toNanos() / 3;
    }

    /** Whether an early renewal may help; where the clock is ahead, it would not move the fence far enough. */
    boolean canHurry() {
        return held != null && !clock.isAhead();
    }

    /**
     * Acquires a worker id, or renews what is held.
     *
     * @return when the next step is due
     */
    long keep(Tenant served) {
        choice.serve(served.terms);
        if (held != null) {
            return renew(held);
        }
        // Where an error came between, some may have what others have not.
        tenants.withdraw();
        return acquire(null);
    }

    private ClockedSnapshot read() {
        ClockedSnapshot reading = ClockedSnapshot.of(registry(), time);
        tenants.measured(reading);
        return reading;
    }

    // ---- a worker id

    /** @param stuck what is held, if there is anything, and cannot be renewed */
    private long acquire(@Nullable Held stuck) {
        long begin = time.nanos();
        ClockedSnapshot reading = read();
        if (!tenants.hasOpened()) {
            choice.checkSkew(reading);
        }
        Snapshot seen = reading.seen();
        Instant now = clock.now(terms().maxClockSkew(), () -> reading);
        boolean anyUsed = choice.checkLayouts(seen);
        Claim later = renewing;
        if (stuck != null && later != null && seen.shows(later)) {
            return confirmed(stuck, later, begin);
        }
        Acquisition pending = acquiring;
        if (pending != null && seen.shows(pending.claim)) {
            return grantedInTime(pending, now, begin);
        }
        if (!tenants.hasOpened() && SharedLeases.take(tenants, seen, choice, time)) {
            return begin;
        }
        if (stuck != null && seen.floor().isAfter(now)) {
            // Another worker id would have ids later than this one.
            return begin;
        }
        Candidate candidate = choice.of(seen, now, tenants.tolerated());
        Claim claim = reservation().of(candidate, seen.floor(), now, terms().ownerInfo());
        pending = new Acquisition(claim, candidate.used(), seen.floor(), null);
        if (!tenants.mayHold()) {
            return begin;
        }
        acquiring = pending;
        choice.avoid(claim);
        boolean acquired;
        try {
            acquired =
                    registry().acquire(candidate.entry(), claim, reservation().validity(seen));
        } catch (WorkerIdUnavailableException nothingWritten) {
            acquiring = null;
            throw nothingWritten;
        }
        if (!acquired) {
            acquiring = null;
            choice.raceLost();
            return time.nanos() + time.draw(AFTER_A_RACE_NANOS);
        }
        if (!anyUsed) {
            // Nobody had said yet what the layout is; somebody may have said so at the same time.
            choice.checkLayouts(registry().read());
        }
        return grantedInTime(pending, now, begin);
    }

    /** What is acquired below the floor of a registry is an empty range, which is granted when the clock has come there. */
    private long grantedInTime(Acquisition acquisition, Instant now, long begin) {
        Instant start = acquisition.claim.reservedFrom();
        boolean isEmpty = acquisition.claim.reservedUntil().equals(start);
        if (!isEmpty || !acquisition.floor.isAfter(now)) {
            long due = granted(acquisition, begin);
            return isEmpty ? begin : due;
        }
        long nanos = time.nanos();
        long later = nanos + Duration.between(now, start).toNanos();
        String why = "the registry may have forgotten leases; ids begin at " + start;
        tenants.show(tenants.host().view().with(State.LOST, why));
        tenants.postpone(later, new LeaseFailures(terms()).waiting(why));
        // Not all of it at once: the clock may be set meanwhile.
        return Math.min(later, inTime(nanos));
    }

    /**
     * The only place where a worker id is granted. All that can fail by itself comes before the generators have it. Where an error
     * comes while some have it and others have not, the next step withdraws it from all, and grants what is left of it.
     */
    private long granted(Acquisition acquisition, long begin) {
        if (held != null) {
            stop(held);
        }
        Claim claim = acquisition.claim;
        String origin = "leased, namespace '" + registry().namespace() + "'";
        WorkerId worker = new WorkerId(claim.datacenterId(), claim.workerId(), origin);
        WorkerLease view = reservation().held(claim, time.timestamp(), clock);
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        long startTick = layout.tickAtOrAfter(claim.reservedFrom());
        Allocation offered = acquisition.offered;
        if (offered != null) {
            // An error came between. Who had it already may have made ids of it, and have left.
            startTick = Math.max(startTick, offered.lastTick() + 1);
        }
        Allocation allocation = tenants.allocate(new Allocation.Grant(
                worker, layout, startTick, fence, reservation().near(fence)));
        Held next = new Held(claim, allocation, view);
        acquiring = new Acquisition(claim, acquisition.asItWas, acquisition.floor, allocation);
        if (!tenants.grant(allocation, view)) {
            acquiring = acquisition;
            return time.nanos() + UNTIL_CLOSED_NANOS;
        }
        held = next;
        acquiring = null;
        renewing = null;
        SharedLeases.offer(claim, tenants, time);
        choice.done();
        tenants.count(StatisticsRecorder.Event.ACQUIRED);
        tenants.show(view);
        tenants.opened();
        return inTime(begin);
    }

    // ---- its renewal

    private long renew(Held mine) {
        Claim earlier = renewing;
        Claim target = earlier == null ? extended(mine) : earlier;
        long begin = time.nanos();
        renewing = target;
        boolean renewed;
        try {
            renewed = registry().renew(mine.claim, target.reservedUntil(), terms().ttl());
        } catch (Throwable failed) {
            if (!reservation().isRunningOut(mine.claim, mine.allocation.lastTick())) {
                throw failed;
            }
            tenants.show(mine.view.with(State.EXPIRING, LeaseFailures.messages(failed)));
            if (!acquiredInsteadOf(mine)) {
                throw failed;
            }
            tenants.count(StatisticsRecorder.Event.FAILED);
            return held != null && !held.claim.owner().equals(mine.claim.owner()) ? inTime(begin) : begin;
        }
        if (renewed) {
            long due = confirmed(mine, target, begin);
            return earlier == null ? due : begin;
        }
        renewing = earlier;
        if (earlier == null) {
            stop(mine);
        }
        Snapshot seen = registry().read();
        if (earlier != null && seen.shows(earlier)) {
            confirmed(mine, earlier, begin);
        } else {
            lost(mine, LeaseFailures.reasonOfLoss(mine.claim, seen));
        }
        return begin;
    }

    private Claim extended(Held mine) {
        // Slots beyond the fence, where callers claimed in vain, do not count.
        long nextTick = Math.min(mine.allocation.next() >>> layout.sequenceBits(), mine.allocation.fence());
        Instant now = clock.now(terms().maxClockSkew(), this::read);
        return mine.claim.until(reservation().extension(mine.claim, nextTick, now));
    }

    /** Where the store answers, only the entry does not, as when a transaction has locked it. */
    private boolean acquiredInsteadOf(Held stuck) {
        choice.avoid(stuck.claim);
        try {
            if (registry().read().entryOf(stuck.claim) != null && isRenewed(stuck)) {
                // It was the store, and is back.
                return true;
            }
            for (int races = 0; renewing != null && races < RACES; races++) {
                acquire(stuck);
            }
        } catch (RuntimeException nothingElse) {
            // What failed first is what is to be mended.
        }
        return renewing == null;
    }

    private boolean isRenewed(Held stuck) {
        long begin = time.nanos();
        Claim target = Objects.requireNonNull(renewing);
        try {
            if (registry().renew(stuck.claim, target.reservedUntil(), terms().ttl())) {
                confirmed(stuck, target, begin);
                return true;
            }
        } catch (RuntimeException stillStuck) {
            // Another worker id it is, then.
        }
        return false;
    }

    /** Moves the fence, after the registry has confirmed it. */
    private long confirmed(Held before, Claim claim, long begin) {
        WorkerLease view = reservation().held(claim, before.view.acquiredAt(), clock);
        Held next = new Held(claim, before.allocation, view);
        long fence = layout.tickAtOrAfter(claim.reservedUntil());
        next.allocation.moveFence(fence, reservation().near(fence));
        held = next;
        renewing = null;
        choice.done();
        tenants.count(StatisticsRecorder.Event.RENEWED);
        tenants.show(view);
        if (!tenants.hasOpened()) {
            // An error came between the grant and this.
            tenants.opened();
        }
        return inTime(begin);
    }

    /** No more ids, before anything else. Where an error comes between, the next step withdraws the rest. */
    private void stop(Held mine) {
        SharedLeases.withdraw(mine.claim);
        held = null;
        renewing = null;
        tenants.withdraw();
    }

    private void lost(Held mine, String reason) {
        if (held != null) {
            stop(mine);
        }
        tenants.count(StatisticsRecorder.Event.FAILED);
        tenants.show(mine.view.with(State.LOST, reason));
    }

    // ---- trouble

    /** Tells what has ended a step, and undoes what is to be undone. */
    void troubled(Throwable failed) {
        WorkerIdUnavailableException refused = new LeaseFailures(terms()).of(failed);
        if (held != null) {
            tenants.show(held.view.with(State.EXPIRING, LeaseFailures.messages(failed)));
        } else if (tenants.hasOpened()) {
            WorkerLease before = tenants.host().view();
            boolean news = before.state() != State.LOST;
            tenants.show(before.with(State.LOST, news ? "its entry has changed" : LeaseFailures.messages(failed)));
        } else {
            tenants.refuse(refused);
        }
        Acquisition pending = acquiring;
        if (pending != null && refused.reason() == Reason.LAYOUT_MISMATCH) {
            acquiring = null;
            free(pending);
        }
    }

    // ---- the end

    /**
     * Gives the worker id back with the time that was really used, so that the next one need not wait for the rest.
     *
     * @param again whether it was tried before, and may have been done
     */
    long giveBack(boolean again) {
        boolean freed = true;
        Held mine = held;
        if (mine != null) {
            SharedLeases.withdraw(mine.claim);
            Instant behind = layout.timestampOf(mine.allocation.lastTick() + 1);
            freed = registry().release(mine.claim, Reservation.used(mine.claim, behind));
            Claim later = renewing;
            if (!freed && later != null) {
                freed = registry().release(later, Reservation.used(later, behind));
            }
            held = null;
        }
        Acquisition pending = acquiring;
        if (pending != null) {
            free(pending);
            acquiring = null;
        }
        closed(freed || again ? null : "it was not ours any more");
        tenants.end();
        return 0;
    }

    /** Frees what was acquired and not granted, as it was, unless ids may have been made of it. */
    private void free(Acquisition acquired) {
        Claim claim = acquired.claim;
        registry().release(claim, acquired.offered != null ? claim.reservedUntil() : acquired.asItWas);
    }

    /** What is held could not be given back. */
    void givenUp(Throwable failed) {
        if (held != null) {
            SharedLeases.withdraw(held.claim);
        }
        closed("not given back: " + LeaseFailures.messages(failed));
    }

    /** @param reason why it was not given back; null if it was */
    private void closed(@Nullable String reason) {
        if (tenants.hasOpened()) {
            Tenant last = tenants.host();
            last.show(last.view().with(State.CLOSED, reason));
        }
    }
}
