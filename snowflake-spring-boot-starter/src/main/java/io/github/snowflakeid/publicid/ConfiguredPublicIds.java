package io.github.snowflakeid.publicid;

import io.github.snowflakeid.text.PublicIds;
import io.github.snowflakeid.text.PublicIds.Length;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Public ids as {@code application.yml} describes them. No errors of Spring Boot's binding get out of here: they quote values.
 */
public final class ConfiguredPublicIds {

    /** What separates the name of a key from the key, which is in no Base64. */
    private static final char SEPARATOR = ':';

    private ConfiguredPublicIds() {}

    static PublicIds of(Environment environment) {
        List<String> configured = keys(environment);
        List<PublicIds.Key> keys = new ArrayList<>();
        Pattern unset = Pattern.compile("\\$\\{([\\w.-]+)}");
        for (String each : configured) {
            Matcher placeholder = unset.matcher(each);
            if (placeholder.find()) {
                throw PublicIdFailure.unsetPlaceholder(placeholder.group(1));
            }
            int separator = each.indexOf(SEPARATOR);
            if (separator < 0) {
                throw PublicIdFailure.badKeys(
                        "each must be the name of a key, a colon and the key, but number %d of %d has no colon."
                                .formatted(keys.size() + 1, configured.size()));
            }
            try {
                keys.add(PublicIds.Key.of(each.substring(0, separator), each.substring(separator + 1)));
            } catch (IllegalArgumentException weak) {
                throw PublicIdFailure.badKeys(weak.getMessage());
            }
        }
        try {
            return PublicIds.of(length(environment), keys);
        } catch (IllegalArgumentException equal) {
            throw PublicIdFailure.badKeys(equal.getMessage());
        }
    }

    /**
     * What nobody must see.
     *
     * @param environment where keys are set, or not
     * @return the keys in Base64, without their names
     */
    public static List<String> secrets(Environment environment) {
        return keys(environment).stream()
                .map(each -> each.substring(each.indexOf(SEPARATOR) + 1).strip())
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    private static List<String> keys(Environment environment) {
        try {
            return Binder.get(environment)
                    .bind(OnPublicIdKeys.KEYS, Bindable.listOf(String.class))
                    .orElse(List.of());
        } catch (BindException notTexts) {
            throw PublicIdFailure.badKeys("it must be a list of texts, each the name of a key, a colon and the key.");
        }
    }

    private static Length length(Environment environment) {
        try {
            return Binder.get(environment)
                    .bind("snowflake.public-ids.format", Length.class)
                    .orElse(Length.CHECKED);
        } catch (BindException neither) {
            throw PublicIdFailure.badLength();
        }
    }
}
