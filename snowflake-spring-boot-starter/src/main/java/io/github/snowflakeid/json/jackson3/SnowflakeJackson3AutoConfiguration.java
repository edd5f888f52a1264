package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.PublicIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JacksonModule;

/**
 * Auto-configuration that lets Jackson 3 write ids as strings: those with {@link IdAsString}, and where
 * {@code snowflake.json.ids-as-strings} is true, those with {@link SnowflakeId} as well. Those with {@link PublicId} are text
 * that tells nothing. The module is a bean, which mappers of Spring Boot have, and which may be registered with any other. It
 * needs no generator.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(JacksonModule.class)
public final class SnowflakeJackson3AutoConfiguration {

    SnowflakeJackson3AutoConfiguration() {}

    @Bean("snowflake.jackson3Module")
    IdModule snowflakeJackson3Module(Environment environment, ObjectProvider<PublicIds> publicIds) {
        return new IdModule(new JsonIds(environment, publicIds));
    }
}
