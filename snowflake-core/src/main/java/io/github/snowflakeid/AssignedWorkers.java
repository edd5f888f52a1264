package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerId;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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

    private static final ConcurrentMap<Node, Use> OF_THIS_PROCESS = new ConcurrentHashMap<>();

    private record Node(IdLayout layout, long bits) {}

    /** @param shared what the open generators have; null if there is none */
    private record Use(@Nullable Allocation shared, int generators, long lastTick) {}

    private AssignedWorkers() {}

    /**
     * Gives a worker id to one more generator.
     *
     * @param lastTick the last tick that the generator has used before
     * @param firstSlot where to begin at the earliest
     */
    static Allocation open(
            WorkerId worker, IdLayout layout, Time time, long firstSlot, long driftTicks, long lastTick) {
        long bits = layout.nodeOf(worker.datacenterId(), worker.workerId());
        if (!time.isSystem()) {
            return begin(worker, layout, firstSlot, driftTicks, lastTick);
        }
        Use use = OF_THIS_PROCESS.compute(new Node(layout, bits), (node, before) -> {
            if (before == null) {
                return new Use(begin(worker, layout, firstSlot, driftTicks, lastTick), 1, lastTick);
            }
            if (before.shared == null) {
                long last = Math.max(before.lastTick, lastTick);
                return new Use(begin(worker, layout, firstSlot, driftTicks, last), 1, last);
            }
            before.shared.share(driftTicks, lastTick);
            return new Use(before.shared, before.generators + 1, before.lastTick);
        });
        return Objects.requireNonNull(use.shared);
    }

    private static Allocation begin(WorkerId worker, IdLayout layout, long firstSlot, long driftTicks, long lastTick) {
        long behind = (lastTick + 1) << layout.sequenceBits();
        return Allocation.assigned(worker, layout, Math.max(firstSlot, behind), driftTicks, lastTick);
    }

    /** Takes a worker id back from one generator. */
    static void close(Allocation allocation, IdLayout layout, Time time) {
        if (time.isSystem()) {
            OF_THIS_PROCESS.computeIfPresent(
                    new Node(layout, allocation.node),
                    (node, use) -> use.shared != allocation
                            ? use
                            : use.generators > 1
                                    ? new Use(allocation, use.generators - 1, use.lastTick)
                                    : new Use(null, 0, allocation.lastTick()));
        }
    }
}
