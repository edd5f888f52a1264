package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthPropertiesTests {

    @ParameterizedTest
    @CsvSource({
        "UP, UP",
        "OUT_OF_SERVICE, OUT_OF_SERVICE",
        "out-of-service, out-of-service",
        "' DEGRADED', DEGRADED",
        "' ', UP"
    })
    void statusIsLeftToSpringBootUnlessItIsBlank(String written, String status) {
        assertThat(new HealthProperties(written).expiringStatus()).isEqualTo(status);
    }
}
