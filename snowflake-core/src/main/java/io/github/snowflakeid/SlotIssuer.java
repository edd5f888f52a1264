package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import io.github.snowflakeid.worker.WorkerId;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Issues ids: claims slots of the present allocation, singly or in runs, and waits until they may be issued. Knows
 * neither threads nor leases; its only subclass, {@link SnowflakeIdGenerator}, tells those what it needs of them. That is a
 * subclass, and not an object with an issuer in a field: to read one more field for each id costs a twentieth of the ids with
 * one thread.
 *
 * <p><b>Who races with whom.</b> Any number of threads claim slots from one allocation (see there); each claimed slot
 * belongs to one thread, so what follows a claim needs no care about other claims.
 *
 * <p>Who closes, or takes a lease away, replaces the allocation, then reads the next slot of the old one, while others may
 * be between reading the allocation and returning an id. They look at the allocation once more after their claim: if it is
 * still theirs, the claim came before the replacement, and who replaced it sees the claim in the word; if not, the slot
 * is given up. So once it is replaced, whatever was claimed is either accounted for or never issued. An allocation that nobody
 * else had stands there only once; a shared one may come back while another open generator has it.
 *
 * <p>The look at the next slot before a claim is advice, there to claim nothing in vain; several threads may pass it
 * at once and then claim beyond. The look at the claimed slot is what decides.
 *
 * <p>Where an allocation is limited, a caller claims of it without looking at the clock or the next slot, and issues what
 * is below the limit. Whoever claims beyond takes the limit away, so that others do not do the same in vain. That an
 * allocation is limited is advice, too, and may be out of date: the limit is read after the claim, and the allocation
 * is looked at once more. Several may set a limit at once, the ticker and callers who found one reached; which of them
 * remains does not matter, for none is beyond the drift or the fence.
 *
 * <p>That the limit is read after the claim is for the sake of speed, too. Where many claim, the word goes from processor
 * to processor, and one that has it claims several times before it goes on, as long as nothing else has to be fetched
 * from memory first.
 */
abstract class SlotIssuer {

    private static final AtomicReferenceFieldUpdater<SlotIssuer, Allocation> ALLOCATION =
            AtomicReferenceFieldUpdater.newUpdater(SlotIssuer.class, Allocation.class, "allocation");

    /** How many ids a batch claims at once at most, so that those who want a single one get it in between. */
    private static final int LONGEST_RUN = 1 << 16;

    /** How often an id is tried for. Each time fails only if somebody has claimed since the look at the clock. */
    private static final int TRIES = 100;

    // What every call reads: the less of it there is, the sooner it is there after a while without calls.
    private volatile Allocation allocation;

    /** The allocation if it has a limit, so that a caller need not look at the clock; null if it has none. */
    private volatile @Nullable Allocation limited;

    final TickClock ticks;
    private final int sequenceBits;
    private final int nodeBits;
    private final long sequenceMask;
    private final long maxDriftTicks;

    /** From which sequence on a ticker pays off; beyond the last one if it never does. */
    private final long manyInTick;

    private final boolean startsAtZero;

    // What few calls read, or none.
    final IdLayout layout;
    private final SequenceStart sequenceStart;
    private final int longestRun;
    final TimeSource time;
    final DriftBudget budget;

    /** Counts what this does. */
    final StatisticsRecorder tally;

    /** The clock's tick when a single id was last the one too many of a tick ahead of the clock. */
    private volatile long manyAheadAt = Long.MAX_VALUE;

    SlotIssuer(IdLayout layout, TimeSource time, DriftBudget budget, SequenceStart start) {
        this.layout = layout;
        this.time = time;
        this.budget = budget;
        ticks = budget.ticks;
        tally = budget.tally;
        sequenceStart = start;
        startsAtZero = start.bound() == 1;
        sequenceBits = layout.sequenceBits();
        nodeBits = layout.datacenterBits() + layout.workerBits();
        sequenceMask = layout.maxSequence();
        longestRun = (int) Math.min(sequenceMask + 1, LONGEST_RUN);
        maxDriftTicks = budget.driftTicks;
        long many = ticks.startOf(1) * time.manyInAMillisecond();
        manyInTick = many == 0 ? Long.MAX_VALUE : many + start.bound() - 1;
        allocation = Allocation.none(new WorkerId(0, 0, "not leased yet"));
    }

    // ---- what it needs of the world: that somebody looks at the clock for it, and moves its fence

    /** Many ids fall into a tick: it would pay off if one looked at the clock for all. Called often then. */
    abstract void many();

    /** A limit was reached: who looks at the clock for all is late. */
    abstract void limitReached();

    /** The fence is near, or reached: it ought to be moved. Called often then. */
    abstract void fenceNear();

    /** What a caller gets who has waited so long for the fence to move. */
    abstract SnowflakeException fenceMissed(long waitedMillis);

    // ---- which allocation

    /** What ids are made of now. */
    Allocation allocation() {
        return allocation;
    }

    /**
     * Lets ids be made of another allocation from now on.
     *
     * @return false if what was to be replaced is not there any more, so that nothing changed
     */
    boolean replace(Allocation replaced, Allocation next) {
        boolean done = tally.replace(ALLOCATION, this, replaced, next);
        limited = null;
        return done;
    }

    /**
     * Where ids of a new allocation begin: behind all that were made, not before a tick, nor before the clock's. A clock that is
     * beyond the fence counts up to there: it may be wrong, and slots that are skipped never come back.
     */
    long firstSlot(long from, long fence) {
        return firstSlotOf(Math.max(Math.max(from, allocation.lastTick() + 1), Math.min(ticks.current(), fence)));
    }

    // ---- single ids

    long next() {
        Allocation mine = limited;
        if (mine == null) {
            return claimByTheClock(null);
        }
        long slot = mine.claim(1);
        long limit = mine.limit();
        return slot + Long.MIN_VALUE < limit && mine == allocation
                ? idAt(slot, mine)
                : settleOrClaim(limit, new SlotRange(mine, slot, 1));
    }

    private long settleOrClaim(long limit, SlotRange claimed) {
        long id = settle(limit, claimed);
        return id == SlotRange.GIVEN_UP ? claimByTheClock(null) : id;
    }

    /**
     * An id that may be issued at once; empty where {@link #next} would wait or throw, or where others always claim first. Claims
     * the very slot that it looked at, so that none is lost to who gets nothing.
     */
    OptionalLong tryNext() {
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
        tally.refused(Refusal.NO_WAIT);
        return OptionalLong.empty();
    }

    // ---- batches

    /** Fills an array with ascending ids. */
    void next(long[] ids) {
        for (int filled = 0; filled < ids.length; ) {
            if (limited != allocation) {
                refuseIfRunIsBeyondBudget(allocation, Math.min(ids.length - filled, longestRun + 1));
                // It enters the tick for the run that follows.
                ids[filled++] = claimByTheClock(null);
            }
            int count = Math.min(ids.length - filled, longestRun);
            if (count == 0) {
                return;
            }
            long first = claimRun(count);
            SlotRange.fill(ids, filled, count, first, sequenceMask, 1L << (nodeBits + sequenceBits));
            filled += count;
        }
    }

    /** Refuses a run before any of its slots is claimed. Reads the clock only if the run does not fit into the present tick. */
    private void refuseIfRunIsBeyondBudget(Allocation mine, int count) {
        long next = mine.next();
        if (tickOf(next + count - 1) > tickOf(next) && tickOf(next) < mine.fence()) {
            budget.check(Math.max(next, ticks.current() << sequenceBits), count, budget.waitMillis);
        }
    }

    /** Claims a run and waits until the last of it may be issued; another run, where what was claimed is given up. */
    private long claimRun(int count) {
        while (true) {
            Allocation mine = allocation;
            boolean blind = mine == limited;
            if (!blind) {
                long next = mine.next();
                if (!awaitFence(mine, tickOf(next))) {
                    continue;
                }
                budget.check(next, count, budget.waitMillis);
            }
            long slot = mine.claim(count);
            long limit = mine.limit();
            if (slot + count - 1 + Long.MIN_VALUE < limit && mine == allocation) {
                return idAt(slot, mine);
            }
            SlotRange claimed = new SlotRange(mine, slot, count);
            long first = blind ? settle(limit, claimed) : claimByTheClock(claimed);
            if (first != SlotRange.GIVEN_UP) {
                return first;
            }
            if (blind) {
                // It enters the tick for the run that follows.
                claimByTheClock(null);
            }
        }
    }

    // ---- by the clock

    /**
     * {@linkplain #claimByTheClock Issues} what was claimed without a look at the clock and is not below the limit. A limit that
     * was reached is taken away, or another one set.
     *
     * @return the first id; {@link SlotRange#GIVEN_UP} where the tick of the slots has passed: it may be that nobody has looked at
     *     the clock for long
     */
    private long settle(long limit, SlotRange claimed) {
        Allocation mine = claimed.of();
        mine.unlimit(limit);
        if (mine.limit() == Allocation.NO_LIMIT) {
            limited = null;
        }
        limitReached();
        return tickOf(claimed.last()) >= ticks.current() ? claimByTheClock(claimed) : claimed.giveUp();
    }

    /**
     * Claims a slot, unless a run is claimed already, and waits until it, or the last of the run, may be issued. Refuses,
     * before the claim, what will not be served in time, and waits for the fence, if that is in the way, without claiming.
     *
     * <p>That this is one long method with one parameter is for the sake of {@link #next()}. HotSpot inlines no method of
     * more than 325 bytes; were this inlined where ids are made in a loop, or called there with more in its hands, the
     * compiler would keep the caller's variables on the stack instead of in registers, and storing them before each claim
     * costs a fifth of the ids with one thread, and nearly half with two.
     *
     * @return the first id; {@link SlotRange#GIVEN_UP} if a run was claimed, and its allocation was replaced
     */
    private long claimByTheClock(@Nullable SlotRange claimed) {
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
                    // No fence is moved to a tick that is too far ahead.
                    budget.check(mine, next);
                    if (!awaitFence(mine, Math.max(now, tickOf(next)))) {
                        continue;
                    }
                    budget.check(mine, next);
                    // It may have waited. A clock that is beyond the fence again counts up to there, as in firstSlot.
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
                    if (mine.limit() == Allocation.NO_LIMIT) {
                        many();
                    } else {
                        // Another generator of this worker has a ticker.
                        limited = mine;
                    }
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
            int givenUp = (int) (last - slot + 1);
            boolean interrupted = false;
            try {
                while (ticks.millis() < ticks.startOf(tick - maxDriftTicks) && mine == allocation) {
                    budget.check(slot, givenUp, budget.atMostMillis - time.millisSince(start));
                    budget.approach(tick, budget.atMostMillis - time.millisSince(start));
                    interrupted |= Thread.interrupted();
                }
                if (awaitFence(mine, tick)) {
                    givenUp = 0;
                    return idAt(slot, mine);
                }
            } finally {
                mine.giveUp(givenUp);
                TimeSource.keepInterrupt(interrupted);
            }
            if (claimed != null) {
                return SlotRange.GIVEN_UP;
            }
        }
    }

    /**
     * Whether ids are made so fast that they fill ticks ahead of the clock, rather than being ahead because of a batch or a
     * step of the clock: the last tick was full no longer than a tick of the clock ago.
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
    private void hurryIfNear(Allocation mine, long tick) {
        if (tick >= mine.nearFence()) {
            fenceNear();
        }
    }

    /**
     * Waits until the fence is behind a tick; where the allocation is replaced, until that of the present one is behind
     * what would be claimed of it.
     *
     * @return whether the allocation was not replaced
     */
    private boolean awaitFence(Allocation mine, long tick) {
        Allocation current = mine;
        long needed = tick;
        long start = time.nanos();
        boolean interrupted = false;
        try {
            while (true) {
                // In this order: a fence that moves after the allocation was replaced counts for nobody.
                long fence = current.fence();
                if (current != allocation) {
                    current = allocation;
                    needed = Math.max(ticks.current(), tickOf(current.next()));
                    continue;
                }
                if (current.isClosed()) {
                    throw tally.refused(new GeneratorClosedException());
                }
                if (needed < fence) {
                    return current == mine;
                }
                if (current.begin(ticks.current())) {
                    continue;
                }
                if (needed >= layout.endTick()) {
                    throw tally.refused(new TimestampExhaustedException(layout, time.timestamp()));
                }
                long waited = time.millisSince(start);
                if (waited >= budget.waitMillis && current.hasBegun() && current.fence() == fence) {
                    throw tally.refused(fenceMissed(budget.waitMillis));
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

    // ---- by a limit, for whoever looks at the clock for all

    /**
     * Enters the clock's tick, and lets callers do without the clock as far as they may.
     *
     * @param slots for how many slots at most
     * @return the next free slot
     */
    long advance(long slots) {
        Allocation mine = allocation;
        long limit = mine.limit();
        long now = ticks.current();
        long drift = mine.maxDriftTicks();
        long fence = mine.fence();
        long next = mine.next();
        hurryIfNear(mine, now);
        if (now >= fence || tickOf(next) > Math.min(now + drift, fence - 1)) {
            limited = null;
            mine.unlimit(limit);
            return next;
        }
        long from = tickOf(next) < now ? firstSlotOf(now) : next;
        mine.limitTo(from + Math.min(slots, (Math.min(now + drift + 1, fence) << sequenceBits) - from), drift);
        if (limited != mine) {
            limited = mine;
        }
        if (!mine.skip(Math.max(now, 0) << sequenceBits, from) || mine != allocation) {
            limited = null;
            mine.unlimit();
        }
        return mine.next();
    }

    /**
     * How many slots were claimed, at most, since the next free one was another. Those that were skipped to enter a tick do not
     * count, and are skipped up to the clock's tick only.
     */
    long claimedSince(long before) {
        long next = allocation.next();
        long inItsTick = Math.max(0, (next & sequenceMask) - (sequenceStart.bound() - 1));
        return tickOf(next) > ticks.current() ? next - before : Math.min(next - before, inItsTick);
    }

    /** Lets every caller look at the clock. */
    void unlimit() {
        limited = null;
        allocation.unlimit();
    }

    // ---- slots and ids

    private long firstSlotOf(long tick) {
        return startsAtZero ? tick << sequenceBits : (tick << sequenceBits) | sequenceStart.next();
    }

    private long tickOf(long slot) {
        return slot >>> sequenceBits;
    }

    private long idAt(long slot, Allocation mine) {
        return ((slot & ~sequenceMask) << nodeBits) | mine.node | (slot & sequenceMask);
    }
}
