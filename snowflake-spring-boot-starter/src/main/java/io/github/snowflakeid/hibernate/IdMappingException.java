package io.github.snowflakeid.hibernate;

/** Something about an attribute or its {@code EntityManagerFactory} keeps it from getting ids. */
final class IdMappingException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String action;

    IdMappingException(String message, String action) {
        super(message);
        this.action = action;
    }

    /** What to do about it. */
    String action() {
        return action;
    }
}
