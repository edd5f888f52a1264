package io.github.snowflakeid;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the lease of the worker ID has expired or was lost, and could not be renewed or replaced within
 * {@code maxWait}. No ID was issued. IDs resume automatically as soon as the registry grants a lease.
 *
 * @since 1.0
 */
public final class WorkerLeaseExpiredException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable WorkerLease lease;

    WorkerLeaseExpiredException(String message, WorkerLease lease) {
        super(message);
        this.lease = lease;
    }

    /**
     * Returns the state of the lease when this exception was thrown.
     *
     * @return the lease, with the reason why it was not renewed; null only if this exception was deserialized
     */
    public @Nullable WorkerLease lease() {
        return lease;
    }
}
