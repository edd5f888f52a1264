package io.github.snowflakeid;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The worker IDs of this process that no store hands out. Open generators with one worker ID share its allocation, so that they issue
 * different IDs even if a configuration gives one worker ID to two application contexts.
 *
 * <p>The allocation of a worker ID stays in the map when its last generator is closed, so that the next generator continues after its
 * IDs even if the clock has stepped back meanwhile. That generator gets a new allocation, because another process may have used the
 * worker ID in between: a caller that paused in a claim, until its generator was closed and opened again, must not find its old
 * allocation there. JCStress finds such IDs within seconds otherwise, so open generators are counted.
 *
 * <p>Only generators that read the system clock take part: another clock may show another time.
 */
final class AssignedWorkers {

    private static final ConcurrentMap<Key, Use> OF_THIS_PROCESS = new ConcurrentHashMap<>();

    private record Key(String layout, long node) {}

    /** @param generators how many open generators have the allocation */
    private record Use(Allocation allocation, int generators) {}

    private AssignedWorkers() {}

    /**
     * Gives a worker ID to one more generator.
     *
     * @param grant what the generator may use if no other generator has the worker ID
     * @param firstSlot where to begin at the earliest
     * @param closed what the generator had before
     */
    static Allocation open(Allocation.Grant grant, TimeSource time, long firstSlot, Allocation closed) {
        IdLayout layout = grant.layout();
        if (!time.isSystem()) {
            return Allocation.assigned(grant, firstSlot, closed.lastTick(), closed);
        }
        long node = layout.nodeOf(grant.worker().datacenterId(), grant.worker().workerId());
        return OF_THIS_PROCESS.compute(new Key(layout.fingerprint(), node), (key, use) -> {
                    if (use != null && use.generators > 0) {
                        use.allocation.join(closed.lastTick());
                        return new Use(use.allocation, use.generators + 1);
                    }
                    long last = Math.max(closed.lastTick(), use == null ? -1 : use.allocation.lastTick());
                    long first = Math.max(firstSlot, (last + 1) << layout.sequenceBits());
                    return new Use(Allocation.assigned(grant, first, last, closed), 1);
                })
                .allocation;
    }

    /** Takes a worker ID back from one generator that has the allocation. */
    static void close(Allocation allocation, IdLayout layout) {
        OF_THIS_PROCESS.computeIfPresent(
                new Key(layout.fingerprint(), allocation.node),
                (key, use) -> use.allocation == allocation ? new Use(allocation, use.generators - 1) : use);
    }
}
