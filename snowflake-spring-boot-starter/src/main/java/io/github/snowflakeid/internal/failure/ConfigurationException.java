package io.github.snowflakeid.internal.failure;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration, the application or a store does not permit to generate IDs. The message describes the problem, the action solves it.
 * A problem of a store that does not pass by itself is the cause of a {@link WorkerIdUnavailableException} or of a {@link
 * NumbersUnavailableException}.
 */
public class ConfigurationException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** The kind of problem. */
    private final String anchor;

    /** The solution. */
    private final @Nullable String action;

    /**
     * Creates an exception.
     *
     * @param anchor the kind of problem, as {@code docs/troubleshooting.md} has it
     * @param description the problem, in one line
     * @param action the solution, with lines that can be pasted; null if none is known
     * @param cause the failure that shows the problem, or null
     */
    public ConfigurationException(
            String anchor, String description, @Nullable String action, @Nullable Throwable cause) {
        super(description);
        this.anchor = anchor;
        this.action = action;
        initCause(cause);
    }

    /**
     * Returns the kind of problem.
     *
     * @return the {@linkplain Problem#anchor() anchor} of its entry in {@code docs/troubleshooting.md}
     */
    public String anchor() {
        return anchor;
    }

    /**
     * Returns the description as a sentence.
     *
     * @return the message, with a full stop at its end
     */
    public String description() {
        String message = String.valueOf(getMessage());
        return message.endsWith(".") || message.endsWith("?") ? message : message + ".";
    }

    /**
     * Returns the solution.
     *
     * @return advice, with lines that can be pasted; empty if none is known
     */
    public Optional<String> action() {
        return Optional.ofNullable(action);
    }

    /**
     * Returns the exception of a registry that cannot be used before the problem is solved.
     *
     * @return an exception with this one as its cause
     */
    public WorkerIdUnavailableException unusable() {
        return new WorkerIdUnavailableException(Reason.REGISTRY_UNUSABLE, String.valueOf(getMessage()), this);
    }

    /**
     * Returns the exception of a store of counters that cannot be used before the problem is solved.
     *
     * @return an exception with this one as its cause
     */
    public NumbersUnavailableException unusableForNumbers() {
        return new NumbersUnavailableException(
                NumbersUnavailableException.Reason.STORE_UNUSABLE, String.valueOf(getMessage()), this);
    }

    /** Returns description and action, for stack traces: these exceptions also occur after startup. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // The message is the description alone.
    public String toString() {
        String text = getClass().getName() + ": " + description();
        return action == null ? text : text + "\n\n" + action;
    }
}
