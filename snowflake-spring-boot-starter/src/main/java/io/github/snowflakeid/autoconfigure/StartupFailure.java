package io.github.snowflakeid.autoconfigure;

import org.jspecify.annotations.Nullable;

/** The configuration does not allow to make ids; says why, and what to write into it instead. */
final class StartupFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    /**
     * @param description what is wrong, in whole sentences
     * @param action what to do about it, with lines that can be pasted into {@code application.yml}
     */
    StartupFailure(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.description = description;
        this.action = action;
    }

    StartupFailure(String description, String action) {
        this(description, action, null);
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
