package io.github.snowflakeid.actuate;

import java.util.Locale;
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
     * Accepts spellings such as {@code out-of-service}, and statuses that the application defines.
     *
     * @param expiringStatus the status; blank for the default
     */
    public HealthProperties {
        expiringStatus = expiringStatus.isBlank()
                ? "UP"
                : expiringStatus.strip().toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
