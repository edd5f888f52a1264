package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import io.github.snowflakeid.worker.WorkerId;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Issues IDs by the clock: claims slots of the present allocation, and waits until they may be issued. Knows neither threads nor leases;
 * its subclasses {@link ClockFreeIssuer} and {@link SnowflakeIdGenerator} do. They are subclasses, and not objects in fields, because one
 * more field to read for each ID costs a twentieth of the IDs with one thread.
 *
 * <p><b>Who races with whom.</b> Any number of threads claim slots from one {@link Allocation}. Each claimed slot belongs to one thread,
 * so what follows a claim needs no care about other claims.
 *
 * <p>Closing a generator or losing a lease replaces the allocation and then reads the old allocation's next slot. Other threads may at
 * that moment be between reading the allocation and returning an ID. They look at the allocation once more after their claim. If it is
 * still theirs, the claim came before the replacement, and whoever replaced the allocation sees the claim in the word; if not, the slot
 * is given up. So once an allocation is replaced, each claimed slot is either accounted for or never issued. An allocation never comes
 * back, unless another open generator of the same worker ID had it all the time.
 *
 * <p>The look at the next slot before a claim is advice, so that callers do not claim in vain; several threads may pass it at once and
 * then claim beyond. The look at the claimed slot decides.
 */
abstract class SlotIssuer {

    private static final AtomicReferenceFieldUpdater<SlotIssuer, Allocation> ALLOCATION =
            AtomicReferenceFieldUpdater.newUpdater(SlotIssuer.class, Allocation.class, "allocation");

    /** How often an ID is tried for. Each attempt fails only if another thread has claimed since the look at the clock. */
    private static final int TRIES = 100;

    // Fields that each call reads: the fewer there are, the sooner they are in the cache again after a pause.
    private volatile Allocation allocation;

    final TickClock ticks;
    final int sequenceBits;
    final int nodeBits;
    final long sequenceMask;
    final long maxDriftTicks;

    /** From which sequence on it pays off to look at the clock for all callers; beyond the last one if it never does. */
    private final long manyInTick;

    private final boolean startsAtZero;

    // Fields that few calls read.
    final IdLayout layout;
    final SequenceStart sequenceStart;
    final TimeSource time;
    final DriftBudget budget;
    final StatisticsRecorder statistics;

    /** The clock's tick when a single ID was last the one too many of a tick ahead of the clock. */
    private volatile long manyAheadAt = Long.MAX_VALUE;

    SlotIssuer(IdLayout layout, TimeSource time, DriftBudget budget, SequenceStart start) {
        this.layout = layout;
        this.time = time;
        this.budget = budget;
        ticks = budget.ticks;
        statistics = budget.statistics;
        sequenceStart = start;
        startsAtZero = start.bound() == 1;
        sequenceBits = layout.sequenceBits();
        nodeBits = layout.datacenterBits() + layout.workerBits();
        sequenceMask = layout.maxSequence();
        maxDriftTicks = budget.driftTicks;
        long many = ticks.startOf(1) * time.manyInAMillisecond();
        manyInTick = many == 0 ? Long.MAX_VALUE : many + start.bound() - 1;
        allocation = Allocation.none(new WorkerId(0, 0, "not leased yet"));
    }

    // ---- what it needs of its subclasses

    /** Many IDs fall into a tick: it would pay off to look at the clock for all callers. Called often then. */
    abstract void many();

    /** The fence is near, or reached: it ought to be moved. Called often then. */
    abstract void fenceNear();

    /** What a caller gets who has waited so long for the fence to move. */
    abstract SnowflakeException fenceMissed(long waitedMillis);

    // ---- which allocation

    /** What IDs are made of now. */
    final Allocation allocation() {
        return allocation;
    }

    /** Replaces the allocation. Returns false if it is another one than expected, so that nothing changed. */
    final boolean replace(Allocation expected, Allocation next) {
        return ALLOCATION.compareAndSet(this, expected, next);
    }

    /**
     * Returns where the IDs of a new allocation begin: after all that were issued, not before a tick, nor before the clock's. A clock
     * beyond the fence counts up to there: it may be wrong, and skipped slots never come back.
     */
    final long firstSlot(long from, long fence) {
        return firstSlotOf(Math.max(Math.max(from, allocation.lastTick() + 1), Math.min(ticks.current(), fence)));
    }

    // ---- IDs by the clock

    /**
     * Returns an ID that may be issued at once; empty if {@link #claimByTheClock} would wait or throw, or if other threads claim first at
     * each attempt. Claims the very slot that it looked at, so that no slot is lost to a caller that gets nothing.
     */
    final OptionalLong tryNext() {
        for (int tries = 0; tries < TRIES; tries++) {
            Allocation mine = allocation;
            long next = mine.next();
            long now = ticks.current();
            mine.begin(now);
            if (Math.max(now, tickOf(next)) > Math.min(now + maxDriftTicks, mine.fence() - 1)) {
                break;
            }
            hurryIfNear(mine, now);
            long slot = tickOf(next) < now ? firstSlotOf(now) : next;
            if (mine.claimOnly(next, slot) && mine == allocation) {
                return OptionalLong.of(idAt(slot, mine));
            }
        }
        statistics.refused(Refusal.NO_WAIT);
        return OptionalLong.empty();
    }

    /** Returns how many slots {@link #tryNext} would issue at once, at least, if no other thread claimed any and the clock stood still. */
    final long available() {
        Allocation mine = allocation;
        long next = mine.next();
        long now = ticks.current();
        mine.begin(now);
        long furthest = Math.min(now + maxDriftTicks, mine.fence() - 1);
        if (now > furthest) {
            return 0;
        }
        long first = tickOf(next) < now ? (now << sequenceBits) + sequenceStart.bound() - 1 : next;
        return Math.max(0, ((furthest + 1) << sequenceBits) - first);
    }

    /**
     * Claims a slot, unless a range is claimed already, and waits until it, or the last slot of the range, may be issued. Rejects, before
     * the claim, what cannot be issued in time, and waits for the fence, if necessary, without claiming.
     *
     * <p>This is one long method with one parameter for the sake of {@link ClockFreeIssuer#next()}. HotSpot inlines no method of more
     * than 325 bytes; if this one were inlined where IDs are made in a loop, or called there with more parameters, the compiler would keep
     * the caller's variables on the stack instead of in registers, and storing them before each claim costs a fifth of the IDs with one
     * thread, and nearly half with two.
     *
     * @return the first ID; {@link SlotRange#GIVEN_UP} if a range was claimed and its allocation was replaced
     */
    final long claimByTheClock(@Nullable SlotRange claimed) {
        while (true) {
            Allocation mine = claimed == null ? allocation : claimed.of();
            // Before the clock: processors fetch from memory what is read after it only when they have read it.
            long next = mine.next();
            long fence = mine.fence();
            long now = ticks.current();
            long furthest = Math.min(now + maxDriftTicks, fence - 1);
            long slot;
            long last;
            if (claimed == null) {
                if (tickOf(next) > furthest || now > furthest) {
                    // The fence is never moved to a tick that is too far ahead.
                    budget.check(mine, next);
                    if (!awaitFence(mine, Math.max(now, tickOf(next)))) {
                        continue;
                    }
                    budget.check(mine, next);
                    // Time may have passed. A clock that is beyond the fence again counts up to there, as in firstSlot.
                    next = mine.next();
                    now = Math.min(ticks.current(), mine.fence() - 1);
                }
                if (tickOf(next) < now) {
                    hurryIfNear(mine, now);
                    slot = mine.claimFrom(next, now << sequenceBits, firstSlotOf(now));
                } else {
                    slot = mine.claim(1);
                }
                last = slot;
                if ((slot & sequenceMask) >= manyInTick && (tickOf(slot) <= now || areManyAhead(slot, now))) {
                    many();
                }
            } else {
                slot = claimed.first();
                last = claimed.last();
            }
            long tick = tickOf(last);
            if (tick <= furthest && mine == allocation) {
                return idAt(slot, mine);
            }
            long start = time.nanos();
            boolean interrupted = false;
            try {
                while (ticks.millis() < ticks.startOf(tick - maxDriftTicks) && mine == allocation) {
                    budget.check(slot, (int) (last - slot + 1), budget.atMostMillis - time.millisSince(start));
                    budget.approach(tick, budget.atMostMillis - time.millisSince(start));
                    interrupted |= Thread.interrupted();
                }
                if (awaitFence(mine, tick)) {
                    return idAt(slot, mine);
                }
            } finally {
                TimeSource.keepInterrupt(interrupted);
            }
            if (claimed != null) {
                return SlotRange.GIVEN_UP;
            }
        }
    }

    /**
     * Whether IDs are made so fast that they fill ticks ahead of the clock, rather than being ahead because of a batch or a step of the
     * clock: the last tick was full no longer than a tick of the clock ago.
     */
    private boolean areManyAhead(long slot, long now) {
        if ((slot & sequenceMask) != manyInTick) {
            return false;
        }
        long before = manyAheadAt;
        manyAheadAt = now;
        return now - before <= 1 && before <= now;
    }

    /** Lets the fence be moved when it is near. */
    final void hurryIfNear(Allocation mine, long tick) {
        if (tick >= mine.nearFence()) {
            fenceNear();
        }
    }

    /**
     * Waits until the fence is behind a tick. If the allocation is replaced, waits until the fence of the present one is behind the slot
     * that would be claimed of it.
     *
     * @return whether the allocation was not replaced
     */
    final boolean awaitFence(Allocation mine, long tick) {
        Allocation current = mine;
        long needed = tick;
        long start = time.nanos();
        boolean interrupted = false;
        try {
            while (true) {
                // In this order: a fence that moves after the allocation was replaced counts for no caller.
                long fence = current.fence();
                if (current != allocation) {
                    current = allocation;
                    needed = Math.max(ticks.current(), tickOf(current.next()));
                    continue;
                }
                if (current.isClosed()) {
                    throw statistics.refused(Refusal.CLOSED, new GeneratorClosedException());
                }
                if (needed < fence) {
                    return current == mine;
                }
                if (current.begin(ticks.current())) {
                    continue;
                }
                if (needed >= layout.endTick()) {
                    throw statistics.refused(Refusal.LAYOUT, new TimestampExhaustedException(layout, time.timestamp()));
                }
                long waited = time.millisSince(start);
                if (waited >= budget.waitMillis && current.hasBegun() && current.fence() == fence) {
                    throw statistics.refused(Refusal.LEASE, fenceMissed(budget.waitMillis));
                }
                fenceNear();
                budget.pause(current, waited);
                interrupted |= Thread.interrupted();
                // The clock may have been beyond the fence for a moment only.
                needed = Math.min(needed, Math.max(ticks.current(), tickOf(current.next())));
            }
        } finally {
            TimeSource.keepInterrupt(interrupted);
        }
    }

    // ---- slots and IDs

    final long firstSlotOf(long tick) {
        return startsAtZero ? tick << sequenceBits : (tick << sequenceBits) | sequenceStart.next();
    }

    final long tickOf(long slot) {
        return slot >>> sequenceBits;
    }

    final long idAt(long slot, Allocation mine) {
        return ((slot & ~sequenceMask) << nodeBits) | mine.node | (slot & sequenceMask);
    }
}
