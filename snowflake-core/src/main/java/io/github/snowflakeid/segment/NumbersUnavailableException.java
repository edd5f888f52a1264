package io.github.snowflakeid.segment;

import io.github.snowflakeid.SnowflakeException;
import org.jspecify.annotations.Nullable;

/**
 * There is no number for the caller; the message says why, and what to do.
 *
 * @since 0.1.0
 */
public final class NumbersUnavailableException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** What is in the way. */
    private final Reason reason;

    /** What is in the way of a number. */
    public enum Reason {
        /** No store answers, and all numbers that were taken are used. */
        STORE_UNREACHABLE,
        /** The store cannot be used before somebody mends it, as when its table is missing. */
        STORE_UNUSABLE,
        /** The numbers have come to their end. */
        EXHAUSTED,
        /** The name is in use with another start or increment. A generator that has noticed this issues no number any more. */
        COUNTER_MISMATCH,
        /** The counter has lost numbers that this process has taken: the store was restored, or emptied. */
        COUNTER_MOVED_BACK
    }

    /**
     * For implementations of {@link SegmentStore}.
     *
     * @param reason what is in the way
     * @param message what was looked for, what was found, and what to do
     * @param cause what it was found by, or null
     */
    public NumbersUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
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
