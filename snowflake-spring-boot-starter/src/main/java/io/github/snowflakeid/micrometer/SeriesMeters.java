package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.numbers.SeriesStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** The meters of all series of document numbers. Reading them does not access the database. */
record SeriesMeters(Supplier<Map<String, SeriesStatistics>> series) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        series.get().forEach((name, statistics) -> {
            var meters =
                    new SnowflakeMeters.Meters<>(statistics, Function.identity(), Tags.of("series", name), registry);
            meters.counter(
                    "snowflake.numbers.taken", "Numbers that were taken, also if rolled back", SeriesStatistics::taken);
            meters.waited(
                    "snowflake.numbers.time",
                    "Time that callers needed to take numbers, or to fail",
                    SeriesStatistics::time);
            meters.counter(
                    "snowflake.numbers.conflicts",
                    "Calls and commits that failed because of another transaction",
                    SeriesStatistics::conflicts);
            meters.counter(
                    "snowflake.numbers.failures", "Calls that failed for another reason", SeriesStatistics::failures);
            meters.gauge("snowflake.numbers.waiting", "Callers that are taking a number", SeriesStatistics::waiting);
        });
    }
}
