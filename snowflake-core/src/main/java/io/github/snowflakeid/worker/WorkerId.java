package io.github.snowflakeid.worker;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The two fields that say who makes an id, and how this process came by them. Two processes that make ids at the same
 * time with equal datacenter id, worker id and layout make equal ids.
 *
 * @param datacenterId the datacenter id, from 0 to {@link io.github.snowflakeid.IdLayout#maxDatacenterId()}
 * @param workerId the worker id, from 0 to {@link io.github.snowflakeid.IdLayout#maxWorkerId()}
 * @param origin where the two come from, for people
 * @param warning why another process may have the same two, for a log; null if that was made sure of
 * @since 0.1.0
 */
public record WorkerId(
        int datacenterId,
        int workerId,
        String origin,
        @Nullable String warning) {

    /**
     * Makes a worker ID.
     *
     * @param datacenterId the datacenter ID
     * @param workerId the worker ID
     * @param origin where the two come from, for people
     * @param warning why another process may have the same two, or null
     */
    public WorkerId {
        Objects.requireNonNull(origin, "origin");
    }

    /**
     * A worker id without a warning.
     *
     * @param datacenterId the datacenter id
     * @param workerId the worker id
     * @param origin where the two come from, for people
     */
    public WorkerId(int datacenterId, int workerId, String origin) {
        this(datacenterId, workerId, origin, null);
    }
}
