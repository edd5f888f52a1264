package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.text.PublicIds;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of public IDs, for the whole application.
 *
 * @param keys Keys of public IDs. The first key encrypts; all keys decrypt.
 * @param format Format of public IDs, which determines whether made-up texts are detected. Changing it breaks all
 *     existing links.
 */
@ConfigurationProperties(PublicIdProperties.PREFIX)
public record PublicIdProperties(
        @DefaultValue List<Key> keys,
        @DefaultValue("checked") PublicIds.Format format) {

    /** The prefix of the properties. */
    public static final String PREFIX = "snowflake.public-ids";

    /**
     * A key and its name.
     *
     * @param name Name of the key: one digit or letter.
     * @param secret The key: 32 random bytes in Base64 (44 characters).
     */
    public record Key(@Nullable String name, @Nullable String secret) {

        /** Returns the name alone, because the secret must not be in a log. */
        @Override
        public String toString() {
            return "Key[name=" + name + "]";
        }
    }
}
