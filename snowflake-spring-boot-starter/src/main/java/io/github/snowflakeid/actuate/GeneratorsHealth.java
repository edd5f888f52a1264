package io.github.snowflakeid.actuate;

import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The health of all generators, whatever the line of Spring Boot. Safe for use by any number of threads.
 */
public final class GeneratorsHealth {

    /** What is set to give applications whose lease is expiring a status of their own. */
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
     * The health of all generators of a context, by the system clock.
     *
     * @param generators of the context
     * @param environment where {@code management.health.snowflake.expiring-status} is set, or not
     */
    public GeneratorsHealth(SnowflakeGenerators generators, Environment environment) {
        this(generators, InstantSource.system(), environment);
    }

    /**
     * Looks at all generators, and at no store.
     *
     * @param health makes the health of the worst, as the line of Spring Boot has it, of a status (UP, DOWN, or what is
     *     configured) and details by the names of generators
     * @param <H> its type
     * @return what that has made
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
