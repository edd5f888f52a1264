package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;

/** Gives tests of other packages the meters of generators. */
public final class TestMeters {

    private TestMeters() {}

    public static MeterBinder of(SnowflakeGenerators generators) {
        return new SnowflakeMeters(generators, InstantSource.system());
    }
}
