package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The store that leases or counters are kept in refused, or did not answer; the message says why, in one line. Where it will be
 * no different a little later, it is the cause of a {@link WorkerIdUnavailableException}, or of a {@link
 * NumbersUnavailableException}.
 */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What mends it. */
    private final @Nullable String action;

    /**
     * Says what is wrong.
     *
     * @param message in one line, without a full stop at its end
     * @param action what to do about it, with lines that can be pasted into {@code application.yml}; null if nothing is known
     * @param cause what it was found by, or null
     */
    public StoreException(String message, @Nullable String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /**
     * Says that what is set below {@code snowflake.worker} cannot be.
     *
     * @param value what it was found by; its message names the rule and the value
     * @param example lines that can be, to be pasted into {@code application.yml}
     * @return the error for whoever starts the application
     */
    public static StoreException invalid(IllegalArgumentException value, String example) {
        return new StoreException(
                "Invalid 'snowflake.worker': " + value.getMessage(),
                "Set valid values, for example:\n\n" + example,
                value);
    }

    /**
     * What to do about it.
     *
     * @return advice, with what can be pasted; empty if none is known
     */
    public Optional<String> action() {
        return Optional.ofNullable(action);
    }

    /**
     * The error for a store that cannot be used before somebody mends it.
     *
     * @return what a registry throws then
     */
    public WorkerIdUnavailableException unusable() {
        return new WorkerIdUnavailableException(Reason.REGISTRY_UNUSABLE, String.valueOf(getMessage()), this);
    }

    /**
     * The error for a store of counters that cannot be used before somebody mends it.
     *
     * @return what a store of counters throws then
     */
    public NumbersUnavailableException unusableForNumbers() {
        return new NumbersUnavailableException(
                NumbersUnavailableException.Reason.STORE_UNUSABLE, String.valueOf(getMessage()), this);
    }
}
