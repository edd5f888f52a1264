package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.Module;
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

/**
 * Auto-configuration of IDs in JSON for Jackson 2. IDs with {@link IdAsString} are written as strings, and if
 * {@code snowflake.json.ids-as-strings} is true, IDs with {@link SnowflakeId} as well. IDs with {@link PublicId} are
 * encrypted. The module is a bean that is registered with all mappers of Spring Boot; the application can register it
 * with other mappers. It needs no generator.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(Module.class)
@PropertyGroup(JsonProperties.class)
public final class SnowflakeJackson2AutoConfiguration {

    SnowflakeJackson2AutoConfiguration() {}

    @Bean("snowflake.jackson2Module")
    IdModule snowflakeJackson2Module(JsonProperties properties, ObjectProvider<PublicIds> publicIds) {
        return new IdModule(new JsonIds(properties, publicIds));
    }
}
