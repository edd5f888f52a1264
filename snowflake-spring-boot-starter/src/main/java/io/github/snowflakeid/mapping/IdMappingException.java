package io.github.snowflakeid.mapping;

/** Something about an attribute, or about its mapper, keeps it from getting ids. */
public final class IdMappingException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** What to do about it. */
    private final String action;

    /**
     * Says what is wrong.
     *
     * @param message without a full stop at its end
     * @param action what to do about it, so that it can be pasted
     */
    public IdMappingException(String message, String action) {
        super(message);
        this.action = action;
    }

    /**
     * What to do about it.
     *
     * @return advice, with what can be pasted
     */
    public String action() {
        return action;
    }

    /**
     * What is wrong and what to do about it, for stack traces: not only a start fails by this.
     *
     * @return both
     */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // The message alone is what a failed start describes.
    public String toString() {
        return super.toString() + ".\n\n" + action;
    }
}
