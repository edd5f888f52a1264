package io.github.snowflakeid;

import io.github.snowflakeid.internal.PaddedLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a generator may issue as IDs, up to a fence. A slot is a position in the worker ID's stream of IDs,
 * {@code tick << sequenceBits | sequence}. Safe for use by any number of threads.
 *
 * <p><b>The next free slot.</b> The {@linkplain PaddedLong word} holds the next free slot. It only grows: by
 * fetch-and-add when a thread claims slots, by compare-and-set when a thread skips to a later tick that the clock has
 * entered. If other threads claim slots at the same time, the compare-and-set fails and is repeated, but only a limited
 * number of times: the word is correct to claim from in any case. Skipping never uses fetch-and-add: if two threads
 * skipped to the same tick at once, the second addition would leave that tick behind. Slots are compared as unsigned
 * numbers, because in a layout that uses all 63 bits, the slots after the last tick have the highest bit set.
 *
 * <p><b>The fence.</b> The fence is the first tick that must not be issued. It only grows, too. A thread that reads a
 * stale fence may wait or fail unnecessarily, but never issues an ID past the fence.
 *
 * <p><b>The limit.</b> {@link ClockFreeIssuer} uses the limit, and explains it.
 *
 * <p><b>Empty allocations.</b> A generator that is closed or waits for a lease has an allocation without any tick. It
 * refers to its predecessor, so that {@link #lastTick()} and {@link #issued()} remain correct.
 */
class Allocation extends PaddedLong {

    private static final AtomicLongFieldUpdater<Allocation> SKIPPED =
            AtomicLongFieldUpdater.newUpdater(Allocation.class, "skipped");
    private static final AtomicLongFieldUpdater<Allocation> LIMIT =
            AtomicLongFieldUpdater.newUpdater(Allocation.class, "limit");

    /** The limit below which no slot lies, so that no slot may be issued without reading the clock. */
    static final long NO_LIMIT = Long.MIN_VALUE;

    /**
     * How often a skip is attempted. Each attempt fails only if another thread has claimed a slot within the last few
     * nanoseconds.
     */
    private static final int SKIPS = 100;

    /** The datacenter ID and the worker ID at their positions in an ID. */
    final long node;

    private volatile long fence;

    /**
     * The value to which {@link #begin} moves the fence. If no slot may be issued before the clock has reached the
     * first tick, the fence is that tick at first, and this is the end of the layout.
     */
    private final long fenceFromFirstTick;

    private volatile long nearFence;

    /** Less than the slot by 2^63, as {@link #limit()} explains. */
    private volatile long limit = NO_LIMIT;

    private final WorkerId worker;
    private final int sequenceBits;

    /** The allocation that an empty allocation has replaced. */
    private final @Nullable Allocation predecessor;

    /** The last tick of the IDs that were issued from earlier allocations. */
    private final long lastTickBefore;

    /** How many IDs the generator issued from earlier allocations. */
    private final long issuedBefore;

    private final boolean closed;

    /**
     * Keeps the following fields off the cache line of the fields that every caller reads: writes there would cost two
     * thirds of the throughput.
     */
    long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;

    /** The number of slots that were not claimed, because the word skipped them to enter a tick. */
    private volatile long skipped;

    /** Creates an allocation of the slots of a worker ID up to a fence. */
    Allocation(Grant grant, long fenceFromFirstTick, long firstSlot, long lastTick, long issued) {
        super(firstSlot);
        worker = grant.worker;
        node = grant.layout.nodeOf(worker.datacenterId(), worker.workerId());
        sequenceBits = grant.layout.sequenceBits();
        fence = grant.fence;
        this.fenceFromFirstTick = fenceFromFirstTick;
        nearFence = grant.near;
        lastTickBefore = lastTick;
        issuedBefore = issued;
        predecessor = null;
        closed = false;
        skipped = firstSlot;
    }

    /** Creates an empty allocation. */
    private Allocation(WorkerId worker, @Nullable Allocation predecessor, boolean closed) {
        super(0);
        this.worker = worker;
        node = 0;
        sequenceBits = 0;
        fenceFromFirstTick = 0;
        nearFence = Long.MAX_VALUE;
        lastTickBefore = -1;
        issuedBefore = 0;
        // An empty predecessor is replaced by its own predecessor, so that chains do not grow.
        this.predecessor =
                predecessor != null && predecessor.predecessor != null ? predecessor.predecessor : predecessor;
        this.closed = closed;
    }

    /** Returns the allocation of a generator that has not been opened yet. */
    static Allocation none(WorkerId worker) {
        return new Allocation(worker, null, true);
    }

    /** Returns an empty allocation to replace this one when the generator is closed. */
    Allocation closed() {
        return new Allocation(worker, this, true);
    }

    /** Returns an empty allocation to replace this one while the generator waits for a lease. */
    Allocation vacant() {
        return new Allocation(worker, this, false);
    }

    /**
     * The ticks of a worker ID that a generator may use.
     *
     * @param firstTick the first tick
     * @param fence the end, exclusive
     * @param near the tick from which on the fence should be moved
     */
    record Grant(WorkerId worker, IdLayout layout, long firstTick, long fence, long near) {}

    /**
     * Returns an allocation for a worker ID that is not leased. It ends with the layout.
     *
     * @param grant the ticks. Its fence is the end of the layout; if no slot may be issued before the first tick has
     *     {@linkplain #begin begun}, its fence is the first tick.
     * @param lastTick the last tick that was used before
     * @param closed the previous allocation of the generator
     */
    static Allocation assigned(Grant grant, long firstSlot, long lastTick, Allocation closed) {
        return new Allocation(grant, grant.layout.endTick(), firstSlot, lastTick, closed.issued());
    }

    /**
     * Returns an allocation for a leased worker ID.
     *
     * @param vacant the previous allocation of the generator
     */
    static Allocation leased(Grant grant, long firstSlot, Allocation vacant) {
        return new Allocation(grant, 0, firstSlot, vacant.lastTick(), vacant.issued());
    }

    WorkerId worker() {
        return worker;
    }

    /** Returns whether the generator is closed; an empty allocation that is not closed waits for a lease. */
    boolean isClosed() {
        return closed;
    }

    /**
     * Returns the last tick of all IDs that were issued from this allocation and from earlier ones; -1 if there are
     * none.
     */
    long lastTick() {
        if (predecessor != null) {
            return predecessor.lastTick();
        }
        long slot = get();
        return slot == 0 ? lastTickBefore : Math.max(lastTickBefore, Math.min((slot - 1) >>> sequenceBits, fence - 1));
    }

    /**
     * Returns about how many IDs were issued from this allocation and from earlier ones, which is the number of claimed
     * slots. The number is too low while a thread is about to enter a tick, and too high if claimed slots were not
     * issued.
     */
    long issued() {
        if (predecessor != null) {
            return predecessor.issued();
        }
        // The word is read first: slots that are skipped between the two reads must not count as claimed.
        long slot = get();
        return issuedBefore + slot - skipped();
    }

    // ---- the limit

    /**
     * Returns the limit: the first slot that must not be issued without reading the clock, minus 2^63;
     * {@link #NO_LIMIT} if there is none. With that offset, a signed comparison compares slots as unsigned numbers.
     */
    long limit() {
        return limit;
    }

    /**
     * Allows slots below a limit to be issued without reading the clock.
     *
     * @param slot the first slot at or beyond the limit
     */
    void limitTo(long slot) {
        limit = slot + Long.MIN_VALUE;
    }

    /** Removes the limit, so that every caller reads the clock. */
    void unlimit() {
        limit = NO_LIMIT;
    }

    /** Removes a limit that was reached, unless it has been replaced by another one. */
    void unlimit(long reached) {
        LIMIT.compareAndSet(this, reached, NO_LIMIT);
    }

    // ---- the fence

    /** Returns the first tick that must not be issued. */
    long fence() {
        return fence;
    }

    /** Returns the tick from which on the fence should be moved. */
    long nearFence() {
        return nearFence;
    }

    /**
     * Moves the fence forward. Must be called by one thread at a time, and only after the registry has confirmed the
     * new fence.
     *
     * @throws IllegalStateException if this allocation is empty, so that there is no fence to move
     */
    void moveFence(long tick, long near) {
        if (fence == 0) {
            throw new IllegalStateException("Fence not moved: the allocation has no ticks");
        }
        nearFence = near;
        fence = tick;
    }

    /** Returns whether the first tick has begun, so that it no longer prevents slots from being issued. */
    boolean hasBegun() {
        return fence >= fenceFromFirstTick;
    }

    /**
     * Allows slots to be issued if the clock has reached the first tick. Any thread may call this.
     *
     * @param now the clock's tick
     * @return whether the fence has moved
     */
    boolean begin(long now) {
        if (hasBegun() || now < fence) {
            return false;
        }
        fence = fenceFromFirstTick;
        return true;
    }

    /** Returns whether this allocation has ticks, or had some that are used now; false for an empty allocation. */
    boolean hasSlots() {
        return fence != 0;
    }

    // ---- the next free slot

    /** Returns the next free slot: all slots before it are claimed, or skipped and never issued. */
    long next() {
        return get();
    }

    /** Claims the next slots and returns the first of them. */
    long claim(int count) {
        return getAndAdd(count);
    }

    /** Claims {@code target}, if the next free slot is still {@code seen}. */
    boolean claimOnly(long seen, long target) {
        return seen == target ? compareAndSet(seen, seen + 1) : skipFrom(seen, target, target + 1);
    }

    /**
     * Sets the next free slot to {@code next}, if it is still {@code seen}, and counts the slots from {@code seen} to
     * {@code target} as skipped. Counts them first, and undoes that if the next free slot was another one: if the
     * thread is paused between the two steps, skipped slots must not count as claimed.
     */
    private boolean skipFrom(long seen, long target, long next) {
        addSkipped(target - seen);
        if (compareAndSet(seen, next)) {
            return true;
        }
        addSkipped(seen - target);
        return false;
    }

    long skipped() {
        return skipped;
    }

    void addSkipped(long slots) {
        SKIPPED.getAndAdd(this, slots);
    }

    /**
     * Claims {@code target}, if the next free slot is still {@code seen}; otherwise claims the next free slot from
     * {@code tick} on.
     */
    long claimFrom(long seen, long tick, long target) {
        if (claimOnly(seen, target)) {
            return target;
        }
        skip(tick, target);
        return claim(1);
    }

    /**
     * Moves the next free slot to {@code target}, unless another thread has already entered the tick.
     *
     * @param tick the first slot of the target's tick, or of an earlier tick
     * @return false if other threads claimed slots during each attempt
     */
    boolean skip(long tick, long target) {
        for (int tries = 0; tries < SKIPS; tries++) {
            long seen = get();
            if (Long.compareUnsigned(seen, tick) >= 0 || skipFrom(seen, target, target)) {
                return true;
            }
        }
        return false;
    }
}
