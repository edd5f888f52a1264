package io.github.snowflakeid;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if there is no worker ID for this process. The message states the reason and the way to fix it.
 *
 * @since 1.0
 */
public final class WorkerIdUnavailableException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** Why there is no worker ID. */
    private final Reason reason;

    /** The reason why there is no worker ID. */
    public enum Reason {
        /** The assigner has no worker ID; the message states the reason. */
        NOT_ASSIGNED,
        /** The registry has no free worker ID. */
        ALL_LEASED,
        /** The registry does not answer. */
        REGISTRY_UNREACHABLE,
        /** The wait for the registry was cancelled: the thread was interrupted, or the generator was closed. */
        CANCELLED,
        /** The registry cannot be used until it is repaired, for example because its table is missing. */
        REGISTRY_UNUSABLE,
        /** The place in which the registry kept its entries does not exist any more. */
        REGISTRY_LOST,
        /** The clocks of this machine and of the registry are too far apart. */
        CLOCK_SKEW,
        /** The namespace has IDs of another layout. */
        LAYOUT_MISMATCH
    }

    /**
     * Creates an exception with the reason {@link Reason#NOT_ASSIGNED}. For implementations of {@link
     * WorkerIdAssigner}.
     *
     * @param message the expected and the actual state, and the way to fix it
     */
    public WorkerIdUnavailableException(String message) {
        this(Reason.NOT_ASSIGNED, message, null);
    }

    /**
     * Creates an exception. For implementations of {@link WorkerRegistry}.
     *
     * @param reason the reason why there is no worker ID
     * @param message the expected and the actual state, and the way to fix it
     * @param cause the cause, or null
     */
    public WorkerIdUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
        super(message);
        this.reason = reason;
        initCause(cause);
    }

    /**
     * Returns why there is no worker ID.
     *
     * @return the reason, which the message explains
     */
    public Reason reason() {
        return reason;
    }
}
