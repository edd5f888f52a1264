package io.github.snowflakeid;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Issues IDs without reading the clock while there is load: reading the clock takes 31 ns, claiming a slot takes 3 ns.
 *
 * <p><b>The protocol.</b> Under load, one daemon thread, the ticker, {@linkplain #advance reads the clock} for all
 * callers: once a tick, and at least every 10 ms. It enters the clock's tick and sets a limit. Slots below the limit
 * may be issued without reading the clock. The limit is never beyond the drift or the fence, and leaves about as many
 * slots below it as callers claim between two reads of the ticker, twice over.
 *
 * <p>Callers claim a slot first and then compare it with the limit. The first caller whose slot is at or beyond the
 * limit {@linkplain #settle settles} it: it removes the limit, so that other callers do not claim slots that they
 * cannot use, reads the clock in place of the ticker, and issues the slot by the clock.
 *
 * <p><b>Which reads decide.</b> {@link #limited} is only advice and may be out of date. Two reads after the claim
 * decide: the limit of the allocation from which the slot was claimed, and then whether this allocation is still the
 * current one. Any thread may set or {@linkplain #unlimit remove} a limit at any time, and several threads may do so at
 * once. Every limit was correct when it was set, and a slot that may be issued once may also be issued later, so it
 * does not matter which limit remains. A caller that reads a stale limit issues an ID that it could have issued a
 * little earlier.
 *
 * <p><b>If the ticker is late,</b> callers use up the slots below the limit, whose tick has already passed, and then
 * one of them reads the clock in place of the ticker. So while the load lasts, timestamps lag by about two reads of the
 * ticker at most, even if processors are busy and threads wake up late. Timestamps lag more only if the load drops at
 * the moment when the ticker is late.
 *
 * <p><b>When the ticker ends,</b> because the load has dropped, a caller may be reading the clock in its place. That
 * caller sets a limit and then checks whether the ticker still runs. The ticker marks itself as ended and then removes
 * the limit. At least one of the two sees the other's write, so no limit remains without a ticker that moves it.
 *
 * <p><b>Why this is fast.</b> If many threads claim slots, the cache line of the word moves from processor to
 * processor. A processor that holds it claims several slots before it passes the line on, provided that nothing else
 * has to be loaded from memory first. Therefore, the limit is read after the claim.
 */
@SuppressWarnings("ReferenceEquality") // An allocation is equal to itself only.
abstract class ClockFreeIssuer extends SlotIssuer {

    /** The highest number of IDs that a batch claims at once, so that other threads get IDs in between. */
    private static final int LONGEST_RANGE = 1 << 16;

    /**
     * A read of the ticker counts as quiet if fewer IDs were claimed since the last read than {@link #manyInARead}
     * divided by this.
     */
    private static final int FEW = 4;

    /** The ticker ends after this many quiet reads. */
    private static final int QUIET_READS = 64;

    /**
     * A read under load cancels this many quiet reads: load comes in bursts, but an occasional batch does not count as
     * load.
     */
    private static final int BUSY_READ = 16;

    /** For how many reads of the ticker the slots below the limit should last. */
    private static final int READS_AHEAD = 2;

    /** The current allocation if it has a limit, so that callers need not read the clock; null if it has none. */
    private volatile @Nullable Allocation limited;

    private final int longestRange;
    private final String tickerName;
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * Whether the ticker's thread could not be started. The start is not repeated, because each call would pay for the
     * attempt.
     */
    private volatile boolean hasNoThreads;

    /** How many slots may be issued until the clock is read again. */
    private volatile long slots;

    ClockFreeIssuer(IdLayout layout, TimeSource time, DriftBudget budget, SequenceStart start, String tickerName) {
        super(layout, time, budget, start);
        this.tickerName = tickerName;
        longestRange = (int) Math.min(sequenceMask + 1, LONGEST_RANGE);
        slots = manyInARead();
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
                // A single ID is claimed first: this enters the clock's tick for the range that follows.
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

    /**
     * Rejects a range that is too far ahead of the clock, before any of its slots is claimed. Reads the clock only if
     * the range does not fit into the tick of the next free slot.
     */
    private void rejectBeyondBudget(Allocation mine, int count) {
        long next = mine.next();
        if (tickOf(next + count - 1) > tickOf(next) && tickOf(next) < mine.fence()) {
            budget.check(Math.max(next, ticks.current() << sequenceBits), count, budget.waitMillis);
        }
    }

    /**
     * Claims a range and waits until its last slot may be issued; claims another range if the first one is given up.
     */
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
                // It enters the clock's tick for the next range; the single ID is not used.
                claimByTheClock(null);
            }
        }
    }

    /**
     * Handles slots that were claimed without reading the clock and are not below the limit: removes the limit that was
     * reached, reads the clock in place of the ticker, and {@linkplain #claimByTheClock issues} the slots by the clock.
     *
     * @return the first ID; {@link SlotRange#GIVEN_UP} if the tick of the slots has already passed, for example because
     *     no thread has read the clock for a long time
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

    // ---- for the thread that reads the clock for all callers

    /**
     * Enters the clock's tick, and sets a limit up to which callers need not read the clock. Removes the limit if slots
     * cannot be issued now.
     *
     * @param most the highest number of slots below the limit
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

    /** Removes the limit, so that every caller reads the clock. */
    final void unlimit() {
        unlimit(allocation());
    }

    private void unlimit(Allocation mine) {
        limited = null;
        mine.unlimit();
    }

    /** Reads the clock in place of the ticker, if the ticker runs. For threads that have reached the limit. */
    final void standIn() {
        if (running.get()) {
            advance(slots);
            if (!running.get()) {
                unlimit();
            }
        }
    }

    // ---- the ticker

    /** Starts the ticker, unless it runs. Any thread may call this; it is cheap if the ticker runs. */
    @Override
    final void many() {
        if (running.get() || hasNoThreads || !running.compareAndSet(false, true)) {
            return;
        }
        try {
            time.start(tickerName, this::tick);
        } catch (Throwable e) {
            endTicker();
            // If the system has no thread left, callers read the clock themselves.
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
            long few = manyInARead() / FEW;
            long before = advance(slots);
            long last = time.nanos();
            for (int quiet = 0; quiet < QUIET_READS && !allocation().isClosed(); ) {
                ticks.sleepToNext();
                long claimed = claimedSince(before);
                quiet = claimed < few ? quiet + 1 : Math.max(0, quiet - BUSY_READ);
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
     * Returns an upper bound for the number of slots that were claimed since the next free slot was {@code before}.
     * Slots that were skipped to enter a tick do not count; slots are skipped only up to the clock's tick.
     */
    final long claimedSince(long before) {
        long next = allocation().next();
        long inItsTick = Math.max(0, (next & sequenceMask) - (sequenceStart.bound() - 1));
        return tickOf(next) > ticks.current() ? next - before : Math.min(next - before, inItsTick);
    }

    /**
     * Returns how many slots callers need until the next reads of the ticker. Falls by at most half from read to read:
     * if callers have read the clock in between, more slots were claimed than are counted.
     */
    private long enough(long claimed, long nanos) {
        double reads = (double) nanos / TimeUnit.MILLISECONDS.toNanos(ticks.millisToNextRead());
        long inARead = (long) (claimed / Math.max(reads, 1));
        return Math.max(manyInARead(), Math.max(READS_AHEAD * inARead, slots / 2));
    }

    private long manyInARead() {
        return ticks.millisToNextRead() * time.manyInAMillisecond();
    }
}
