package io.github.snowflakeid.actuate;

import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Computes the health of all generators, independently of the version of Spring Boot. Safe for use by any number of
 * threads.
 *
 * @param generators the generators of the context
 * @param clock the clock of this machine
 * @param properties the status of an expiring lease
 */
public record GeneratorsHealth(SnowflakeGenerators generators, InstantSource clock, HealthProperties properties) {

    /**
     * Returns the current health. Does not access any store.
     *
     * @param health creates Spring Boot's health object from the status of the generator in the worst condition (UP,
     *     DOWN, or the configured status of an expiring lease) and from the details by the names of the generators
     * @param <H> the type of the health object
     * @return the health object
     */
    public <H> H now(BiFunction<String, Map<String, Object>, H> health) {
        GeneratorReport.Condition worst = GeneratorReport.Condition.UP;
        Map<String, Object> details = new LinkedHashMap<>();
        for (var generator : generators.managed().entrySet()) {
            GeneratorReport report = GeneratorReport.of(generator.getValue(), clock.instant());
            worst = report.condition().compareTo(worst) > 0 ? report.condition() : worst;
            details.put(generator.getKey(), report.details());
        }
        String status = switch (worst) {
            case UP -> "UP";
            case EXPIRING -> properties.expiringStatus();
            case DOWN -> "DOWN";
        };
        return health.apply(status, details);
    }
}
