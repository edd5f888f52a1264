package io.github.snowflakeid;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The worker IDs of this process that are assigned rather than leased. Open generators with the same worker ID share
 * one allocation, so they issue different IDs even if two application contexts are configured with the same worker ID.
 * Safe for use by any number of threads.
 *
 * <p>When the last generator of a worker ID is closed, its allocation stays in the map, so that the next generator
 * continues after its IDs even if the clock has stepped back in between. That generator gets a new allocation, because
 * another process may have used the worker ID in between: a caller that was paused during a claim while its generator
 * was closed and opened again must not find its old allocation to be current, or it would return an ID of that time.
 * Therefore, open generators are counted. Without the count, a JCStress test finds duplicate IDs within seconds.
 *
 * <p>Only generators that read the system clock share allocations: other clocks may show different times.
 */
final class AssignedWorkers {

    private static final ConcurrentMap<String, Use> OF_THIS_PROCESS = new ConcurrentHashMap<>();

    /** @param generators how many open generators share the allocation */
    private record Use(Allocation allocation, int generators) {}

    private AssignedWorkers() {}

    /**
     * Returns the allocation of a worker ID for a generator that is being opened.
     *
     * @param grant the ticks that the generator may use if no other open generator has the worker ID
     * @param firstSlot the earliest first slot
     * @param closed the previous allocation of the generator
     */
    static Allocation open(Allocation.Grant grant, TimeSource time, long firstSlot, Allocation closed) {
        IdLayout layout = grant.layout();
        if (!time.isSystem()) {
            return Allocation.assigned(grant, firstSlot, closed.lastTick(), closed);
        }
        long node = layout.nodeOf(grant.worker().datacenterId(), grant.worker().workerId());
        return OF_THIS_PROCESS.compute(key(layout, node), (key, use) -> {
                    if (use != null && use.generators > 0) {
                        use.allocation.join(closed.lastTick());
                        return new Use(use.allocation, use.generators + 1);
                    }
                    long last = Math.max(closed.lastTick(), use == null ? -1 : use.allocation.lastTick());
                    long afterLast = (last + 1) << layout.sequenceBits();
                    long first = Long.compareUnsigned(firstSlot, afterLast) < 0 ? afterLast : firstSlot;
                    return new Use(Allocation.assigned(grant, first, last, closed), 1);
                })
                .allocation;
    }

    /** Records that one of the generators that share an allocation is closed. */
    static void close(Allocation allocation, IdLayout layout) {
        OF_THIS_PROCESS.computeIfPresent(
                key(layout, allocation.node),
                (key, use) -> use.allocation == allocation ? new Use(allocation, use.generators - 1) : use);
    }

    private static String key(IdLayout layout, long node) {
        return layout.fingerprint() + " " + node;
    }
}
