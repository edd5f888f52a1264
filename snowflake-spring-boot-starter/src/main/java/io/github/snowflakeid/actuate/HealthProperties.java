package io.github.snowflakeid.actuate;

import io.github.snowflakeid.internal.failure.Problem;
import java.util.List;
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

    private static final List<String> STATUSES = List.of("UP", "OUT_OF_SERVICE", "DOWN", "UNKNOWN");

    /**
     * Checks the status. The application may define others than Spring Boot, but none that differ only in their
     * spelling.
     *
     * @param expiringStatus the status
     */
    public HealthProperties {
        expiringStatus = expiringStatus.isBlank() ? "UP" : expiringStatus.strip();
        String letters = letters(expiringStatus);
        String meant = STATUSES.stream()
                .filter(each -> letters(each).equals(letters))
                .findFirst()
                .orElse("OUT_OF_SERVICE");
        boolean isStatus = STATUSES.contains(expiringStatus)
                || (expiringStatus.matches("[\\w-]+") && !letters(meant).equals(letters));
        if (!isStatus) {
            String property = "management.health.snowflake.expiring-status";
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' must be a health status, such as UP or OUT_OF_SERVICE, but was '%s'."
                            .formatted(property, expiringStatus),
                    "Set a health status, for example:\n\n%s: %s".formatted(property, meant));
        }
    }

    private static String letters(String status) {
        return status.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", "");
    }
}
