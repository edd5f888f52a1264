package io.github.snowflakeid;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates IDs for rows that are older than their IDs, as in an import: each ID carries the original time of its row,
 * so IDs sort by it.
 *
 * <p><b>The worker ID must be reserved.</b> IDs are unique only if no process ever generates IDs with the datacenter ID
 * and worker ID used here. Two imports must not use the same IDs either, unless the later import continues after the
 * earlier one with {@link #continueAfter}. The page "Importing rows" of the documentation shows how to reserve them.
 *
 * <p><b>Order.</b> Original times must ascend from call to call, except that times within the same tick may come in any
 * order. IDs of the same tick are numbered consecutively. A row never gets the tick of another time: if the tick of a
 * row has no ID left, {@link #nextId} throws an exception.
 *
 * <p>Safe for use by any number of threads, which have to keep the order among them.
 *
 * @since 1.0
 */
public final class ImportIdGenerator {

    private final IdLayout layout;
    private final int datacenterId;
    private final int firstWorkerId;
    private final int lastWorkerId;

    /** The last ID issued; -1 if there is none. */
    private final AtomicLong last = new AtomicLong(-1);

    private ImportIdGenerator(IdLayout layout, int datacenterId, int firstWorkerId, int lastWorkerId) {
        this.layout = layout;
        this.datacenterId = datacenterId;
        this.firstWorkerId = firstWorkerId;
        this.lastWorkerId = lastWorkerId;
        layout.nodeOf(datacenterId, firstWorkerId);
    }

    /**
     * Creates a generator that uses one worker ID. A tick has 4096 IDs in the default layout: as many as the sequence
     * has numbers.
     *
     * @param layout the layout of the table's IDs
     * @param datacenterId the datacenter ID of the reserved worker ID
     * @param workerId the reserved worker ID
     * @return the generator
     * @throws IllegalArgumentException if the layout has no such datacenter ID or worker ID
     */
    public static ImportIdGenerator of(IdLayout layout, int datacenterId, int workerId) {
        return new ImportIdGenerator(layout, datacenterId, workerId, workerId);
    }

    /**
     * Creates a generator that uses all worker IDs of a datacenter ID, for tables with very many rows of the same time,
     * for example because only their date is known. A tick has 131,072 IDs in the default layout.
     *
     * @param layout the layout of the table's IDs
     * @param datacenterId a datacenter ID that no process uses
     * @return the generator
     * @throws IllegalArgumentException if the layout has no such datacenter ID, or no datacenter bits: all processes
     *     have datacenter ID 0 then
     */
    public static ImportIdGenerator ofDatacenter(IdLayout layout, int datacenterId) {
        if (layout.datacenterBits() == 0) {
            throw new IllegalArgumentException(
                    "An import cannot use all worker IDs of datacenter ID 0, which all processes have in layout %s; use ImportIdGenerator.of with a reserved worker ID"
                            .formatted(layout));
        }
        return new ImportIdGenerator(layout, datacenterId, 0, layout.maxWorkerId());
    }

    /**
     * Continues an earlier import with the same datacenter ID and worker IDs, for example after a failure.
     *
     * @param highestStoredId the highest ID that the earlier import has stored
     * @return this generator
     * @throws IllegalArgumentException if it is not an ID of this datacenter ID and these worker IDs
     */
    public ImportIdGenerator continueAfter(long highestStoredId) {
        IdFields fields = layout.decode(highestStoredId);
        if (fields.datacenterId() != datacenterId
                || fields.workerId() < firstWorkerId
                || fields.workerId() > lastWorkerId) {
            throw new IllegalArgumentException(
                    "Import cannot continue after ID %s: it has datacenter ID %s and worker ID %s, but the import uses %s"
                            .formatted(highestStoredId, fields.datacenterId(), fields.workerId(), source()));
        }
        last.accumulateAndGet(highestStoredId, Math::max);
        return this;
    }

    /**
     * Generates the ID of a row.
     *
     * @param originalTime when the row was created; not in a tick before the tick of the last call
     * @return an ID with this time, rounded down to the tick, and greater than all IDs returned before
     * @throws IllegalArgumentException if the time is in an earlier tick than the time of the last call, before the
     *     epoch of the layout or not before its end, or if the tick has no ID left. No ID is used up then.
     */
    public long nextId(Instant originalTime) {
        long tick = layout.firstId(originalTime);
        long lowest = tick | layout.nodeOf(datacenterId, firstWorkerId);
        long highest = tick | layout.nodeOf(datacenterId, lastWorkerId) | layout.maxSequence();
        while (true) {
            long before = last.get();
            if (before > highest) {
                throw new IllegalArgumentException(
                        "Original times must ascend, but %s came after %s; sort the rows by time, or import earlier rows with another worker ID"
                                .formatted(originalTime, layout.timestamp(before)));
            }
            if (before == highest) {
                throw new IllegalArgumentException(
                        "All %s IDs of the tick at %s are used (%s); import the other rows of this tick with another worker ID"
                                .formatted(highest - lowest + 1, layout.timestamp(before), source()));
            }
            long id = Math.max(lowest, before + 1);
            if (last.compareAndSet(before, id)) {
                return id;
            }
        }
    }

    private String source() {
        return firstWorkerId == lastWorkerId
                ? "datacenter ID %s and worker ID %s".formatted(datacenterId, firstWorkerId)
                : "datacenter ID %s and all its worker IDs".formatted(datacenterId);
    }
}
