package io.github.snowflakeid.actuate;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.internal.actuate.GeneratorReport;
import io.github.snowflakeid.internal.actuate.SnowflakeEndpoint;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the {@link SnowflakeEndpoint}, if it is exposed, and of the info contributor, unless {@code
 * management.info.snowflake.enabled} is false.
 *
 * @since 1.0
 */
@AutoConfiguration(
        after = SnowflakeAutoConfiguration.class,
        afterName =
                "org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration")
@ConditionalOnClass({InfoContributor.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(SnowflakeGenerators.class)
public final class SnowflakeActuatorAutoConfiguration {

    /** A password, a token, or a URL that contains a password. */
    private static final Pattern SECRET =
            Pattern.compile("(?is)snowflake[._].*(password|token=|jdbc[._]url.*=.*(pass|pwd|secret|@)).*");

    SnowflakeActuatorAutoConfiguration() {}

    @Bean("snowflake.endpoint")
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    SnowflakeEndpoint snowflakeEndpoint(SnowflakeGenerators generators) {
        return new SnowflakeEndpoint(generators, InstantSource.system());
    }

    @Bean("snowflake.infoContributor")
    @ConditionalOnEnabledInfoContributor("snowflake")
    InfoContributor snowflakeInfoContributor(SnowflakeGenerators generators) {
        return info -> {
            Map<String, Object> all = new LinkedHashMap<>();
            generators.managed().forEach((name, generator) -> all.put(name, GeneratorReport.identity(generator)));
            info.withDetail("snowflake", all);
        };
    }

    /** Masks passwords and tokens, even if an endpoint is configured to show values. */
    @Bean("snowflake.passwordSanitizer")
    static SanitizingFunction snowflakePasswordSanitizer() {
        return data ->
                SECRET.matcher(data.getKey() + "=" + data.getValue()).matches() ? data.withSanitizedValue() : data;
    }

    @Bean("snowflake.namedGeneratorGroups")
    @ConditionalOnBean(
            type = "org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint")
    NamedGeneratorGroups snowflakeNamedGeneratorGroups(ConfigurableListableBeanFactory beans, Environment environment) {
        return new NamedGeneratorGroups(beans, environment);
    }
}
