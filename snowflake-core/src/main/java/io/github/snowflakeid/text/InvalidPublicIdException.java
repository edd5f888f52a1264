package io.github.snowflakeid.text;

/**
 * Thrown if a text is not a public ID of the expected type. The text was mistyped or made up, belongs to another type,
 * or was encoded with a key that is not configured. The message says as much as is known, and quotes the beginning of
 * the text; it never contains a key. Respond to it as to an ID that does not exist.
 *
 * <p>The exception has no stack trace. A stack trace would not help, and creating it for each invalid request would
 * cost more than generating a hundred IDs.
 *
 * @since 1.0
 */
public final class InvalidPublicIdException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidPublicIdException(String message) {
        super(message);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // Nothing to synchronize: it returns this.
    public Throwable fillInStackTrace() {
        return this;
    }
}
