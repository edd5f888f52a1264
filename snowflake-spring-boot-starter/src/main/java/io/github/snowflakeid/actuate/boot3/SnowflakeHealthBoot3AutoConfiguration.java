package io.github.snowflakeid.actuate.boot3;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.internal.actuate.GeneratorsHealth;
import io.github.snowflakeid.internal.actuate.HealthProperties;
import io.github.snowflakeid.internal.actuate.OnIdsOrNumbers;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.numbers.AllSeries;
import io.github.snowflakeid.numbers.SnowflakeNumbersAutoConfiguration;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of a health indicator for generators and series of document numbers on Spring Boot 3.5, unless
 * {@code management.health.snowflake.enabled} is false.
 *
 * @since 1.0
 */
@AutoConfiguration(after = {SnowflakeAutoConfiguration.class, SnowflakeNumbersAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@Conditional(OnIdsOrNumbers.class)
@ConditionalOnEnabledHealthIndicator("snowflake")
@PropertyGroup(HealthProperties.class)
public final class SnowflakeHealthBoot3AutoConfiguration {

    SnowflakeHealthBoot3AutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "snowflakeHealthIndicator")
    HealthIndicator snowflakeHealthIndicator(
            ObjectProvider<SnowflakeGenerators> all,
            ObjectProvider<AllSeries> series,
            HealthProperties properties,
            Environment environment) {
        GeneratorsHealth generators = new GeneratorsHealth(
                all.getIfAvailable(), series.getIfAvailable(), InstantSource.system(), properties.checked(environment));
        return () -> generators.now(
                (status, details) -> Health.status(status).withDetails(details).build());
    }
}
