package io.github.snowflakeid.internal.properties;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.io.UrlResource;

/**
 * The names and types of this library's properties, for the unnamed generator, from the configuration metadata that
 * IDEs use.
 */
final class PropertyNames {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    /** Every element of the metadata that describes a property begins with its name and its type. */
    private static final Pattern PROPERTY =
            Pattern.compile("\"name\"\\s*:\\s*\"(snowflake\\.[a-z.-]+)\",\\s*\"type\"\\s*:\\s*\"([^\"]+)\"");

    private static final int MOST_TYPING_ERRORS = 2;

    /** The groups that decide how rows are numbered. */
    private static final List<String> OF_ROWS = List.of("layout", "epoch", "tick", "bits");

    /** The ends of the names of a public ID key's properties, which the metadata does not list. */
    private static final Set<String> OF_KEY = Set.of(".name", ".secret");

    /**
     * The properties by their names without dots and dashes: in an environment variable, an underscore may stand for
     * either.
     */
    private final Map<String, Property> properties = new TreeMap<>();

    private PropertyNames(String metadata) {
        Matcher property = PROPERTY.matcher(metadata);
        int at = metadata.indexOf("\"properties\"");
        // To let the regular expression find the elements would add 3 ms to startup.
        while (at >= 0 && (at = metadata.indexOf("\"name\"", at)) >= 0) {
            if (property.region(at, metadata.length()).lookingAt()) {
                String name = property.group(1);
                properties.put(letters(name.substring(name.indexOf('.'))), new Property(name, property.group(2)));
            }
            at++;
        }
    }

    private record Property(String name, String type) {

        boolean isList() {
            return type.startsWith("java.util.List<");
        }

        boolean isMap() {
            return type.startsWith("java.util.Map<");
        }

        /** In a variable, each dot is an underscore, and other underscores stand for dashes or are superfluous. */
        boolean isSpelledAs(ConfigurationPropertyName spelled, boolean isVariable) {
            return isVariable
                    ? spelled.toString().matches(name.replace("-", "").replaceAll("\\w", "$0\\\\.?"))
                    : spelled.equals(ConfigurationPropertyName.of(name));
        }

        /** Returns whether the elements of a name that follow the name of this property select a value. */
        boolean accepts(ConfigurationPropertyName spelled, int length) {
            boolean isWhole = spelled.getNumberOfElements() == length;
            return isMap() ? !isWhole : isWhole || (isList() && spelled.isNumericIndex(length));
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
                String json = new UrlResource(each).getContentAsString(StandardCharsets.UTF_8);
                if (json.contains("\"io.github.snowflakeid.")) {
                    return new PropertyNames(json);
                }
            }
        } catch (IOException e) {
            // There is no metadata.
        }
        return new PropertyNames("");
    }

    private static String letters(ConfigurationPropertyName name) {
        return letters(name.subName(1).toString().toLowerCase(Locale.ROOT));
    }

    private static String letters(String name) {
        return name.replace("-", "").replace(".", "");
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
        Property found = properties.get(letters(name));
        return found != null && found.isSpelledAs(name, isVariable) ? found : null;
    }

    private Stream<String> inGroup(ConfigurationPropertyName group) {
        return properties.values().stream()
                .map(Property::name)
                .filter(each -> group.isAncestorOf(ConfigurationPropertyName.of(each)));
    }

    /** Returns whether an unknown name cannot belong to another product. */
    boolean isOurs(ConfigurationPropertyName name) {
        ConfigurationPropertyName first = name.chop(2);
        return properties.containsKey(letters(name))
                || spelledAs(first, false) != null
                || inGroup(first).findAny().isPresent();
    }

    /** Returns the known name that the user most likely meant; null if there is no candidate. */
    @Nullable
    String close(ConfigurationPropertyName name) {
        int elements = name.getNumberOfElements();
        Property ofOtherGroup = elements > 3 ? spelledAs(name.chop(1).append(name.subName(2)), false) : null;
        if (ofOtherGroup != null) {
            return ofOtherGroup.name;
        }
        String last = "." + name.getLastElement(Form.DASHED);
        for (int length = elements; length > 1; length--) {
            ConfigurationPropertyName beginning = name.chop(length);
            Property found = closest(letters(beginning));
            if (found != null && length < elements && (found.isMap() || found.isList())) {
                String ofElement = OF_KEY.contains(last) ? last : "";
                return found.name + (found.isMap() ? "." + name.subName(length) : "[0]" + ofElement);
            }
            if (found != null && (length == elements || found.isSpelledAs(beginning, false))) {
                return found.name;
            }
        }
        List<String> sameEnd =
                inGroup(name.chop(2)).filter(each -> each.endsWith(last)).toList();
        // A property of leases in any store is more likely than the property of one store.
        return sameEnd.stream()
                .filter(each -> sameEnd.size() == 1 || each.startsWith("snowflake.worker.lease."))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the name that the user meant if that property decides how rows are numbered, which cannot be changed
     * later; null if the name differs by more than typing errors.
     */
    @Nullable
    String decisive(ConfigurationPropertyName name) {
        String typed = name.getNumberOfElements() > 1 ? name.getElement(1, Form.UNIFORM) : "";
        return OF_ROWS.stream()
                .filter(each -> {
                    int errors = distance(typed, each, 1);
                    return errors > 0 && errors <= (each.equals("layout") ? MOST_TYPING_ERRORS : 1);
                })
                .findFirst()
                .map(each -> name.chop(1).append(each).append(name.subName(2)).toString())
                .orElse(null);
    }

    /** Returns the property whose name differs only by typing errors; null if there is none. */
    private @Nullable Property closest(String letters) {
        return properties.keySet().stream()
                .min(Comparator.comparingInt(each -> distance(letters, each, 2)))
                .filter(each -> distance(letters, each, 2) <= Math.min(MOST_TYPING_ERRORS, letters.length() / 3))
                .map(properties::get)
                .orElse(null);
    }

    /**
     * Returns how many characters must be inserted, deleted, changed or exchanged with the next one.
     *
     * @param exchange how many errors an exchange is
     */
    private static int distance(String from, String to, int exchange) {
        int[] twoAbove = {};
        int[] above = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, 1 + Math.min(above[j], row[j - 1]));
                if (i > 1 && j > 1 && from.startsWith("" + to.charAt(j - 1) + to.charAt(j - 2), i - 2)) {
                    row[j] = Math.min(row[j], twoAbove[j - 2] + exchange);
                }
            }
            twoAbove = above;
            above = row;
        }
        return above[to.length()];
    }
}
