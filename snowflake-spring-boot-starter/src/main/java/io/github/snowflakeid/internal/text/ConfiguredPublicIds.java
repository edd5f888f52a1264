package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.text.PublicIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates {@link PublicIds} from configuration properties. */
public final class ConfiguredPublicIds {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([\\w.-]+)}");

    private ConfiguredPublicIds() {}

    /**
     * Returns the configured public IDs.
     *
     * @param properties the keys and the format
     * @return the public IDs
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if a key or the format is invalid
     */
    public static PublicIds of(PublicIdProperties properties) {
        List<PublicIds.Key> keys = new ArrayList<>();
        for (PublicIdProperties.Key key : properties.keys()) {
            String name = Objects.toString(key.name(), "").strip();
            String secret = Objects.toString(key.secret(), "").strip();
            Matcher placeholder = PLACEHOLDER.matcher(secret);
            if (placeholder.find()) {
                throw PublicIdErrors.unsetPlaceholder(placeholder.group(1));
            }
            if (name.isEmpty() || secret.isEmpty()) {
                throw PublicIdErrors.badKeys(
                        "key number %s has no %s.".formatted(keys.size() + 1, name.isEmpty() ? "name" : "secret"));
            }
            try {
                keys.add(PublicIds.Key.of(name, secret));
            } catch (IllegalArgumentException e) {
                throw PublicIdErrors.badKeys(e.getMessage());
            }
        }
        try {
            return PublicIds.of(properties.format(), keys);
        } catch (IllegalArgumentException e) {
            throw PublicIdErrors.badKeys(e.getMessage());
        }
    }

    /**
     * Returns the values that must not be shown.
     *
     * @param properties the keys
     * @return the keys in Base64, without their names
     */
    public static List<String> secrets(PublicIdProperties properties) {
        return properties.keys().stream()
                .map(key -> Objects.toString(key.secret(), "").strip())
                .filter(secret -> !secret.isEmpty())
                .toList();
    }
}
