package io.github.snowflakeid.json;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What can be set about JSON, for the whole application.
 *
 * @param idsAsStrings whether attributes with {@link io.github.snowflakeid.SnowflakeId} are strings as well
 */
public record JsonProperties(boolean idsAsStrings) {

    /**
     * Those of an application.
     *
     * @param environment where they are set, or not
     * @return what is set
     * @throws org.springframework.boot.context.properties.bind.BindException if a value is of another type
     */
    public static JsonProperties of(Environment environment) {
        return new JsonProperties(Binder.get(environment)
                .bind("snowflake.json.ids-as-strings", Boolean.class)
                .orElse(false));
    }
}
