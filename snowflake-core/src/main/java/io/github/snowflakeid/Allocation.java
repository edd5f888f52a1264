package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One worker's stream of ids: which slots are taken, and where the stream ends. A slot is a position in it, {@code tick
 * << sequenceBits | sequence}.
 *
 * <p>All mutable state is one word, the next free slot. It only grows: by fetch-and-add when slots are claimed, by
 * compare-and-set when the clock has entered a later tick. A thread whose compare-and-set fails lost to one that moved
 * the word to this tick or claimed a slot before it; either way the word is good to claim from, so nothing is retried.
 * Slots are compared unsigned, because where all 63 bits are in use, those behind the last tick have the highest bit
 * set.
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
    static final Allocation NONE = new Allocation(0, 0, 0);

    private record Node(IdLayout layout, long bits) {}

    /** Datacenter id and worker id where they stand in an id. */
    final long node;

    /** The first tick that is not ours. */
    final long fence;

    private volatile long next;

    private Allocation(long node, long firstSlot, long fence) {
        this.node = node;
        this.fence = fence;
        next = firstSlot;
    }

    /** The stream of a worker, up to the end of the layout; shared in this process if the clock is everybody's. */
    static Allocation of(WorkerId workerId, IdLayout layout, InstantSource clock, long firstSlot) {
        long node = layout.nodeOf(workerId.datacenterId(), workerId.workerId());
        Allocation own = new Allocation(node, firstSlot, layout.endTick());
        if (!Ticks.SYSTEM.equals(clock)) {
            return own;
        }
        Allocation earlier = OF_THIS_PROCESS.putIfAbsent(new Node(layout, node), own);
        return earlier == null ? own : earlier;
    }

    /** The next free slot: all before it are claimed, or skipped for good. */
    long next() {
        return next;
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
