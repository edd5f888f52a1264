package io.github.snowflakeid.json.springdoc;

import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.json.JsonProperties;
import org.springdoc.core.customizers.PropertyCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Auto-configuration that lets springdoc describe ids as the strings that they are in JSON, as those with {@link IdAsString}. */
@AutoConfiguration
@ConditionalOnClass(PropertyCustomizer.class)
public final class SnowflakeSpringdocAutoConfiguration {

    SnowflakeSpringdocAutoConfiguration() {}

    @Bean("snowflake.idSchemas")
    PropertyCustomizer snowflakeIdSchemas(Environment environment) {
        return new IdSchemas(JsonProperties.of(environment));
    }
}
