package io.github.snowflakeid;

import io.github.snowflakeid.internal.PaddedLong;
import io.github.snowflakeid.worker.WorkerId;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a generator may issue as IDs: which of them are claimed, and where they end. A slot is a position in the worker's
 * stream of IDs, {@code tick << sequenceBits | sequence}.
 *
 * <p>The word is the next free slot. It only grows: by fetch-and-add when slots are claimed, by compare-and-set when the clock has
 * entered a later tick. If other threads claim at the same time, the compare-and-set is repeated, but not for long: the word is good to
 * claim from in any case. It is never added to in order to enter a tick, because if two threads did so at once, the second one would
 * leave the tick behind. Slots are compared unsigned: if a layout uses all 63 bits, the slots behind its last tick have the highest bit
 * set.
 *
 * <p>The fence only grows, too. A thread that reads a stale fence may wait or fail unnecessarily, but never issues an ID past the fence.
 *
 * <p>The limit belongs to {@link ClockFreeIssuer}, which explains it.
 *
 * <p>A generator without a worker ID has an allocation without a single tick. It keeps its predecessor, so that {@link #lastTick()} and
 * {@link #issued()} are right meanwhile.
 */
final class Allocation extends PaddedLong {

    private static final AtomicLongFieldUpdater<Allocation> SKIPPED =
            AtomicLongFieldUpdater.newUpdater(Allocation.class, "skipped");
    private static final AtomicLongFieldUpdater<Allocation> LIMIT =
            AtomicLongFieldUpdater.newUpdater(Allocation.class, "limit");

    /** No slot may be issued without a look at the clock; below every slot less 2^63. */
    static final long NO_LIMIT = Long.MIN_VALUE;

    /** How often to try to enter a tick. Each attempt fails only if another thread has claimed in the few nanoseconds between. */
    private static final int SKIPS = 100;

    /** Datacenter ID and worker ID where they are in an ID. */
    final long node;

    private volatile long fence;

    /** Where the fence is once the clock has reached it, if it is the first tick. */
    private final long fenceFromFirstTick;

    private volatile long nearFence;

    /** The limit, as {@link #limit()} has it. */
    private volatile long limit = NO_LIMIT;

    private final WorkerId worker;
    private final int sequenceBits;
    private final @Nullable Allocation before;

    /** The last tick of the IDs that were issued before. */
    private final long lastTickBefore;

    /** How many IDs the generator issued before. */
    private final long issuedBefore;

    private final boolean closed;

    /** Keeps what comes after it off the cache line of what every caller reads: writes there cost two thirds of the IDs. */
    long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;

    /** Slots that nobody claimed, because the word skipped them to enter a tick. */
    private volatile long skipped;

    /** The slots of a worker ID up to a fence. */
    private Allocation(Grant grant, long fenceFromFirstTick, long firstSlot, long lastTick, long issued) {
        super(firstSlot);
        worker = grant.worker;
        node = grant.layout.nodeOf(worker.datacenterId(), worker.workerId());
        sequenceBits = grant.layout.sequenceBits();
        fence = grant.fence;
        this.fenceFromFirstTick = fenceFromFirstTick;
        nearFence = grant.near;
        lastTickBefore = lastTick;
        issuedBefore = issued;
        before = null;
        closed = false;
        skipped = firstSlot;
    }

    /** Not a single tick. */
    private Allocation(WorkerId worker, @Nullable Allocation before, boolean closed) {
        super(0);
        this.worker = worker;
        node = 0;
        sequenceBits = 0;
        fenceFromFirstTick = 0;
        nearFence = Long.MAX_VALUE;
        lastTickBefore = -1;
        issuedBefore = 0;
        // A predecessor without ticks knows no more than its own predecessor, so that there is no long chain.
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

    /** What a generator that waits for a lease has in the place of this. */
    Allocation vacant() {
        return new Allocation(worker, this, false);
    }

    /**
     * The ticks of a worker ID that may be used.
     *
     * @param near the tick from which on the fence ought to be moved
     */
    record Grant(WorkerId worker, IdLayout layout, long firstTick, long fence, long near) {}

    /**
     * The slots of a worker ID that no store hands out, up to the end of the layout.
     *
     * @param grant its fence is the first tick, if no slot may be issued {@linkplain #begin before}, else the end of the layout
     * @param lastTick the last tick that was used before
     * @param closed what the generator had before
     */
    static Allocation assigned(Grant grant, long firstSlot, long lastTick, Allocation closed) {
        return new Allocation(grant, grant.layout.endTick(), firstSlot, lastTick, closed.issued());
    }

    /**
     * The slots of a leased worker ID.
     *
     * @param vacant what the generator had before
     */
    static Allocation leased(Grant grant, long firstSlot, Allocation vacant) {
        return new Allocation(grant, 0, firstSlot, vacant.lastTick(), vacant.issued());
    }

    /** Lets another generator claim of this, too, behind the IDs that it has issued. */
    void join(long lastTick) {
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

    /** The last tick of all IDs that were issued of this and before; -1 if there are none. */
    long lastTick() {
        if (before != null) {
            return before.lastTick();
        }
        long slot = get();
        return slot == 0 ? lastTickBefore : Math.max(lastTickBefore, Math.min((slot - 1) >>> sequenceBits, fence - 1));
    }

    /**
     * About how many IDs were issued of this and before: slots that were claimed. Less while a thread is about to enter a tick, more if
     * slots were claimed in vain.
     */
    long issued() {
        if (before != null) {
            return before.issued();
        }
        // In this order: what is skipped in between must not count as claimed.
        long slot = get();
        return issuedBefore + slot - skipped;
    }

    // ---- the limit

    /** {@link #NO_LIMIT}, or the first slot that must not be issued without a look at the clock, less 2^63. */
    long limit() {
        return limit;
    }

    /**
     * Lets slots be issued without a look at the clock.
     *
     * @param slot the first one that must not be
     */
    void limitTo(long slot) {
        limit = slot + Long.MIN_VALUE;
    }

    /** Lets every caller look at the clock. */
    void unlimit() {
        limit = NO_LIMIT;
    }

    /** Removes a limit that was reached, unless there is another one by now. */
    void unlimit(long reached) {
        LIMIT.compareAndSet(this, reached, NO_LIMIT);
    }

    // ---- the fence

    /** The first tick that must not be issued. */
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

    /** Whether there are slots, or were. */
    boolean hasSlots() {
        return fence != 0;
    }

    // ---- the next free slot

    /** The next free slot: all before it are claimed, or skipped for good. */
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
     * Skips to {@code target}, if the next free slot is still {@code seen}. Counts the skip before, and takes that back if the slot was
     * another: while a thread stands still in between, skipped slots must not count as claimed.
     */
    private boolean skipFrom(long seen, long target, long behind) {
        SKIPPED.getAndAdd(this, target - seen);
        if (compareAndSet(seen, behind)) {
            return true;
        }
        SKIPPED.getAndAdd(this, seen - target);
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
     * @return false if other threads claimed at each attempt
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
