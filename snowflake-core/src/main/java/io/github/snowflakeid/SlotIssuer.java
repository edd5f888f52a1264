package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Issues IDs by the clock: claims slots from the current allocation, and waits until they may be issued. Its subclasses
 * add a thread that reads the clock ({@link ClockFreeIssuer}) and the lease ({@link SnowflakeIdGenerator}). They are
 * subclasses instead of objects in fields, because reading one more field for each ID costs a twentieth of the
 * throughput with one thread.
 *
 * <p><b>Callers race with each other.</b> Any number of threads claim slots from one {@link Allocation}. A claim is
 * atomic, so each claimed slot belongs to exactly one thread, and the steps after a claim do not depend on claims of
 * other threads.
 *
 * <p><b>Callers race with the replacement of the allocation.</b> Closing a generator or losing a lease replaces the
 * allocation, and then reads the old allocation's next slot to find out which ticks were used. Other threads may at
 * that moment be between reading the allocation and returning an ID. Therefore, each thread reads the allocation again
 * after its claim. If it is unchanged, the claim came before the replacement, so the thread that replaced the
 * allocation sees the claim in the next slot. If it has changed, the claimed slot is given up. So once an allocation is
 * replaced, each slot claimed from it is either accounted for or never issued. A replaced allocation does not become
 * current again.
 *
 * <p><b>Checks before a claim are only advice.</b> They save callers from claiming slots that cannot be issued. Several
 * threads may pass such a check at the same time and then claim slots beyond it. The check of the claimed slot decides.
 */
@SuppressWarnings("ReferenceEquality") // An allocation is equal to itself only.
abstract class SlotIssuer {

    private static final AtomicReferenceFieldUpdater<SlotIssuer, Allocation> ALLOCATION =
            AtomicReferenceFieldUpdater.newUpdater(SlotIssuer.class, Allocation.class, "allocation");

    /**
     * How often {@link #tryNext} tries to claim a slot. An attempt fails only if another thread has claimed one in
     * between.
     */
    private static final int TRIES = 100;

    // Each call reads these fields. The fewer they are, the sooner they are in the cache again after a pause.
    private volatile Allocation allocation;

    final TickClock ticks;
    final int sequenceBits;
    final int nodeBits;
    final long sequenceMask;
    final long maxDriftTicks;

    /**
     * The sequence number from which on it pays to read the clock for all callers; beyond the last sequence number if
     * it never does.
     */
    private final long manyInTick;

    private final boolean startsAtZero;

    // Few calls read these fields.
    final IdLayout layout;
    final SequenceStart sequenceStart;
    final TimeSource time;
    final DriftBudget budget;
    final StatisticsRecorder statistics;

    /**
     * The clock's tick when a caller last claimed the sequence number {@link #manyInTick} in a tick ahead of the clock.
     */
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

    // ---- callbacks for subclasses

    /**
     * Called when a tick has so many IDs that it pays to read the clock for all callers. Called often, so it must be
     * cheap.
     */
    abstract void many();

    /**
     * Called when the fence is near or reached, and should be moved. Called often, so it must be cheap.
     *
     * @param near the {@linkplain Allocation#nearFence() tick} that was reached
     */
    abstract void fenceNear(long near);

    /** Waits for the first worker ID, if callers are to wait for it. Returns false if there was no need to wait. */
    abstract boolean awaitWorkerId();

    /** Returns the exception for a caller whose wait for the fence to move has timed out. */
    abstract SnowflakeException fenceMissed(long waitedMillis);

    // ---- the current allocation

    /** Returns the allocation from which slots are claimed now. */
    final Allocation allocation() {
        return allocation;
    }

    /**
     * Replaces the allocation. Returns false, and changes nothing, if the current allocation is not the expected one.
     */
    final boolean replace(Allocation expected, Allocation next) {
        return ALLOCATION.compareAndSet(this, expected, next);
    }

    /**
     * Returns the first slot of a new allocation: after all issued IDs, not before the given tick, and not before the
     * clock's tick. If the clock is beyond the fence, the fence counts instead: the clock may be wrong, and skipped
     * slots cannot be used later.
     *
     * @param from the first tick
     * @param fence the fence of the new allocation
     */
    final long firstSlot(long from, long fence) {
        return firstSlotOf(Math.max(Math.max(from, allocation.lastTick() + 1), Math.min(ticks.current(), fence)));
    }

    // ---- IDs by the clock

    /**
     * Returns an ID that may be issued immediately; empty if {@link #claimByTheClock} would wait or throw, or if other
     * threads claim slots first in each attempt. Claims exactly the slot that it has checked, so that no slot is lost
     * if the result is empty.
     */
    final OptionalLong tryNext() {
        for (int tries = 0; tries < TRIES; tries++) {
            Allocation mine = allocation;
            long next = mine.next();
            long now = ticks.current();
            mine.begin(now);
            long tick = Math.max(now, tickOf(next));
            if (tick > now + maxDriftTicks) {
                break;
            }
            hurryIfNear(mine, tick);
            if (tick >= mine.fence()) {
                break;
            }
            long slot = tickOf(next) < now ? firstSlotOf(now) : next;
            if (mine.claimOnly(next, slot) && mine == allocation) {
                return OptionalLong.of(idAt(slot, mine));
            }
        }
        statistics.refused(Refusal.NO_WAIT);
        return OptionalLong.empty();
    }

    /**
     * Claims a slot and waits until it may be issued. If a range is already claimed, waits until its last slot may be
     * issued instead. Before a claim, this method rejects a slot that cannot be issued in time, and waits for the fence
     * if necessary.
     *
     * <p>This is one long method with one parameter so that {@link ClockFreeIssuer#next()} is fast. HotSpot does not
     * inline methods of more than 325 bytes. If this method were inlined into a loop that generates IDs, or called
     * there with more parameters, the compiler would keep the caller's variables on the stack instead of in registers.
     * Storing them before each claim costs a fifth of the throughput with one thread, and nearly half with two.
     *
     * @param claimed the range, or null to claim a slot
     * @return the first ID; {@link SlotRange#GIVEN_UP} if a range was claimed and its allocation was replaced
     */
    final long claimByTheClock(@Nullable SlotRange claimed) {
        while (true) {
            Allocation mine = claimed == null ? allocation : claimed.of();
            // Read before the clock: processors load fields that are read after it only when the clock has been read.
            long next = mine.next();
            long fence = mine.fence();
            long now = ticks.current();
            long furthest = Math.min(now + maxDriftTicks, fence - 1);
            long slot;
            long last;
            if (claimed == null) {
                if (tickOf(next) > furthest || now > furthest) {
                    // Checked before the wait as well: the fence is never moved to a tick that is too far ahead.
                    budget.check(mine, next);
                    if (!awaitFence(mine, Math.max(now, tickOf(next)))) {
                        continue;
                    }
                    budget.check(mine, next);
                    // Time may have passed. A clock beyond the fence counts as the fence, as in firstSlot.
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
                TimeSource.restoreInterrupt(interrupted);
            }
            if (claimed != null) {
                return SlotRange.GIVEN_UP;
            }
        }
    }

    /**
     * Returns whether IDs are generated so fast that they fill ticks ahead of the clock, rather than being ahead
     * because of a batch or a step of the clock: no more than one tick of the clock has passed since the last time that
     * a tick was about to be full.
     */
    private boolean areManyAhead(long slot, long now) {
        if ((slot & sequenceMask) != manyInTick) {
            return false;
        }
        long before = manyAheadAt;
        manyAheadAt = now;
        return now - before <= 1 && before <= now;
    }

    /** Asks for an early move of the fence if a tick is near it. */
    final void hurryIfNear(Allocation mine, long tick) {
        long near = mine.nearFence();
        if (tick >= near) {
            fenceNear(near);
        }
    }

    /**
     * Waits until the fence is after a tick. If the allocation is replaced, waits until the fence of the new allocation
     * is after the slot that would be claimed from it.
     *
     * @return false if the allocation was replaced
     * @throws SnowflakeException if the generator is closed, the layout is exhausted, or the fence is not moved in time
     */
    final boolean awaitFence(Allocation mine, long tick) {
        Allocation current = mine;
        long needed = tick;
        long start = time.nanos();
        boolean interrupted = false;
        try {
            while (true) {
                // The fence is read first: a fence that moves after the allocation was replaced must not count.
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
                if (!current.hasSlots() && awaitWorkerId()) {
                    continue;
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
                hurryIfNear(current, needed);
                budget.pause(current, waited);
                interrupted |= Thread.interrupted();
                // The clock may have been beyond the fence only for a moment.
                needed = Math.min(needed, Math.max(ticks.current(), tickOf(current.next())));
            }
        } finally {
            TimeSource.restoreInterrupt(interrupted);
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
