package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The worker ids of this process that no store hands out. Open generators of one worker share its allocation, so that
 * they make different ids even if a configuration gives one worker id to two application contexts. When the last of them
 * is closed, the allocation is dropped: a caller that paused in a claim of it must not meet it again. What remains is a
 * number, the last tick used, so that whoever opens the worker id next goes on behind it even if the clock has stepped
 * back meanwhile.
 *
 * <p>Only generators that read the system clock take part; another clock may show a time of its own.
 */
final class AssignedWorkers {

    /** By layout and node. Used under the lock. */
    private static final Map<String, Use> OF_THIS_PROCESS = new HashMap<>();

    private static final ReentrantLock LOCK = new ReentrantLock();

    /** @param shared what the open generators have; null if there is none */
    private record Use(@Nullable Allocation shared, int generators, long lastTick) {}

    private AssignedWorkers() {}

    /**
     * Asks an assigner for a worker ID.
     *
     * @throws IllegalArgumentException if there is none, or if it does not fit the layout
     */
    static WorkerId ask(WorkerIdAssigner assigner, IdLayout layout) {
        WorkerId worker = assigner.assign(layout);
        if (worker == null) {
            throw new IllegalArgumentException("WorkerIdAssigner must return a worker ID, but returned null");
        }
        layout.nodeOf(worker.datacenterId(), worker.workerId());
        return worker;
    }

    /**
     * Gives a worker id to one more generator.
     *
     * @param grant what it may use, if no other generator has the worker id
     * @param firstSlot where to begin at the earliest
     * @param lastTick the last tick that the generator has used before
     */
    static Allocation open(Allocation.Grant grant, TimeSource time, long firstSlot, long driftTicks, long lastTick) {
        WorkerId worker = grant.worker();
        long bits = grant.layout().nodeOf(worker.datacenterId(), worker.workerId());
        if (!time.isSystem()) {
            return begin(grant, firstSlot, driftTicks, lastTick);
        }
        LOCK.lock();
        try {
            String key = key(grant.layout(), bits);
            Use before = OF_THIS_PROCESS.get(key);
            if (before != null && before.shared != null) {
                before.shared.share(driftTicks, lastTick);
                OF_THIS_PROCESS.put(key, new Use(before.shared, before.generators + 1, before.lastTick));
                return before.shared;
            }
            long last = before == null ? lastTick : Math.max(before.lastTick, lastTick);
            Allocation begun = begin(grant, firstSlot, driftTicks, last);
            OF_THIS_PROCESS.put(key, new Use(begun, 1, last));
            return begun;
        } finally {
            LOCK.unlock();
        }
    }

    private static String key(IdLayout layout, long bits) {
        return layout.fingerprint() + " " + bits;
    }

    private static Allocation begin(Allocation.Grant grant, long firstSlot, long driftTicks, long lastTick) {
        long behind = (lastTick + 1) << grant.layout().sequenceBits();
        return Allocation.assigned(grant, Math.max(firstSlot, behind), driftTicks, lastTick);
    }

    /** Takes a worker ID back from a generator that it was opened for, unless the generator takes its allocation. */
    static void closeUnless(BooleanSupplier taken, Allocation opened, IdLayout layout, TimeSource time) {
        boolean done = false;
        try {
            done = taken.getAsBoolean();
        } finally {
            if (!done) {
                close(opened, layout, time);
            }
        }
    }

    /** Takes a worker id back from one generator. */
    static void close(Allocation allocation, IdLayout layout, TimeSource time) {
        if (!time.isSystem()) {
            return;
        }
        LOCK.lock();
        try {
            String key = key(layout, allocation.node);
            Use use = OF_THIS_PROCESS.get(key);
            if (use != null && use.shared == allocation) {
                OF_THIS_PROCESS.put(
                        key,
                        use.generators > 1
                                ? new Use(allocation, use.generators - 1, use.lastTick)
                                : new Use(null, 0, allocation.lastTick()));
            }
        } finally {
            LOCK.unlock();
        }
    }
}
