package io.github.snowflakeid.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.failure.ConfigurationException;
import org.jspecify.annotations.Nullable;

/** Finds the exception that a failed startup reports. */
public final class Failures {

    private Failures() {}

    /** Returns the first configuration exception among a failure and its causes. */
    public static ConfigurationException in(@Nullable Throwable failure) {
        assertThat(failure).isNotNull();
        return Causes.of(failure).stream()
                .filter(ConfigurationException.class::isInstance)
                .map(ConfigurationException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no configuration exception", failure));
    }

    /** Asserts the description and the action that are reported. */
    public static void assertThatFailure(@Nullable Throwable failure, String description, String action) {
        assertThat(in(failure).description()).isEqualTo(description);
        assertThat(in(failure).action()).contains(action);
    }
}
