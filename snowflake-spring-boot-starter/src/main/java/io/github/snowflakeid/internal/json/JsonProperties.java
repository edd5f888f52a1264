package io.github.snowflakeid.internal.json;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of IDs in JSON, for the whole application.
 *
 * @param idsAsStrings Whether attributes with @SnowflakeId are strings in JSON, like attributes with @IdAsString.
 *     Applies to the whole application.
 */
@ConfigurationProperties("snowflake.json")
public record JsonProperties(@DefaultValue("false") boolean idsAsStrings) {}
