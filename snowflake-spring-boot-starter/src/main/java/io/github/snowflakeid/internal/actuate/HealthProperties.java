package io.github.snowflakeid.internal.actuate;

import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.properties.ValueRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * The properties of the health of generators.
 *
 * @hidden
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
                .filter(each -> uniform(each).equals(uniform(written)))
                .findFirst()
                .orElse(written);
    }

    /**
     * Returns these properties if the status is known to Spring Boot or to its health endpoint.
     *
     * @param environment the properties of the application
     * @return these properties
     * @throws io.github.snowflakeid.failure.ConfigurationException if no status has this name
     */
    public HealthProperties checked(Environment environment) {
        String name = "management.health.snowflake.expiring-status";
        GeneratorProperties.bindStrictly(environment, name, Bindable.of(String.class));
        ValueRules.require(
                STATUSES.contains(expiringStatus) || isStatusOfEndpoint(Binder.get(environment)),
                name,
                "be one of %s, or in 'management.endpoint.health.status.order'".formatted(String.join(", ", STATUSES)),
                "'" + expiringStatus + "'",
                "OUT_OF_SERVICE");
        return this;
    }

    private boolean isStatusOfEndpoint(Binder binder) {
        String endpoint = "management.endpoint.health";
        Set<String> groups = keys(binder, ConfigurationPropertyName.of(endpoint + ".group"));
        return Stream.concat(Stream.of(endpoint), groups.stream().map(group -> endpoint + ".group." + group))
                .map(place -> ConfigurationPropertyName.adapt(place + ".status", '.'))
                .flatMap(place -> statuses(binder, place))
                .anyMatch(status -> uniform(status).equals(uniform(expiringStatus)));
    }

    /** Returns the statuses that are in an order or have an HTTP status. */
    private static Stream<String> statuses(Binder binder, ConfigurationPropertyName place) {
        List<String> order = binder.bind(place.append("order"), Bindable.listOf(String.class))
                .orElse(List.of());
        return Stream.concat(order.stream(), keys(binder, place.append("http-mapping")).stream());
    }

    private static Set<String> keys(Binder binder, ConfigurationPropertyName map) {
        return binder.bind(map, Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of())
                .keySet();
    }

    /** Returns what Spring Boot compares of a status. */
    private static String uniform(String status) {
        return status.toUpperCase(Locale.ROOT).replaceAll("[^\\p{IsAlphabetic}\\p{IsDigit}]", "");
    }
}
