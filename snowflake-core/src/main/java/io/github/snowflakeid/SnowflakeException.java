package io.github.snowflakeid;

/**
 * No ID, and why: the common supertype of everything this library throws for reasons other than a bad argument.
 *
 * @since 0.1.0
 */
public abstract class SnowflakeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what was refused, why, and what to do
     */
    protected SnowflakeException(String message) {
        super(message);
    }
}
