package io.github.snowflakeid.actuate;

import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.properties.InvalidValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

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

    /**
     * Returns these properties if the status is known to Spring Boot or to its health endpoint.
     *
     * @param environment the properties of the application
     * @return these properties
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if no status has this name
     */
    public HealthProperties checked(Environment environment) {
        String name = "management.health.snowflake.expiring-status";
        GeneratorProperties.bindStrictly(environment, name, Bindable.of(String.class));
        // The order of statuses and the mapping to HTTP, also of a group.
        String endpoint = Binder.get(environment)
                .bind("management.endpoint.health", Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of())
                .toString();
        InvalidValue.require(
                STATUSES.contains(expiringStatus) || letters(endpoint).contains(letters(expiringStatus)),
                name,
                "be one of %s, or in 'management.endpoint.health.status.order'".formatted(String.join(", ", STATUSES)),
                "'" + expiringStatus + "'",
                "OUT_OF_SERVICE");
        return this;
    }

    private static String letters(String status) {
        return status.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", "");
    }
}
