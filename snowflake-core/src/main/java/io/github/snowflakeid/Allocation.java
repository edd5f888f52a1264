package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One worker's stream of ids: which slots are taken, and where the stream ends. A slot is a position in it, {@code tick
 * << sequenceBits | sequence}.
 *
 * <p>All mutable state but the fence is one word, the next free slot. It only grows: by fetch-and-add when slots are
 * claimed, by compare-and-set when the clock has entered a later tick. A thread whose compare-and-set fails lost to one
 * that moved the word to this tick or claimed a slot before it; either way the word is good to claim from, so nothing is
 * retried. Slots are compared unsigned, because where all 63 bits are in use, those behind the last tick have the
 * highest bit set.
 *
 * <p>The fence only grows, too. A thread that sees it late refuses, or waits, where it need not; never the other way
 * round.
 */
final class Allocation {

    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Allocation.class, "next", long.class);
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

    private record Node(IdLayout layout, long bits) {}

    /** Datacenter id and worker id where they stand in an id. */
    final long node;

    private volatile long fence;

    private volatile long nearFence;

    private volatile long next;

    private Allocation(long node, long firstSlot, long fence, long nearFence) {
        this.node = node;
        this.fence = fence;
        this.nearFence = nearFence;
        next = firstSlot;
    }

    /** Not a single tick. */
    static Allocation none() {
        return new Allocation(0, 0, 0, Long.MAX_VALUE);
    }

    /** The stream of a worker, up to the end of the layout; shared in this process if the clock is everybody's. */
    static Allocation of(WorkerId workerId, IdLayout layout, Time time, long firstSlot) {
        long node = layout.nodeOf(workerId.datacenterId(), workerId.workerId());
        Allocation own = new Allocation(node, firstSlot, layout.endTick(), Long.MAX_VALUE);
        if (!time.isSystem()) {
            return own;
        }
        Allocation earlier = OF_THIS_PROCESS.putIfAbsent(new Node(layout, node), own);
        return earlier == null ? own : earlier;
    }

    /** The stream of a worker, as far as it is leased. */
    static Allocation leased(WorkerId workerId, IdLayout layout, long firstSlot, long fence, long nearFence) {
        return new Allocation(layout.nodeOf(workerId.datacenterId(), workerId.workerId()), firstSlot, fence, nearFence);
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

    /** Claims as {@link #claim} does, but from {@code target}, if the next free slot is still {@code seen}. */
    long claimFrom(long seen, long target, int count) {
        return NEXT.compareAndSet(this, seen, target + count) ? target : claim(count);
    }
}
