package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdMappingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Where a key generator has its ids from. */
interface Keys {

    /** The name in ShardingSphere's configuration. Its own key generator has the name SNOWFLAKE. */
    String TYPE = "SNOWFLAKEID";

    /** ShardingSphere configures each one. */
    Keys NOT_CONFIGURED = attribute -> {
        throw new IdMappingException(
                "Key generator '" + TYPE + "' has not been initialized", "Let ShardingSphere make it, by its type.");
    };

    /**
     * The generator, which is made when it is first asked for.
     *
     * @param attribute that gets the ids, for messages
     */
    IdGenerator ids(String attribute);

    /** Does not make a generator yet: ShardingSphere is configured while the {@code DataSource} is being made. */
    static Keys of(Properties properties) {
        Settings settings = Settings.of(properties);
        return settings.isOwn() ? new OwnKeys(settings) : new ApplicationKeys(settings.generator());
    }

    /** Makes ids at once, as many as a statement has rows. */
    default List<Long> next(String attribute, int count) {
        List<Long> keys = new ArrayList<>(count);
        for (long id : ids(attribute).nextIds(count)) {
            keys.add(id);
        }
        return keys;
    }
}
