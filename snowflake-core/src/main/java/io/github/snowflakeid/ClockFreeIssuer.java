package io.github.snowflakeid;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Issues IDs without a look at the clock while there is load: reading a clock takes 31 ns, claiming a slot 3 ns.
 *
 * <p><b>The protocol.</b> Under load, one daemon thread, the ticker, {@linkplain #advance looks at the clock} once a tick, at least every
 * 10 ms, for all callers. It enters the clock's tick and sets a limit: slots below it may be issued without a look at the clock. The
 * limit is never beyond the drift or the fence, nor beyond as many slots as callers claim in the time of two looks. Callers claim first
 * and then compare the claimed slot with the limit. The first caller that finds its slot at or beyond the limit {@linkplain #settle
 * settles} the slot by the clock, removes the limit, so that others do not claim in vain, and looks at the clock in the ticker's place.
 *
 * <p><b>What is advice, and what decides.</b> {@link #limited} is advice, and may be out of date. What decides is read after the claim:
 * the limit of the very allocation that was claimed from, and then whether it is still the present one. Any thread may set a limit or
 * {@linkplain #unlimit remove} it at any time, and several may do so at once; no limit is wrong, so it does not matter which of them
 * remains. A caller that reads a stale limit issues an ID that it might have issued a little earlier.
 *
 * <p><b>When the ticker is late,</b> its slots are exhausted under a tick that has passed meanwhile, and a caller looks at the clock in
 * its place. So while the load lasts, timestamps are about two looks old at most, also where processors are busy and threads wake up
 * late. Timestamps get older only if the load falls just while the ticker is late.
 *
 * <p><b>When the ticker ends,</b> because there is no load any more, a caller may be looking in its place. Such a caller asks whether the
 * ticker still runs after it has set a limit; the ticker removes the limit after it has said that it does not run. One of the two sees
 * the other, so no limit remains without a ticker that moves it.
 *
 * <p>The order of reads also makes this fast. If many threads claim, the word goes from processor to processor, and a processor that has
 * it claims several times before it goes on, as long as nothing else has to be fetched from memory first.
 */
abstract class ClockFreeIssuer extends SlotIssuer {

    /** How many IDs a batch claims at once at most, so that other threads get theirs in between. */
    private static final int LONGEST_RANGE = 1 << 16;

    /** A look finds no load if fewer than this part of many IDs were claimed since the look before. */
    private static final int FEW = 4;

    /** The ticker ends after so many looks without load ... */
    private static final int QUIET_LOOKS = 64;

    /** ... and a look with load makes up for so many: load comes in bursts, but a batch now and then is no load. */
    private static final int BUSY_LOOK = 16;

    /** How many looks' worth of slots callers may claim without the clock. */
    private static final int LOOKS_AHEAD = 2;

    /** The allocation if it has a limit, so that a caller need not look at the clock; null if it has none. */
    private volatile @Nullable Allocation limited;

    private final int longestRange;
    private final String tickerName;
    private final AtomicBoolean running = new AtomicBoolean();

    /** Whether the ticker could not be started. It is not tried again, so that not every call pays for that. */
    private volatile boolean hasNoThreads;

    /** How many slots may be issued until the next look at the clock. */
    private volatile long slots;

    ClockFreeIssuer(IdLayout layout, TimeSource time, DriftBudget budget, SequenceStart start, String tickerName) {
        super(layout, time, budget, start);
        this.tickerName = tickerName;
        longestRange = (int) Math.min(sequenceMask + 1, LONGEST_RANGE);
        slots = manyInALook();
    }

    // ---- for callers

    final long next() {
        Allocation mine = limited;
        if (mine == null) {
            return claimByTheClock(null);
        }
        long slot = mine.claim(1);
        long limit = mine.limit();
        return slot + Long.MIN_VALUE < limit && mine == allocation()
                ? idAt(slot, mine)
                : settleOrClaim(limit, new SlotRange(mine, slot, 1));
    }

    private long settleOrClaim(long limit, SlotRange claimed) {
        long id = settle(limit, claimed);
        return id == SlotRange.GIVEN_UP ? claimByTheClock(null) : id;
    }

    /** Fills an array with ascending IDs. */
    final void next(long[] ids) {
        for (int filled = 0; filled < ids.length; ) {
            if (limited != allocation()) {
                rejectBeyondBudget(allocation(), Math.min(ids.length - filled, longestRange + 1));
                // It enters the tick for the range that follows.
                ids[filled++] = claimByTheClock(null);
            }
            int count = Math.min(ids.length - filled, longestRange);
            if (count == 0) {
                return;
            }
            long first = claimRange(count);
            SlotRange.fill(ids, filled, count, first, sequenceMask, 1L << (nodeBits + sequenceBits));
            filled += count;
        }
    }

    /** Rejects a range before any of its slots is claimed. Reads the clock only if the range does not fit into the present tick. */
    private void rejectBeyondBudget(Allocation mine, int count) {
        long next = mine.next();
        if (tickOf(next + count - 1) > tickOf(next) && tickOf(next) < mine.fence()) {
            budget.check(Math.max(next, ticks.current() << sequenceBits), count, budget.waitMillis);
        }
    }

    /** Claims a range and waits until its last slot may be issued; claims another range if the first one is given up. */
    private long claimRange(int count) {
        while (true) {
            Allocation mine = allocation();
            boolean isLimited = mine == limited;
            if (!isLimited) {
                long next = mine.next();
                if (!awaitFence(mine, tickOf(next))) {
                    continue;
                }
                budget.check(next, count, budget.waitMillis);
            }
            long slot = mine.claim(count);
            long limit = mine.limit();
            if (slot + count - 1 + Long.MIN_VALUE < limit && mine == allocation()) {
                return idAt(slot, mine);
            }
            SlotRange claimed = new SlotRange(mine, slot, count);
            long first = isLimited ? settle(limit, claimed) : claimByTheClock(claimed);
            if (first != SlotRange.GIVEN_UP) {
                return first;
            }
            if (isLimited) {
                // It enters the tick for the range that follows.
                claimByTheClock(null);
            }
        }
    }

    /**
     * {@linkplain #claimByTheClock Issues} what was claimed without a look at the clock and is not below the limit. Removes the limit that
     * was reached, or sets another one.
     *
     * @return the first ID; {@link SlotRange#GIVEN_UP} if the tick of the slots has passed, perhaps because no thread has looked at the
     *     clock for long
     */
    private long settle(long limit, SlotRange claimed) {
        Allocation mine = claimed.of();
        mine.unlimit(limit);
        if (mine.limit() == Allocation.NO_LIMIT) {
            limited = null;
        }
        standIn();
        return tickOf(claimed.last()) >= ticks.current() ? claimByTheClock(claimed) : SlotRange.GIVEN_UP;
    }

    // ---- for the thread that looks at the clock for all callers

    /**
     * Enters the clock's tick, and lets callers do without the clock as far as they may.
     *
     * @param most for how many slots at most
     * @return the next free slot
     */
    final long advance(long most) {
        Allocation mine = allocation();
        long limit = mine.limit();
        long now = ticks.current();
        long fence = mine.fence();
        long next = mine.next();
        hurryIfNear(mine, now);
        if (now >= fence || tickOf(next) > Math.min(now + maxDriftTicks, fence - 1)) {
            limited = null;
            mine.unlimit(limit);
            return next;
        }
        long from = tickOf(next) < now ? firstSlotOf(now) : next;
        mine.limitTo(from + Math.min(most, (Math.min(now + maxDriftTicks + 1, fence) << sequenceBits) - from));
        if (limited != mine) {
            limited = mine;
        }
        if (!mine.skip(Math.max(now, 0) << sequenceBits, from) || mine != allocation()) {
            unlimit(mine);
        }
        return mine.next();
    }

    /** Lets every caller look at the clock. */
    final void unlimit() {
        unlimit(allocation());
    }

    private void unlimit(Allocation mine) {
        limited = null;
        mine.unlimit();
    }

    /** Looks at the clock in the ticker's place, if it runs. For any thread that has found a limit reached. */
    final void standIn() {
        if (running.get()) {
            advance(slots);
            if (!running.get()) {
                unlimit();
            }
        }
    }

    // ---- the ticker

    /** Starts the ticker, unless it runs. For any thread, cheap if it runs. */
    @Override
    final void many() {
        if (running.get() || hasNoThreads || !running.compareAndSet(false, true)) {
            return;
        }
        try {
            time.start(tickerName, this::tick);
        } catch (Throwable e) {
            endTicker();
            // If there are no more threads, callers look at the clock themselves.
            hasNoThreads = e instanceof OutOfMemoryError;
            if (!hasNoThreads) {
                throw e;
            }
        }
    }

    final boolean isTickerRunning() {
        return running.get();
    }

    private void tick() {
        try {
            long few = manyInALook() / FEW;
            long before = advance(slots);
            long last = time.nanos();
            for (int quiet = 0; quiet < QUIET_LOOKS && !allocation().isClosed(); ) {
                ticks.sleepToNext();
                long claimed = claimedSince(before);
                quiet = claimed < few ? quiet + 1 : Math.max(0, quiet - BUSY_LOOK);
                long now = time.nanos();
                slots = enough(claimed, now - last);
                last = now;
                before = advance(slots);
            }
        } finally {
            endTicker();
        }
    }

    final void endTicker() {
        running.set(false);
        unlimit();
    }

    /**
     * How many slots were claimed, at most, since the next free one was another. Those that were skipped to enter a tick do not count, and
     * are skipped up to the clock's tick only.
     */
    final long claimedSince(long before) {
        long next = allocation().next();
        long inItsTick = Math.max(0, (next & sequenceMask) - (sequenceStart.bound() - 1));
        return tickOf(next) > ticks.current() ? next - before : Math.min(next - before, inItsTick);
    }

    /** Falls by no more than half: if callers have looked meanwhile, more was claimed than is counted. */
    private long enough(long claimed, long nanos) {
        double looks = (double) nanos / TimeUnit.MILLISECONDS.toNanos(ticks.millisToLookAgain());
        long inALook = (long) (claimed / Math.max(looks, 1));
        return Math.max(manyInALook(), Math.max(LOOKS_AHEAD * inALook, slots / 2));
    }

    private long manyInALook() {
        return ticks.millisToLookAgain() * time.manyInAMillisecond();
    }
}
