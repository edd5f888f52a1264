package io.github.snowflakeid.internal.failure;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import java.util.Locale;
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

    /** The message, as {@link #text} takes it. */
    private final String description;

    /** The solution, as {@link #text} takes it. */
    private final @Nullable String action;

    /**
     * Creates an exception. Its texts are about the unnamed generator until {@link #of} names another.
     *
     * @param anchor the kind of problem, as {@code docs/troubleshooting.md} has it
     * @param description the problem, in one line, as {@link #text} takes it
     * @param action the solution, with lines that can be pasted, as {@link #text} takes it; null if none is known
     * @param cause the failure that shows the problem, or null
     */
    @SuppressWarnings("this-escape") // No subclass overrides initCause.
    public ConfigurationException(
            String anchor, String description, @Nullable String action, @Nullable Throwable cause) {
        super(text(description, ""));
        this.anchor = anchor;
        this.description = description;
        this.action = action;
        initCause(cause);
    }

    /**
     * Completes a text about a generator.
     *
     * @param template a text with <code>{snowflake}</code> in place of the path of the generator's properties, and with
     *     <code>{GENERATOR_}</code> where environment variables of named generators have the name
     * @param generator its name; empty for the unnamed generator
     * @return the text
     */
    public static String text(String template, String generator) {
        return template.replace("{snowflake}", generator.isEmpty() ? "snowflake" : "snowflake.generators." + generator)
                .replace("{GENERATOR_}", generator.isEmpty() ? "" : generator.toUpperCase(Locale.ROOT) + "_");
    }

    /**
     * Returns the same failure of one generator.
     *
     * @param generator its name; empty for the unnamed generator
     * @param label precedes the description if that does not tell which generator it is about
     * @return an exception with the same cause
     */
    public ConfigurationException of(String generator, String label) {
        String about = text(description, generator);
        boolean isClear = about.contains("'snowflake.") || about.startsWith("Generator '");
        return new ConfigurationException(
                anchor, isClear ? about : label + about, action == null ? null : text(action, generator), getCause());
    }

    /**
     * Returns a failure that this one caused, with the same solution.
     *
     * @param failure its message contains the message of this one
     * @param more more solutions; empty if there are none
     * @return an exception with the failure as its cause
     */
    public ConfigurationException causing(Throwable failure, String more) {
        return new ConfigurationException(
                anchor,
                String.valueOf(failure.getMessage()).replace(String.valueOf(getMessage()), description),
                action == null ? null : action + more,
                failure);
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
        return Optional.ofNullable(action).map(template -> text(template, ""));
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
        return getClass().getName() + ": " + description()
                + action().map("\n\n"::concat).orElse("");
    }
}
