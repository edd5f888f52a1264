package io.github.snowflakeid.actuate;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the health of generators.
 *
 * @param expiringStatus Health status while the lease of a worker ID was not renewed in time but IDs are still issued.
 *     Applies to the whole application.
 */
@ConfigurationProperties("management.health.snowflake")
public record HealthProperties(@DefaultValue("UP") String expiringStatus) {

    /**
     * Accepts any spelling of a status, such as {@code out-of-service}, as Spring Boot does when it compares statuses.
     *
     * @param expiringStatus the status; blank for the default
     */
    public HealthProperties {
        expiringStatus = expiringStatus.isBlank() ? "UP" : expiringStatus.strip();
    }
}
