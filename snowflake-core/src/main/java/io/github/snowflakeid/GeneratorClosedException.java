package io.github.snowflakeid;

/**
 * An id was asked of a generator that has been closed.
 *
 * @since 0.1.0
 */
public final class GeneratorClosedException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link IdGenerator}. */
    public GeneratorClosedException() {
        super("Generator is closed; no id issued");
    }
}
