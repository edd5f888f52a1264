package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.numbers.SeriesStatistics;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;
import java.util.Map;

/** Gives tests of other packages the meters of generators. */
public final class TestMeters {

    private TestMeters() {}

    public static MeterBinder of(SnowflakeGenerators generators) {
        return new SnowflakeMeters(generators, InstantSource.system());
    }

    public static MeterBinder of(Map<String, SeriesStatistics> series) {
        return new SeriesMeters(() -> series);
    }
}
