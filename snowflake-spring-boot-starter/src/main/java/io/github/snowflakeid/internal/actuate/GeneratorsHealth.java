package io.github.snowflakeid.internal.actuate;

import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.numbers.AllSeries;
import io.github.snowflakeid.numbers.SeriesStatistics;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Computes the health of all generators and series of document numbers, independently of the version of Spring Boot.
 * Safe for use by any number of threads.
 *
 * @hidden
 * @param generators the generators of the context; null if there are none
 * @param series the series of the context; null if there are none
 * @param clock the clock of this machine
 * @param properties the status of an expiring lease
 */
public record GeneratorsHealth(
        @Nullable SnowflakeGenerators generators,
        @Nullable AllSeries series,
        InstantSource clock,
        HealthProperties properties) {

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
        Map<String, ManagedIdGenerator> managed = generators == null ? Map.of() : generators.managed();
        for (var generator : managed.entrySet()) {
            GeneratorReport report = GeneratorReport.of(generator.getValue(), clock.instant());
            worst = report.condition().compareTo(worst) > 0 ? report.condition() : worst;
            details.put(generator.getKey(), report.details());
        }
        Map<String, SeriesStatistics> statistics = series == null ? Map.of() : series.statistics();
        for (var each : statistics.entrySet()) {
            GeneratorReport report = GeneratorReport.of(each.getValue());
            worst = report.condition().compareTo(worst) > 0 ? report.condition() : worst;
            details.put("snowflake.numbers." + each.getKey(), report.details());
        }
        String status = switch (worst) {
            case UP -> "UP";
            case EXPIRING -> properties.expiringStatus();
            case DOWN -> "DOWN";
        };
        return health.apply(status, details);
    }
}
