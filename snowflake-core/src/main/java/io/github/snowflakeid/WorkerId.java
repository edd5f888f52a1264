package io.github.snowflakeid;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The datacenter ID and the worker ID that a process puts into its IDs. Two processes that generate IDs at the same
 * time with the same datacenter ID, worker ID and layout generate duplicates.
 *
 * @param datacenterId the datacenter ID, from 0 to {@link IdLayout#maxDatacenterId()}
 * @param workerId the worker ID, from 0 to {@link IdLayout#maxWorkerId()}
 * @param origin how the two were determined, for people
 * @param warning why another process may have the same two, to be logged; null if that is ruled out
 * @since 1.0
 */
public record WorkerId(
        int datacenterId,
        int workerId,
        String origin,
        @Nullable String warning) {

    /**
     * Creates a worker ID.
     *
     * @param datacenterId the datacenter ID
     * @param workerId the worker ID
     * @param origin how the two were determined, for people
     * @param warning why another process may have the same two, or null
     */
    public WorkerId {
        Objects.requireNonNull(origin, "origin");
    }

    /**
     * Creates a worker ID without a warning.
     *
     * @param datacenterId the datacenter ID
     * @param workerId the worker ID
     * @param origin how the two were determined, for people
     */
    public WorkerId(int datacenterId, int workerId, String origin) {
        this(datacenterId, workerId, origin, null);
    }
}
