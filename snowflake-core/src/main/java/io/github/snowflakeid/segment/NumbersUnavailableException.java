package io.github.snowflakeid.segment;

import io.github.snowflakeid.SnowflakeException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a {@link SegmentIdGenerator} has no number for a caller. The message says why, and how to fix it.
 *
 * @since 1.0
 */
public final class NumbersUnavailableException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** Why there are no numbers. */
    private final Reason reason;

    /** The reason why there are no numbers. */
    public enum Reason {
        /** All reserved numbers are used, and no store answers. */
        STORE_UNREACHABLE,
        /** The store cannot be used until it is repaired, for example because its table is missing. */
        STORE_UNUSABLE,
        /** The counter has reached its highest number. */
        EXHAUSTED,
        /**
         * The counter exists with another start or increment. A generator that has detected this issues no more
         * numbers.
         */
        COUNTER_MISMATCH,
        /** The counter is below numbers that this process has reserved, because the store was restored or emptied. */
        COUNTER_MOVED_BACK
    }

    /**
     * Creates an exception. For implementations of {@link SegmentStore}.
     *
     * @param reason the reason
     * @param message the expected and the actual state, and how to fix it
     * @param cause the cause, or null
     */
    public NumbersUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
        super(message);
        this.reason = reason;
        initCause(cause);
    }

    /**
     * Returns the reason why there are no numbers. The message describes it in words.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
