package io.github.snowflakeid.publicid.actuator;

import io.github.snowflakeid.publicid.ConfiguredPublicIds;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration that hides keys of public ids in endpoints, also where these are told to show values, and under whatever name
 * the key came in.
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
public final class SnowflakePublicIdActuatorAutoConfiguration {

    SnowflakePublicIdActuatorAutoConfiguration() {}

    @Bean("snowflake.publicIdKeySanitizer")
    SanitizingFunction snowflakePublicIdKeySanitizer(Environment environment) {
        // When somebody asks, not at each start.
        Supplier<List<String>> secrets = SingletonSupplier.of(() -> ConfiguredPublicIds.secrets(environment));
        return data -> secrets.get().stream().anyMatch(String.valueOf(data.getValue())::contains)
                ? data.withSanitizedValue()
                : data;
    }
}
