package io.github.snowflakeid.text;

/**
 * A text that is no public id of the type that was asked for: mistyped, made up, of another type, or made with a key that is
 * not here. The message says what is known of that, and quotes the beginning of the text; it never contains a key. Answer
 * it as you answer an id that no row has.
 *
 * <p>It has no stack trace: that would tell nothing more, and cost more than a hundred ids for whatever a stranger sends.
 *
 * @since 0.1.0
 */
public final class InvalidPublicIdException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidPublicIdException(String message) {
        super(message);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // It changes nothing.
    public Throwable fillInStackTrace() {
        return this;
    }
}
