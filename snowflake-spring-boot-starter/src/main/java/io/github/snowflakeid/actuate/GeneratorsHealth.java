package io.github.snowflakeid.actuate;

import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Computes the health of all generators, independently of the version of Spring Boot. Safe for use by any number of threads.
 */
public final class GeneratorsHealth {

    /** The property that sets the health status of applications whose lease is expiring. */
    static final String EXPIRING_STATUS = "management.health.snowflake.expiring-status";

    private final SnowflakeGenerators generators;
    private final InstantSource clock;
    private final String expiringStatus;

    GeneratorsHealth(SnowflakeGenerators generators, InstantSource clock, Environment environment) {
        this.generators = generators;
        this.clock = clock;
        expiringStatus =
                Binder.get(environment).bind(EXPIRING_STATUS, String.class).orElse("UP");
    }

    /**
     * Creates the health of all generators of a context, by the system clock.
     *
     * @param generators the generators of the context
     * @param environment the environment, which may set {@code management.health.snowflake.expiring-status}
     */
    public GeneratorsHealth(SnowflakeGenerators generators, Environment environment) {
        this(generators, InstantSource.system(), environment);
    }

    /**
     * Returns the current health. Does not access any store.
     *
     * @param health creates Spring Boot's health object from the status of the generator in the worst condition (UP, DOWN, or the configured
     *     status of an expiring lease) and from the details by the names of the generators
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
            case EXPIRING -> expiringStatus;
            case DOWN -> "DOWN";
        };
        return health.apply(status, details);
    }
}
