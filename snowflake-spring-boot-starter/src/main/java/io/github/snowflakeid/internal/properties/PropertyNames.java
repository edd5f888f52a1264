package io.github.snowflakeid.internal.properties;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The names and types of this library's properties, for the unnamed generator, from the configuration metadata that
 * IDEs use.
 */
public final class PropertyNames {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    /** Every element of the metadata that describes a property begins with its name and its type. */
    private static final Pattern PROPERTY =
            Pattern.compile("\"name\"\\s*:\\s*\"(snowflake\\.[a-z.-]+)\",\\s*\"type\"\\s*:\\s*\"([^\"]+)\"");

    /** This library's metadata has the name of one of its classes at the beginning. */
    private static final int BEGINNING = 1000;

    private static final int MOST_TYPING_ERRORS = 2;

    /**
     * The properties by their names without dots and dashes: in an environment variable, an underscore may stand for
     * either.
     */
    private final Map<String, Property> properties = new TreeMap<>();

    private PropertyNames(String metadata) {
        Matcher property = PROPERTY.matcher(metadata);
        for (int at = metadata.indexOf("\"properties\""); at >= 0 && property.find(at); at = property.end()) {
            properties.put(letters(property.group(1)), new Property(property.group(1), property.group(2)));
        }
    }

    private record Property(String name, String type) {

        boolean isList() {
            return type.startsWith("java.util.List<");
        }

        boolean isMap() {
            return type.startsWith("java.util.Map<");
        }

        /** Returns whether each element of the list has properties. */
        boolean isListOfGroups() {
            return isList() && !type.contains("<java.lang.");
        }

        boolean hasPropertiesBelow() {
            return isMap() || isListOfGroups();
        }

        /** In a variable, each dot is an underscore, and other underscores stand for dashes or are superfluous. */
        boolean isSpelledAs(ConfigurationPropertyName spelled, boolean isVariable) {
            return isVariable
                    ? spelled.toString().matches(name.replace("-", "").replaceAll("\\w", "$0\\\\.?"))
                    : spelled.equals(ConfigurationPropertyName.of(name));
        }

        /** Returns whether the elements of a name that follow the name of this property select a value. */
        boolean accepts(ConfigurationPropertyName spelled, int length) {
            int following = spelled.getNumberOfElements() - length;
            boolean isElement = isList() && following > 0 && spelled.isNumericIndex(length);
            return isMap()
                    ? following > 0
                    : isListOfGroups() ? isElement && following > 1 : isElement || following == 0;
        }

        /** Returns the name of a property below this property, with an index if this is a list. */
        String below(String following) {
            boolean isElement = following.startsWith("[");
            return name + (isElement ? following : (isList() ? "[0]." : ".") + following);
        }
    }

    /** Includes the metadata in native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.resources().registerPattern(METADATA);
        }
    }

    /**
     * Reads the metadata of this library. If there is none, for example in a repackaged jar, every name counts as
     * known.
     */
    static PropertyNames read() {
        ClassLoader loader = PropertyNames.class.getClassLoader();
        String path = PropertyNames.class.getName().replace('.', '/') + ".class";
        try {
            // Opening the metadata of all libraries takes long. A native image does not say which library a class
            // belongs to.
            URL own = loader.getResource(path);
            for (URL each : own == null
                    ? Collections.list(loader.getResources(METADATA))
                    : List.of(new URL(own.toString().replace(path, METADATA)))) {
                try (InputStream json = each.openStream()) {
                    String beginning = new String(json.readNBytes(BEGINNING), StandardCharsets.UTF_8);
                    if (beginning.contains("\"io.github.snowflakeid.")) {
                        return new PropertyNames(beginning + new String(json.readAllBytes(), StandardCharsets.UTF_8));
                    }
                }
            }
        } catch (IOException e) {
            // There is no metadata.
        }
        return new PropertyNames("");
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceFirst("^snowflake\\.?", "").replaceAll("[-_.]", "");
    }

    /** Returns the canonical name of the property that a name sets, perhaps in part; null if the name is unknown. */
    @Nullable
    String find(ConfigurationPropertyName name, boolean isVariable) {
        for (int length = name.getNumberOfElements(); length > 1; length--) {
            Property found = spelledAs(name.chop(length), isVariable);
            if (found != null && found.accepts(name, length)) {
                return found.name;
            }
        }
        return properties.isEmpty() ? name.toString() : null;
    }

    private @Nullable Property spelledAs(ConfigurationPropertyName name, boolean isVariable) {
        Property found = properties.get(letters(name.toString()));
        return found != null && found.isSpelledAs(name, isVariable) ? found : null;
    }

    /** Returns whether properties follow a name, so that it cannot have a value. */
    boolean isGroup(ConfigurationPropertyName name) {
        Property whole = spelledAs(name.isLastElementIndexed() ? name.getParent() : name, false);
        return whole == null ? !inGroup(name).isEmpty() : whole.hasPropertiesBelow();
    }

    /** Returns whether an unknown name cannot belong to another product. */
    boolean isOurs(ConfigurationPropertyName name) {
        ConfigurationPropertyName first = name.chop(2);
        return properties.containsKey(letters(name.toString()))
                || spelledAs(first, false) != null
                || !inGroup(first).isEmpty();
    }

    /** Returns the known names below a group; empty if there is no such group. */
    List<String> inGroup(ConfigurationPropertyName group) {
        return properties.values().stream()
                .map(Property::name)
                .filter(each -> group.isAncestorOf(ConfigurationPropertyName.of(each)))
                .toList();
    }

    /** Returns the known name that the user most likely meant; null if there is no candidate. */
    @Nullable
    String close(ConfigurationPropertyName name) {
        int elements = name.getNumberOfElements();
        for (int length = elements; length > 1; length--) {
            ConfigurationPropertyName beginning = name.chop(length);
            Property found = properties.get(closest(letters(beginning.toString()), properties.keySet()));
            if (found != null && found.hasPropertiesBelow() && length < elements) {
                return found.below(name.subName(length).toString());
            }
            if (found != null && (length == elements || found.isSpelledAs(beginning, false))) {
                return found.name;
            }
        }
        String last = "." + name.getLastElement(Form.DASHED);
        List<String> sameEnd = inGroup(name.chop(2)).stream()
                .filter(each -> each.endsWith(last))
                .toList();
        return sameEnd.size() == 1 ? sameEnd.get(0) : null;
    }

    /**
     * Returns the candidate that differs from a text only by typing errors.
     *
     * @param text the text
     * @param candidates the candidates
     * @return the closest candidate; empty if there is none
     */
    public static String closest(String text, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt(each -> distance(text, each)))
                .filter(each -> distance(text, each) <= Math.min(MOST_TYPING_ERRORS, text.length() / 3))
                .orElse("");
    }

    /** Returns the Levenshtein distance: how many characters must be inserted, deleted or changed. */
    private static int distance(String from, String to) {
        int[] above = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[to.length()];
    }
}
