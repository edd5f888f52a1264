package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.internal.actuate.HealthProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

class HealthPropertiesTests {

    @ParameterizedTest
    @CsvSource({
        "UP, UP",
        "OUT_OF_SERVICE, OUT_OF_SERVICE",
        "out-of-service, OUT_OF_SERVICE",
        "' DEGRADED', DEGRADED",
        "' ', UP"
    })
    void statusHasTheSpellingOfSpringBoot(String written, String status) {
        assertThat(new HealthProperties(written).expiringStatus()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DWON", "false", "DEGRADED"})
    void unknownStatusIsRejected(String written) {
        assertThatThrownBy(() -> new HealthProperties(written).checked(new MockEnvironment()))
                .hasMessage(
                        "Property 'management.health.snowflake.expiring-status' must be one of UP, OUT_OF_SERVICE, DOWN, UNKNOWN, or in 'management.endpoint.health.status.order', but was '%s'.",
                        written);
    }

    /** A part of a status, a word of another property, and an HTTP status are no statuses. */
    @ParameterizedTest
    @ValueSource(strings = {"OUT_OF_SERV", "DOW", "UP2", "ALWAYS", "STATUS", "42", "503", "---"})
    void otherTextOfTheEndpointIsNotAStatus(String written) {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("management.endpoint.health.show-details", "always")
                .withProperty("management.endpoint.health.status.order", "down,out-of-service,degraded")
                .withProperty("management.endpoint.health.status.http-mapping.degraded", "503");

        assertThatThrownBy(() -> new HealthProperties(written).checked(environment))
                .hasMessageEndingWith("but was '%s'.", written);
    }

    @Test
    void listIsRejected() {
        assertThatThrownBy(() -> new HealthProperties("UP")
                        .checked(new MockEnvironment()
                                .withProperty("management.health.snowflake.expiring-status[0]", "DOWN")))
                .hasRootCauseMessage(
                        "The elements [management.health.snowflake.expiring-status[0]] were left unbound.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management.endpoint.health.status.order=down,degraded",
                "management.endpoint.health.status.order[0]=DEGRADED",
                "management.endpoint.health.status.http-mapping.degraded=503",
                "management.endpoint.health.group.myGroup.status.order=down, degraded",
                "management.endpoint.health.group.my_group.status.httpMapping.DEGRADED=503",
                "management.endpoint.health.group.readiness.status.http-mapping.degraded=503"
            })
    void statusesOfTheApplicationAreAccepted(String property) {
        String[] set = property.split("=");
        HealthProperties properties = new HealthProperties("DEGRADED");
        assertThat(properties.checked(new MockEnvironment().withProperty(set[0], set[1])))
                .isSameAs(properties);
    }
}
