package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.internal.json.JsonProperties;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JacksonModule;

/**
 * Auto-configuration of IDs in JSON for Jackson 3. IDs with {@link IdAsString} are written as strings, and if
 * {@code snowflake.json.ids-as-strings} is true, IDs with {@link SnowflakeId} as well. IDs with {@link PublicId} are
 * encrypted. The module is a bean that is registered with all mappers of Spring Boot; the application can register it
 * with other mappers. It needs no generator.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(JacksonModule.class)
@PropertyGroup(JsonProperties.class)
public final class SnowflakeJackson3AutoConfiguration {

    SnowflakeJackson3AutoConfiguration() {}

    @Bean("snowflake.jackson3Module")
    IdModule snowflakeJackson3Module(JsonProperties properties, ObjectProvider<PublicIds> publicIds) {
        return new IdModule(new JsonIds(properties, publicIds));
    }
}
