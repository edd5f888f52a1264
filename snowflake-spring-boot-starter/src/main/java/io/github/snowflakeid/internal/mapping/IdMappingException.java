package io.github.snowflakeid.internal.mapping;

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
     * An attribute that a mapper does not know.
     *
     * @param attribute its name
     * @param owner the class that has it
     * @param mapper its name
     * @return the error
     */
    public static IdMappingException unmapped(String attribute, String owner, String mapper) {
        return new IdMappingException(
                "Attribute '%s' of %s would stay without a Snowflake id: %s does not map it"
                        .formatted(attribute, owner, mapper),
                """
                Map it, neither static nor @Transient, or set it where the object is made, without the annotation:

                %s = idGenerator.nextId();""".formatted(attribute));
    }

    /**
     * An attribute whose values are made by something else as well.
     *
     * @param attribute its name
     * @param owner the class that has it
     * @param annotation what it is annotated with
     * @param other what it is annotated with as well
     * @return the error
     */
    public static IdMappingException twoOrigins(String attribute, String owner, String annotation, String other) {
        return new IdMappingException(
                "Attribute '%s' of %s is to get Snowflake ids by %s, but other values by %s"
                        .formatted(attribute, owner, annotation, other),
                """
                Keep one of the two:

                %s

                or

                %s""".formatted(annotation, other));
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
