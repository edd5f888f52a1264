package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerLease;
import org.jspecify.annotations.Nullable;

/**
 * The lease of the worker id has ended, or was lost, and could not be renewed or replaced within {@code maxWait}.
 * Nothing was issued; ids go on by themselves as soon as the registry grants a lease.
 *
 * @since 0.1.0
 */
public final class WorkerLeaseExpiredException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** How it stood. */
    private final transient @Nullable WorkerLease lease;

    WorkerLeaseExpiredException(String message, WorkerLease lease) {
        super(message);
        this.lease = lease;
    }

    /**
     * How the lease stood when this was thrown.
     *
     * @return the lease, with the reason that it was not renewed; null only if this was deserialized
     */
    public @Nullable WorkerLease lease() {
        return lease;
    }
}
