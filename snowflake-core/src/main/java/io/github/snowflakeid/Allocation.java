package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Keeps what is before it in memory off the line of {@link NextSlot}. Two lines of 64 bytes, since processors fetch pairs. */
class SpaceBefore {
    long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
}

/**
 * The one word that all callers write. Others that they only read would be fetched again and again if they were near. Whoever
 * enters a tick, or gives slots up, writes the other one, too: it is at hand then.
 */
class NextSlot extends SpaceBefore {
    volatile long next;

    /** How many slots were skipped or given up, and how many more by threads that are about to skip some. */
    volatile long skips;
}

/** Keeps what comes after it off the line of {@link NextSlot}. */
class SpaceAfter extends NextSlot {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
}

/**
 * What one worker may make ids of: which slots are taken, and where the slots end. A slot is a position in the worker's
 * stream of ids, {@code tick << sequenceBits | sequence}.
 *
 * <p>What is taken is one word, the next free slot. It only grows: by fetch-and-add when slots are claimed, by
 * compare-and-set when the clock has entered a later tick. That is tried again where others claimed meanwhile, but not
 * for long: the word is good to claim from in any case. It is never added to in order to enter a tick, for of two who did
 * so at once the second would leave the tick behind. Slots are compared unsigned, because where all 63 bits are in use,
 * those behind the last tick have the highest bit set.
 *
 * <p>The fence only grows, too. A thread that sees it late refuses, or waits, where it need not; never the other way
 * round.
 *
 * <p>The limit lets callers do without the clock: slots below it may be issued at once. It is kept by a {@link Ticker} and
 * whoever looks at the clock in its place; anybody may take it away. A caller that sees it late issues what might have been
 * issued a little earlier.
 *
 * <p>An allocation without a single tick stands where none is granted. It keeps its predecessor, so that {@link #lastTick()} is
 * right while there are no ticks.
 */
final class Allocation extends SpaceAfter {

    private static final VarHandle NEXT;
    private static final VarHandle SKIPS_WORD;
    private static final VarHandle LIMIT;
    private static final VarHandle MAX_DRIFT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(NextSlot.class, "next", long.class);
            SKIPS_WORD = MethodHandles.lookup().findVarHandle(NextSlot.class, "skips", long.class);
            LIMIT = MethodHandles.lookup().findVarHandle(Allocation.class, "limit", long.class);
            MAX_DRIFT = MethodHandles.lookup().findVarHandle(Allocation.class, "maxDriftTicks", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** No slot may be issued without a look at the clock; below every slot less 2^63. */
    static final long NO_LIMIT = Long.MIN_VALUE;

    /** How often it is tried to enter a tick. Each time fails only if somebody has claimed in the few nanoseconds between. */
    private static final int SKIPS = 100;

    /** What stands in front of a generator's first allocation when ids are counted. */
    static final Allocation NONE = none(new WorkerId(0, 0, "none"));

    /** Datacenter id and worker id where they stand in an id. */
    final long node;

    private volatile long fence;

    /** Where the fence stands once the clock has reached it, if it is the first tick. */
    private final long fenceFromFirstTick;

    private volatile long nearFence;

    /** The limit, as {@link #limit()} has it. */
    private volatile long limit = NO_LIMIT;

    /** The smallest drift of the generators that share this, so that each may use the limit. By the clock, each has its own. */
    private volatile long maxDriftTicks;

    private final WorkerId worker;
    private final int sequenceBits;
    private final @Nullable Allocation before;

    /** The last tick of the ids that these generators made of earlier allocations. */
    private final long lastTickBefore;

    private final boolean closed;

    /** Whether other generators may claim of it, too. */
    private volatile boolean shared;

    /** Keeps what comes after it off the line of what every caller reads. Who writes there costs two thirds of the ids. */
    long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;

    /** The slots of a worker up to a fence. */
    private Allocation(Grant grant, long fenceFromFirstTick, long firstSlot, long driftTicks, long lastTick) {
        worker = grant.worker;
        node = grant.layout.nodeOf(worker.datacenterId(), worker.workerId());
        sequenceBits = grant.layout.sequenceBits();
        fence = grant.fence;
        this.fenceFromFirstTick = fenceFromFirstTick;
        nearFence = grant.near;
        maxDriftTicks = driftTicks;
        lastTickBefore = lastTick;
        before = null;
        closed = false;
        next = firstSlot;
        skips = firstSlot;
    }

    /** Not a single tick. */
    private Allocation(WorkerId worker, @Nullable Allocation before, boolean closed) {
        this.worker = worker;
        node = 0;
        sequenceBits = 0;
        fenceFromFirstTick = 0;
        nearFence = Long.MAX_VALUE;
        lastTickBefore = -1;
        // Not a chain of all there ever were: who was without a tick knows no more than who came before.
        this.before = before != null && before.before != null ? before.before : before;
        this.closed = closed;
    }

    /** What a generator has before it is first opened. */
    static Allocation none(WorkerId worker) {
        return new Allocation(worker, null, true);
    }

    /** What a closed generator has in the place of this. */
    Allocation closed() {
        return new Allocation(worker, this, true);
    }

    /** What a generator has in the place of this that waits for a lease. */
    Allocation vacant() {
        return new Allocation(worker, this, false);
    }

    /**
     * The slots of a worker ID that no store hands out, up to the end of the layout.
     *
     * @param grant its fence is the first tick, if no slot may be issued {@linkplain #begin before}, else the end of the layout
     * @param lastTick the last one that was used before
     */
    static Allocation assigned(Grant grant, long firstSlot, long driftTicks, long lastTick) {
        return new Allocation(grant, grant.layout.endTick(), firstSlot, driftTicks, lastTick);
    }

    /**
     * The ticks of a worker ID that may be used.
     *
     * @param near the tick from which on the fence ought to be moved
     */
    record Grant(WorkerId worker, IdLayout layout, long firstTick, long fence, long near) {}

    /**
     * The slots of a leased worker id.
     *
     * @param lastTick the last one that was used before
     */
    static Allocation leased(Grant grant, long firstSlot, long driftTicks, long lastTick) {
        return new Allocation(grant, 0, firstSlot, driftTicks, lastTick);
    }

    /** Lets another generator claim of this, too, behind the ids that it has made: from now on, the limit keeps to its drift, too. */
    void share(long driftTicks, long lastTick) {
        shared = true;
        for (long seen = maxDriftTicks;
                driftTicks < seen && !MAX_DRIFT.compareAndSet(this, seen, driftTicks);
                seen = maxDriftTicks) {
            // Somebody else shares it at the same time.
        }
        limit = NO_LIMIT;
        long behind = (lastTick + 1) << sequenceBits;
        while (!skip(behind, behind)) {
            Thread.onSpinWait();
        }
    }

    WorkerId worker() {
        return worker;
    }

    /** Whether the generator is closed, rather than without a lease. */
    boolean isClosed() {
        return closed;
    }

    /** The last tick that ids may have which were made of this, or before by those who have it; -1 if there are none. */
    long lastTick() {
        if (before != null) {
            return before.lastTick();
        }
        long slot = next;
        return slot == 0 ? lastTickBefore : Math.max(lastTickBefore, Math.min((slot - 1) >>> sequenceBits, fence - 1));
    }

    /** How far slots below the limit may be ahead of the clock. */
    long maxDriftTicks() {
        return maxDriftTicks;
    }

    /** {@link #NO_LIMIT}, or the first slot that must not be issued without a look at the clock, less 2^63. */
    long limit() {
        return limit;
    }

    /**
     * Lets slots be issued without a look at the clock.
     *
     * @param slot the first one that must not be
     * @param driftTicks the drift that was reckoned with; if it is another one by now, there is no limit
     */
    void limitTo(long slot, long driftTicks) {
        limit = slot + Long.MIN_VALUE;
        if (maxDriftTicks != driftTicks) {
            limit = NO_LIMIT;
        }
    }

    /** Lets every caller look at the clock. */
    void unlimit() {
        limit = NO_LIMIT;
    }

    /** Takes a limit away that does not hold any more, unless there is another one by now. */
    void unlimit(long seen) {
        LIMIT.compareAndSet(this, seen, NO_LIMIT);
    }

    /** The next free slot: all before it are claimed, or skipped for good. */
    long next() {
        return next;
    }

    /** The first tick that is not ours. */
    long fence() {
        return fence;
    }

    /** The tick from which on the fence ought to be moved. */
    long nearFence() {
        return nearFence;
    }

    /**
     * Moves the fence forward. Called by one thread at a time, after the move was confirmed.
     *
     * @throws IllegalStateException if no tick was ever granted, so that there is nothing to extend
     */
    void moveFence(long tick, long near) {
        if (fence == 0) {
            throw new IllegalStateException("no tick was granted, so the fence stays");
        }
        nearFence = near;
        fence = tick;
    }

    /** Whether slots may be issued, as far as the first tick is concerned. */
    boolean hasBegun() {
        return fence >= fenceFromFirstTick;
    }

    /**
     * Lets slots be issued once the clock has reached the first tick. Any thread may do so.
     *
     * @param now the tick that the clock is in
     * @return whether the fence has moved
     */
    boolean begin(long now) {
        if (hasBegun() || now < fence) {
            return false;
        }
        fence = fenceFromFirstTick;
        return true;
    }

    /** Claims the next slots and returns the first of them. */
    long claim(int count) {
        return (long) NEXT.getAndAdd(this, (long) count);
    }

    /** Takes back that slots were claimed, for the count alone: nobody else gets them. */
    void giveUp(long count) {
        SKIPS_WORD.getAndAdd(this, count);
    }

    /** How many slots were claimed and not given up; fewer while a thread is about to skip some, and never more. */
    long claimed() {
        // In this order: what is skipped in between must not count as claimed.
        long slot = next;
        return slot - skips;
    }

    /** Whether there are slots, or were. */
    boolean hasSlots() {
        return fence != 0;
    }

    boolean isShared() {
        return shared;
    }

    /** Claims {@code target}, if the next free slot is still {@code seen}. */
    boolean claimOnly(long seen, long target) {
        return seen == target ? NEXT.compareAndSet(this, seen, seen + 1) : skipFrom(seen, target, target + 1);
    }

    /**
     * Skips to {@code target}, if the next free slot is still {@code seen}. Says so before, and takes it back if it was not: who
     * stands still in between must not let skipped slots be taken for claimed ones.
     */
    private boolean skipFrom(long seen, long target, long behind) {
        SKIPS_WORD.getAndAdd(this, target - seen);
        if (NEXT.compareAndSet(this, seen, behind)) {
            return true;
        }
        SKIPS_WORD.getAndAdd(this, seen - target);
        return false;
    }

    /** Claims {@code target}, if the next free slot is still {@code seen}, or else the next one from {@code tick} on. */
    long claimFrom(long seen, long tick, long target) {
        if (claimOnly(seen, target)) {
            return target;
        }
        skip(tick, target);
        return claim(1);
    }

    /**
     * Moves the next free slot to {@code target}, unless it has entered its tick already.
     *
     * @param tick the first slot of the target's tick, or of an earlier one
     * @return false if others claim all the time, so that it was not to be done
     */
    boolean skip(long tick, long target) {
        for (int tries = 0; tries < SKIPS; tries++) {
            long seen = next;
            if (Long.compareUnsigned(seen, tick) >= 0 || skipFrom(seen, target, target)) {
                return true;
            }
        }
        return false;
    }
}
