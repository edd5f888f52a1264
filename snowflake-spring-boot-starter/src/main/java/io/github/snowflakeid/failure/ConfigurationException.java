package io.github.snowflakeid.failure;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.segment.NumbersUnavailableException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the configuration, the application or a store prevents generating IDs. The message describes the problem,
 * and the action solves it. If a store has a problem that does not resolve by itself, this exception is the cause of a
 * {@link WorkerIdUnavailableException} or of a {@link NumbersUnavailableException}.
 *
 * @since 1.0
 */
public final class ConfigurationException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** The anchor of the problem in {@code docs/troubleshooting.md}. */
    private final String anchor;

    /** The message, as a template for {@link #text}. */
    private final String description;

    /** The solution, as a template for {@link #text}. */
    private final @Nullable String action;

    /**
     * Creates an exception. Its texts refer to the unnamed generator until {@link #of} names another one.
     *
     * @param anchor the anchor of the problem in {@code docs/troubleshooting.md}
     * @param description the problem in one line, as a template for {@link #text}
     * @param action the solution with lines to paste, as a template for {@link #text}; null if none is known
     * @param cause the failure that revealed the problem, or null
     * @hidden called by this library only
     */
    public ConfigurationException(
            String anchor, String description, @Nullable String action, @Nullable Throwable cause) {
        super(text(description, ""));
        this.anchor = anchor;
        this.description = description;
        this.action = action;
        initCause(cause);
    }

    /**
     * Fills in the name of a generator.
     *
     * @param template a text that contains <code>{snowflake}</code> in place of the path of the generator's properties,
     *     and <code>{GENERATOR_}</code> where environment variables of named generators contain the name
     * @param generator the name of the generator; empty for the unnamed generator
     * @return the text
     * @hidden called by this library only
     */
    public static String text(String template, String generator) {
        return template.replace("{snowflake}", generator.isEmpty() ? "snowflake" : "snowflake.generators." + generator)
                .replace("{GENERATOR_}", generator.isEmpty() ? "" : generator.toUpperCase(Locale.ROOT) + "_");
    }

    /**
     * Returns the same failure with texts that refer to the given generator.
     *
     * @param generator the name of the generator; empty for the unnamed generator
     * @param label is put before the description if the description does not name the generator
     * @return an exception with the same cause
     * @hidden called by this library only
     */
    public ConfigurationException of(String generator, String label) {
        String about = text(description, generator);
        boolean namesGenerator = about.contains("'snowflake.") || about.startsWith("Generator '");
        return new ConfigurationException(
                anchor,
                namesGenerator ? about : label + about,
                action == null ? null : text(action, generator),
                getCause());
    }

    /**
     * Returns an exception for a failure that was caused by this one, with the same solution.
     *
     * @param failure the failure; its message contains the message of this exception
     * @return an exception with the failure as its cause
     * @hidden called by this library only
     */
    public ConfigurationException causing(Throwable failure) {
        return new ConfigurationException(
                anchor,
                String.valueOf(failure.getMessage()).replace(String.valueOf(getMessage()), description),
                action,
                failure);
    }

    /**
     * Returns the anchor of the problem.
     *
     * @return the anchor of its entry in {@code docs/troubleshooting.md}
     * @hidden called by this library only
     */
    public String anchor() {
        return anchor;
    }

    /**
     * Returns a link to the entry of the problem. Classes outside a jar have no version; they link to the main branch.
     *
     * @return a sentence
     */
    public String reference() {
        String version = ConfigurationException.class.getPackage().getImplementationVersion();
        String tag = version == null || version.endsWith("-SNAPSHOT") ? "main" : "v" + version;
        return "More about this: https://github.com/snowflakeid/snowflake/blob/%s/docs/troubleshooting.md#%s"
                .formatted(tag, anchor);
    }

    /**
     * Returns the description as a sentence.
     *
     * @return the message, terminated by a full stop or a question mark
     */
    public String description() {
        String message = String.valueOf(getMessage());
        return message.endsWith(".") || message.endsWith("?") ? message : message + ".";
    }

    /**
     * Returns the solution.
     *
     * @return advice with lines to paste; empty if none is known
     */
    public Optional<String> action() {
        return Optional.ofNullable(action).map(template -> text(template, ""));
    }

    /**
     * Returns the exception for a registry that cannot be used until the problem is solved.
     *
     * @return an exception with this one as its cause
     * @hidden called by this library only
     */
    public WorkerIdUnavailableException unusable() {
        return new WorkerIdUnavailableException(Reason.REGISTRY_UNUSABLE, String.valueOf(getMessage()), this);
    }

    /**
     * Returns the exception for a store of counters that cannot be used until the problem is solved.
     *
     * @return an exception with this one as its cause
     * @hidden called by this library only
     */
    public NumbersUnavailableException unusableForNumbers() {
        return new NumbersUnavailableException(
                NumbersUnavailableException.Reason.STORE_UNUSABLE, String.valueOf(getMessage()), this);
    }

    /** Returns description and action, so that stack traces contain them: these exceptions also occur after startup. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // The message is the description alone.
    public String toString() {
        return getClass().getName() + ": " + description()
                + action().map("\n\n"::concat).orElse("");
    }
}
