package io.github.snowflakeid;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An allocation whose next free slot is shared by all generators of this JVM that have the same assigned worker ID,
 * also if other class loaders have loaded them. Therefore, the shared state is an array, whose type every class loader
 * shares. Everything else belongs to one generator: a limit or a fence that another generator does not know makes no
 * slot available twice.
 */
final class SharedAllocation extends Allocation {

    /** Two lines of the processor's cache are between the words, and before and after them. */
    static final int LENGTH = 80;

    /** An ID costs 5% more with an {@code AtomicLongArray}, which refers to its array. */
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int NEXT = 16;
    private static final int SKIPPED = 48;

    /** How many open generators share the slots. */
    private static final int OPEN = 49;

    /** The first fence of the generator that was opened while no other one was open. */
    private static final int FENCE = 50;

    /** What {@link #issued} adds for the generator that was opened while no other one was open. */
    private static final int ISSUED = 51;

    private final long[] shared;

    private SharedAllocation(Grant grant, long[] shared, long lastTick) {
        super(grant, grant.layout().endTick(), 0, lastTick, get(shared, ISSUED));
        this.shared = shared;
    }

    /**
     * Opens an allocation for a generator. Must be called by one thread at a time for each worker ID.
     *
     * @param grant the ticks that the generator may use if no other open generator has the worker ID
     * @param shared the shared state
     * @param firstSlot the earliest first slot if no other open generator has the worker ID
     * @param closed the previous allocation of the generator
     */
    static SharedAllocation open(Grant grant, long[] shared, long firstSlot, Allocation closed) {
        int bits = grant.layout().sequenceBits();
        boolean joins = (long) WORDS.getAndAdd(shared, OPEN, 1L) > 0;
        long last = closed.lastTick();
        if (!joins) {
            long next = get(shared, NEXT);
            last = next == 0 ? last : Math.max(last, (next - 1) >>> bits);
            WORDS.setVolatile(shared, FENCE, grant.fence());
            WORDS.setVolatile(shared, ISSUED, closed.issued() - (next - get(shared, SKIPPED)));
        }
        Grant granted = new Grant(grant.worker(), grant.layout(), grant.firstTick(), get(shared, FENCE), grant.near());
        SharedAllocation opened = new SharedAllocation(granted, shared, last);
        long afterLast = (last + 1) << bits;
        long first = joins || Long.compareUnsigned(firstSlot, afterLast) < 0 ? afterLast : firstSlot;
        while (!opened.skip(first, first)) {
            Thread.onSpinWait();
        }
        return opened;
    }

    private static long get(long[] shared, int word) {
        return (long) WORDS.getVolatile(shared, word);
    }

    void close() {
        WORDS.getAndAdd(shared, OPEN, -1L);
    }

    @Override
    protected long get() {
        return get(shared, NEXT);
    }

    @Override
    protected long getAndAdd(long delta) {
        return (long) WORDS.getAndAdd(shared, NEXT, delta);
    }

    @Override
    protected boolean compareAndSet(long seen, long next) {
        return WORDS.compareAndSet(shared, NEXT, seen, next);
    }

    @Override
    long skipped() {
        return get(shared, SKIPPED);
    }

    @Override
    void addSkipped(long slots) {
        WORDS.getAndAdd(shared, SKIPPED, slots);
    }
}
