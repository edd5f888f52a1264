package io.github.snowflakeid;

import org.jspecify.annotations.Nullable;

/**
 * There is no worker id for this process; the message says why, and what to use instead.
 *
 * @since 0.1.0
 */
public final class WorkerIdUnavailableException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** What is in the way. */
    private final Reason reason;

    /** What is in the way of a worker id. */
    public enum Reason {
        /** An assigner has none; the message says more. */
        NOT_ASSIGNED,
        /** The registry has none left. */
        ALL_LEASED,
        /** The registry does not answer. */
        REGISTRY_UNREACHABLE,
        /** The wait for an answer of the registry was cancelled: the thread was interrupted, or the generator closed. */
        CANCELLED,
        /** The registry cannot be used before somebody mends it, as when its table is missing. */
        REGISTRY_UNUSABLE,
        /** The clock of this machine and the registry's are too far apart. */
        CLOCK_SKEW,
        /** Other processes of the namespace make ids of another layout. */
        LAYOUT_MISMATCH
    }

    /**
     * For implementations of {@link io.github.snowflakeid.worker.WorkerIdAssigner}.
     *
     * @param message what was looked for, what was found, and what to do
     */
    public WorkerIdUnavailableException(String message) {
        this(Reason.NOT_ASSIGNED, message, null);
    }

    /**
     * For implementations of {@link io.github.snowflakeid.worker.WorkerRegistry}.
     *
     * @param reason what is in the way
     * @param message what was looked for, and what was found
     * @param cause what it was found by, or null
     */
    public WorkerIdUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
        super(message);
        this.reason = reason;
        initCause(cause);
    }

    /**
     * What is in the way.
     *
     * @return the reason that the message gives in words
     */
    public Reason reason() {
        return reason;
    }
}
