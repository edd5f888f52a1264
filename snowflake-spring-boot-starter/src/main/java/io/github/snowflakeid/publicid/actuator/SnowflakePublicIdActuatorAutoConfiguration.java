package io.github.snowflakeid.publicid.actuator;

import io.github.snowflakeid.internal.text.ConfiguredPublicIds;
import io.github.snowflakeid.internal.text.OnPublicIdKeys;
import io.github.snowflakeid.internal.text.PublicIdProperties;
import java.util.List;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration that masks the keys of public IDs in actuator endpoints, even if these are configured to show values, and whatever the
 * name of the property or variable that contains a key.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
@Conditional(OnPublicIdKeys.class)
@EnableConfigurationProperties(PublicIdProperties.class)
public final class SnowflakePublicIdActuatorAutoConfiguration {

    SnowflakePublicIdActuatorAutoConfiguration() {}

    @Bean("snowflake.publicIdKeySanitizer")
    SanitizingFunction snowflakePublicIdKeySanitizer(PublicIdProperties properties) {
        List<String> secrets = ConfiguredPublicIds.secrets(properties);
        return data ->
                secrets.stream().anyMatch(String.valueOf(data.getValue())::contains) ? data.withSanitizedValue() : data;
    }
}
