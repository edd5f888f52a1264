package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.text.PublicIds;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([\\w.-]+)}");

    /**
     * A key and its name.
     *
     * @param name Name of the key: one digit or letter.
     * @param secret The key: 32 random bytes in Base64 (44 characters).
     */
    public record Key(
            @DefaultValue("") String name, @DefaultValue("") String secret) {

        private PublicIds.Key checked() {
            Matcher placeholder = PLACEHOLDER.matcher(secret);
            if (placeholder.find()) {
                throw new IllegalArgumentException(
                        "a secret refers to '%s', which is not set.".formatted(placeholder.group(1)));
            }
            return PublicIds.Key.of(name.strip(), secret);
        }

        /** Returns the name alone, because the secret must not be in a log. */
        @Override
        public String toString() {
            return "Key[name=" + name + "]";
        }
    }

    /**
     * Returns the configured public IDs.
     *
     * @return the public IDs
     * @throws io.github.snowflakeid.failure.ConfigurationException if a key or the format is invalid
     */
    public PublicIds publicIds() {
        List<PublicIds.Key> checked = new ArrayList<>();
        try {
            keys.forEach(key -> checked.add(key.checked()));
            return PublicIds.of(format, checked);
        } catch (IllegalArgumentException e) {
            String ofOne = checked.size() < keys.size() ? "[" + checked.size() + "]" : "";
            throw PublicIdErrors.badKeys(PREFIX + ".keys" + ofOne, e.getMessage());
        }
    }

    /**
     * Returns the values that must not be shown.
     *
     * @return the keys in Base64, without their names
     */
    public List<String> secrets() {
        return keys.stream()
                .map(key -> key.secret().strip())
                .filter(secret -> !secret.isEmpty())
                .toList();
    }
}
