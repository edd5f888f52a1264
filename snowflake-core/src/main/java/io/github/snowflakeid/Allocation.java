package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Keeps what is before it in memory off the line of {@link NextSlot}. Two lines of 64 bytes, since processors fetch pairs. */
class SpaceBefore {
    long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
}

/** The one word that all callers write. Others that they only read would be fetched again and again if they were near. */
class NextSlot extends SpaceBefore {
    volatile long next;
}

/** Keeps what comes after it off the line of {@link NextSlot}. */
class SpaceAfter extends NextSlot {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
}

/**
 * One worker's stream of ids: which slots are taken, and where the stream ends. A slot is a position in it, {@code tick
 * << sequenceBits | sequence}.
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
 */
final class Allocation extends SpaceAfter {

    private static final VarHandle NEXT;
    private static final VarHandle LIMIT;
    private static final VarHandle MAX_DRIFT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(NextSlot.class, "next", long.class);
            LIMIT = MethodHandles.lookup().findVarHandle(Allocation.class, "limit", long.class);
            MAX_DRIFT = MethodHandles.lookup().findVarHandle(Allocation.class, "maxDriftTicks", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * The allocations of this process whose worker id no store hands out. Generators of one worker share one, so that
     * they make different ids even if a configuration gives one worker id to two application contexts.
     */
    private static final ConcurrentMap<Node, Allocation> OF_THIS_PROCESS = new ConcurrentHashMap<>();

    /** What a closed generator has: not a single tick. */
    static final Allocation NONE = none();

    /** No slot may be issued without a look at the clock; below every slot less 2^63. */
    static final long NO_LIMIT = Long.MIN_VALUE;

    /** How often it is tried to enter a tick. Each time fails only if somebody has claimed in the few nanoseconds between. */
    private static final int SKIPS = 100;

    private record Node(IdLayout layout, long bits) {}

    /** Datacenter id and worker id where they stand in an id. */
    final long node;

    private volatile long fence;

    private volatile long nearFence;

    /** The limit, as {@link #limit()} has it. */
    private volatile long limit = NO_LIMIT;

    /** The smallest drift of the generators that share this. */
    private volatile long maxDriftTicks;

    /** Keeps what comes after it off the line of what every caller reads. Who writes there costs two thirds of the ids. */
    long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;

    private Allocation(long node, long firstSlot, long fence, long nearFence, long maxDriftTicks) {
        this.node = node;
        this.fence = fence;
        this.nearFence = nearFence;
        this.maxDriftTicks = maxDriftTicks;
        next = firstSlot;
    }

    /** Not a single tick. */
    static Allocation none() {
        return new Allocation(0, 0, 0, Long.MAX_VALUE, 0);
    }

    /** The stream of a worker, up to the end of the layout; shared in this process if the clock is everybody's. */
    static Allocation of(WorkerId workerId, IdLayout layout, Time time, long firstSlot, long maxDriftTicks) {
        long node = layout.nodeOf(workerId.datacenterId(), workerId.workerId());
        Allocation own = new Allocation(node, firstSlot, layout.endTick(), Long.MAX_VALUE, maxDriftTicks);
        if (!time.isSystem()) {
            return own;
        }
        Allocation earlier = OF_THIS_PROCESS.putIfAbsent(new Node(layout, node), own);
        if (earlier == null) {
            return own;
        }
        earlier.share(maxDriftTicks);
        return earlier;
    }

    /** The stream of a worker, as far as it is leased. */
    static Allocation leased(
            WorkerId workerId, IdLayout layout, long firstSlot, long fence, long nearFence, long maxDriftTicks) {
        long node = layout.nodeOf(workerId.datacenterId(), workerId.workerId());
        return new Allocation(node, firstSlot, fence, nearFence, maxDriftTicks);
    }

    private void share(long driftTicks) {
        long before;
        do {
            before = maxDriftTicks;
        } while (driftTicks < before && !MAX_DRIFT.compareAndSet(this, before, driftTicks));
        limit = NO_LIMIT;
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

    /** Moves the fence forward. Called by one thread at a time, after the move was confirmed. */
    void moveFence(long tick, long near) {
        nearFence = near;
        fence = tick;
    }

    /** Claims the next slots and returns the first of them. */
    long claim(int count) {
        return (long) NEXT.getAndAdd(this, (long) count);
    }

    /** Claims {@code target}, if the next free slot is still {@code seen}, or else the next one from {@code tick} on. */
    long claimFrom(long seen, long tick, long target) {
        if (NEXT.compareAndSet(this, seen, target + 1)) {
            return target;
        }
        skip(tick, target);
        return claim(1);
    }

    /**
     * Moves the next free slot to {@code target}, unless it has entered its tick already.
     *
     * @param tick the slot that the tick of the target begins with
     * @return false if others claim all the time, so that it was not to be done
     */
    boolean skip(long tick, long target) {
        for (int tries = 0; tries < SKIPS; tries++) {
            long seen = next;
            if (seen - tick >= 0 || NEXT.compareAndSet(this, seen, target)) {
                return true;
            }
        }
        return false;
    }
}
