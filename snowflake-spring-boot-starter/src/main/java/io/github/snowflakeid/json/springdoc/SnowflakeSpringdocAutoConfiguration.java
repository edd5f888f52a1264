package io.github.snowflakeid.json.springdoc;

import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.internal.json.JsonProperties;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.PublicIds;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.PropertyCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that makes springdoc describe IDs with {@link IdAsString} or {@link PublicId} as the strings that
 * clients see in JSON and in requests.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(PropertyCustomizer.class)
@PropertyGroup(JsonProperties.class)
public final class SnowflakeSpringdocAutoConfiguration {

    SnowflakeSpringdocAutoConfiguration() {}

    @Bean("snowflake.idSchemas")
    IdSchemas snowflakeIdSchemas(JsonProperties properties, ObjectProvider<PublicIds> publicIds) {
        return new IdSchemas(new JsonIds(properties, publicIds));
    }

    @Bean("snowflake.idExamples")
    GlobalOpenApiCustomizer snowflakeIdExamples() {
        return IdSchemas::correctExamples;
    }
}
