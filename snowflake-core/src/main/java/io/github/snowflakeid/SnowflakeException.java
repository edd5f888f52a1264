package io.github.snowflakeid;

/**
 * The common supertype of the exceptions that this library throws, except for exceptions about invalid arguments. The
 * message states why no ID was issued or no worker ID is available.
 *
 * @since 1.0
 */
public abstract class SnowflakeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the failure, its reason, and the way to fix it
     */
    protected SnowflakeException(String message) {
        super(message);
    }
}
