package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.text.PublicIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Creates {@link PublicIds} from configuration properties. Exceptions of Spring Boot's binder never leave this class, because they quote
 * the value, which may be a key.
 */
public final class ConfiguredPublicIds {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([\\w.-]+)}");

    private ConfiguredPublicIds() {}

    /**
     * Returns the configured public IDs.
     *
     * @param environment the environment with the keys and the format
     * @return the public IDs
     * @throws io.github.snowflakeid.internal.failure.ConfigurationException if a key or the format is invalid
     */
    public static PublicIds of(Environment environment) {
        List<PublicIds.Key> keys = new ArrayList<>();
        for (PublicIdProperties.Key key : keys(environment)) {
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
            return PublicIds.of(format(environment), keys);
        } catch (IllegalArgumentException e) {
            throw PublicIdErrors.badKeys(e.getMessage());
        }
    }

    /**
     * Returns the values that must not be shown.
     *
     * @param environment the environment, in which keys may be set
     * @return the keys in Base64, without their names
     */
    public static List<String> secrets(Environment environment) {
        return keys(environment).stream()
                .map(key -> Objects.toString(key.secret(), "").strip())
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    private static List<PublicIdProperties.Key> keys(Environment environment) {
        try {
            return Binder.get(environment)
                    .bind(OnPublicIdKeys.KEYS, Bindable.listOf(PublicIdProperties.Key.class))
                    .orElse(List.of());
        } catch (BindException e) {
            throw PublicIdErrors.badKeys("it must be a list of keys, each with a name and a secret.");
        }
    }

    private static PublicIds.Format format(Environment environment) {
        try {
            return Binder.get(environment)
                    .bind(PublicIdProperties.PREFIX + ".format", PublicIds.Format.class)
                    .orElse(PublicIds.Format.CHECKED);
        } catch (BindException e) {
            throw PublicIdErrors.badFormat();
        }
    }

    /** Runtime hints for native images. */
    public static final class Hints implements RuntimeHintsRegistrar {

        /** Creates an instance. Called by Spring. */
        public Hints() {}

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            BindableRuntimeHintsRegistrar.forTypes(PublicIdProperties.class).registerHints(hints);
        }
    }
}
