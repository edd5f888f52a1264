package io.github.snowflakeid;

/** An id was asked of a generator that has been closed. */
public final class GeneratorClosedException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link IdGenerator}. */
    public GeneratorClosedException() {
        super("Generator is closed; no id issued");
    }
}
