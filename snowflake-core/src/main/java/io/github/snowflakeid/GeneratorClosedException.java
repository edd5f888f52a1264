package io.github.snowflakeid;

/**
 * Thrown if an ID is requested from a generator that is closed.
 *
 * @since 1.0
 */
public final class GeneratorClosedException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception. For implementations of {@link IdGenerator}. */
    public GeneratorClosedException() {
        super("No ID issued: the generator is closed");
    }
}
