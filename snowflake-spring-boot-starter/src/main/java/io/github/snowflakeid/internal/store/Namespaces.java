package io.github.snowflakeid.internal.store;

/** Validates namespaces, the names under which processes share worker IDs. */
public final class Namespaces {

    private static final int LONGEST = 100;

    private Namespaces() {}

    /**
     * Checks a namespace.
     *
     * @param namespace the namespace
     * @return the namespace
     * @throws IllegalArgumentException if it is blank, or longer than 100 characters
     */
    public static String checked(String namespace) {
        if (namespace.isBlank() || namespace.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "namespace must have 1 to %s characters, but was '%s'".formatted(LONGEST, namespace));
        }
        return namespace;
    }
}
