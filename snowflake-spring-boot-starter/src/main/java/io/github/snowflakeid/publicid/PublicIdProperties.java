package io.github.snowflakeid.publicid;

import io.github.snowflakeid.text.PublicIds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Public IDs as {@code application.yml} describes them, for the whole application. */
@ConfigurationProperties(PublicIdProperties.PREFIX)
final class PublicIdProperties {

    static final String PREFIX = "snowflake.public-ids";

    /** Keys of public IDs. The first key encrypts; all keys decrypt. */
    private List<Key> keys = new ArrayList<>();

    /** Format of public IDs, which decides whether they are checked. Changing it breaks all existing links. */
    private PublicIds.Format format = PublicIds.Format.CHECKED;

    public List<Key> getKeys() {
        return keys;
    }

    public void setKeys(List<Key> keys) {
        this.keys = keys;
    }

    public PublicIds.Format getFormat() {
        return format;
    }

    public void setFormat(PublicIds.Format format) {
        this.format = format;
    }

    /** A key with its name. */
    static final class Key {

        /** Name of the key: one digit or letter. */
        private @Nullable String name;

        /** The key: 32 random bytes in Base64 (44 characters). */
        private @Nullable String secret;

        public @Nullable String getName() {
            return name;
        }

        public void setName(@Nullable String name) {
            this.name = name;
        }

        public @Nullable String getSecret() {
            return secret;
        }

        public void setSecret(@Nullable String secret) {
            this.secret = secret;
        }
    }
}
