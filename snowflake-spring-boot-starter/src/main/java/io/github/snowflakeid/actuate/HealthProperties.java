package io.github.snowflakeid.actuate;

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
     * Accepts any spelling of Spring Boot's statuses, such as {@code out-of-service}, and statuses of the application.
     *
     * @param expiringStatus the status; blank for the default
     */
    public HealthProperties {
        String written = expiringStatus.isBlank() ? "UP" : expiringStatus.strip();
        expiringStatus = STATUSES.stream()
                .filter(each -> letters(each).equals(letters(written)))
                .findFirst()
                .orElse(written);
    }

    private static String letters(String status) {
        return status.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", "");
    }
}
