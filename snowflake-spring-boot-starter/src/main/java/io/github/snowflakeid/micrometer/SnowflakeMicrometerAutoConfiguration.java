package io.github.snowflakeid.micrometer;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.numbers.AllSeries;
import io.github.snowflakeid.numbers.SnowflakeNumbersAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the meters of generators and of series of document numbers. They are registered with every
 * {@code MeterRegistry} bean of the application.
 *
 * @since 1.0
 */
@AutoConfiguration(after = {SnowflakeAutoConfiguration.class, SnowflakeNumbersAutoConfiguration.class})
@ConditionalOnClass(MeterBinder.class)
public final class SnowflakeMicrometerAutoConfiguration {

    SnowflakeMicrometerAutoConfiguration() {}

    @Bean("snowflake.meters")
    @ConditionalOnBean(SnowflakeGenerators.class)
    @ConditionalOnMissingBean(name = "snowflake.meters")
    MeterBinder snowflakeMeters(SnowflakeGenerators generators) {
        return new SnowflakeMeters(generators, InstantSource.system());
    }

    @Bean("snowflake.numberMeters")
    @ConditionalOnBean(AllSeries.class)
    @ConditionalOnMissingBean(name = "snowflake.numberMeters")
    MeterBinder snowflakeNumberMeters(AllSeries series) {
        return new SeriesMeters(series::statistics);
    }
}
