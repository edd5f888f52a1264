package io.github.snowflakeid;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The worker IDs of this JVM that are assigned rather than leased. Generators with the same worker ID share their
 * slots, so they issue different IDs even if two application contexts are configured with the same worker ID, or two
 * applications of a servlet container, each with a copy of this library. Safe for use by any number of threads.
 *
 * <p>The slots of a worker ID remain known after its last generator was closed, so that the next generator continues
 * after its IDs even if the clock has stepped back in between, and even if its application is deployed again. That
 * costs one array for each worker ID, and keeps no class loader in memory.
 *
 * <p>Each generator gets a new {@link Allocation} whenever it is opened: a caller that was paused during a claim while
 * its generator was closed and opened again must not find its old allocation to be current, because another process may
 * have used the worker ID in between. Open generators are counted, because only a generator that joins no other one
 * needs to skip the current tick.
 *
 * <p>Only generators that read the system clock share slots: other clocks may show different times.
 */
final class AssignedWorkers {

    /**
     * The system property whose value all copies of this library share, also copies of other versions: neither the
     * types of the value nor the words of {@link SharedAllocation} may change. The value is no text, so that
     * {@code System.getProperties().list} and {@code store} fail; the alternative, an MBean, would start JMX.
     */
    private static final String PROPERTY = "io.github.snowflakeid.assigned-workers";

    private static final ConcurrentMap<String, long[]> OF_THIS_JVM = ofThisJvm();

    private AssignedWorkers() {}

    @SuppressWarnings("unchecked") // Each copy of this library puts the same types there.
    private static ConcurrentMap<String, long[]> ofThisJvm() {
        return (ConcurrentMap<String, long[]>)
                System.getProperties().computeIfAbsent(PROPERTY, any -> new ConcurrentHashMap<>());
    }

    /**
     * Returns the allocation of a worker ID for a generator that is being opened.
     *
     * @param grant the ticks that the generator may use if no other open generator has the worker ID
     * @param firstSlot the earliest first slot
     * @param closed the previous allocation of the generator
     */
    static Allocation open(Allocation.Grant grant, TimeSource time, long firstSlot, Allocation closed) {
        if (!time.isSystem()) {
            return Allocation.assigned(grant, firstSlot, closed.lastTick(), closed);
        }
        IdLayout layout = grant.layout();
        long node = layout.nodeOf(grant.worker().datacenterId(), grant.worker().workerId());
        String key = layout.fingerprint() + " " + node;
        AtomicReference<Allocation> opened = new AtomicReference<>(closed);
        OF_THIS_JVM.compute(key, (any, known) -> {
            long[] shared = known == null ? new long[SharedAllocation.LENGTH] : known;
            opened.set(SharedAllocation.open(grant, shared, firstSlot, closed));
            return shared;
        });
        return Objects.requireNonNull(opened.get());
    }

    /** Records that a generator is closed. */
    static void close(Allocation allocation) {
        if (allocation instanceof SharedAllocation shared) {
            shared.close();
        }
    }
}
