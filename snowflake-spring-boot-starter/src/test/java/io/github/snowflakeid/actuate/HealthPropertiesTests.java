package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthPropertiesTests {

    @ParameterizedTest
    @CsvSource({
        "OUTOFSERVICE, OUT_OF_SERVICE",
        "out-of-service, OUT_OF_SERVICE",
        "Down, DOWN",
        "FOO BAR, OUT_OF_SERVICE"
    })
    void rejectAMisspelledStatus(String status, String meant) {
        assertThatThrownBy(() -> new HealthProperties(status))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        failure -> assertThat(failure.action())
                                .hasValue(
                                        "Set a health status, for example:\n\nmanagement.health.snowflake.expiring-status: "
                                                + meant))
                .hasMessage(
                        "Property 'management.health.snowflake.expiring-status' must be a health status, such as UP or OUT_OF_SERVICE, but was '%s'.",
                        status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UP", "OUT_OF_SERVICE", "DOWN", "UNKNOWN", "DEGRADED"})
    void acceptOtherStatuses(String status) {
        assertThat(new HealthProperties(status).expiringStatus()).isEqualTo(status);
    }
}
