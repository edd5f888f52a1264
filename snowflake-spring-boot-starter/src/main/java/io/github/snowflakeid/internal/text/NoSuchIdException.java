package io.github.snowflakeid.internal.text;

/**
 * Thrown if a text is not the text form of an ID, or if there is no row with the ID. Clients must not learn which of
 * the two it is, so there is no message.
 */
public final class NoSuchIdException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public NoSuchIdException() {
        super("no such ID");
    }
}
