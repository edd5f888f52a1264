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
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * The names and types of this library's properties, for the unnamed generator, from the configuration metadata that
 * IDEs use.
 */
public final class PropertyNames {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    /** Every element of the metadata that describes a property begins with its name and its type. */
    private static final Pattern PROPERTY =
            Pattern.compile("\"name\"\\s*:\\s*\"(snowflake\\.[a-z.-]+)\",\\s*\"type\"\\s*:\\s*\"([^\"]+)\"");

    private static final Pattern NOT_COMPARED = Pattern.compile("^snowflake\\.?|\\[.*|[-_]");

    /** This library's metadata has the name of one of its classes at the beginning. */
    private static final int BEGINNING = 1000;

    /** Property names, each with the names that other libraries use. */
    private static final String RENAMED = """
            snowflake.worker.id: node-id, machine-id, worker-id, work-id
            snowflake.worker.strategy: strategy
            snowflake.worker.lease.namespace: namespace
            snowflake.datacenter.id: datacenter-id
            snowflake.epoch: twepoch, epoc
            snowflake.bits.timestamp: timestamp-bits, time-bits
            snowflake.bits.datacenter: datacenter-bits, datacenter-id-bits
            snowflake.bits.worker: worker-bits, worker-id-bits, node-bits, node-id-bits, machine-bits, machine-id-bits
            snowflake.bits.sequence: sequence-bits, seq-bits""";

    private static final int MOST_TYPING_ERRORS = 2;

    /** The properties, by their names as Spring Boot compares them. */
    private final Map<String, String> known = new TreeMap<>();

    private final Map<String, String> renamed = new TreeMap<>();

    /**
     * Properties and groups by name without dots: in an environment variable, an underscore may stand for a dot or a
     * dash.
     */
    private final Map<String, Property> withoutDots = new TreeMap<>();

    private PropertyNames(String metadata) {
        RENAMED.lines().map(line -> line.split(": ", 2)).forEach(line -> {
            for (String old : line[1].split(", ", -1)) {
                renamed.put(uniform(old), line[0]);
            }
        });
        Matcher property = PROPERTY.matcher(metadata);
        for (int at = metadata.indexOf("\"properties\""); at >= 0 && property.find(at); at = property.end()) {
            String name = property.group(1);
            known.put(uniform(name), name);
            withoutDots.put(withoutDots(name), new Property(name, property.group(2), 0));
            for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
                String group = name.substring(0, dot);
                withoutDots.put(withoutDots(group), new Property(group, "", 0));
            }
        }
    }

    /**
     * A property or a group of properties.
     *
     * @param name the canonical name
     * @param type the type; empty for a group
     * @param length how many elements of a name are the name of the property; others may follow, such as an index
     */
    record Property(String name, String type, int length) {

        boolean isGroup() {
            return type.isEmpty() || type.startsWith("java.util.Map<");
        }

        boolean isList() {
            return type.startsWith("java.util.List<");
        }

        boolean isListOfGroups() {
            return isList() && !type.contains("<java.lang.");
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

    /**
     * Returns a name as Spring Boot compares it, without the prefix and without the index in a list and what follows
     * it.
     */
    private static String uniform(String name) {
        return NOT_COMPARED.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
    }

    private static String withoutDots(String name) {
        return uniform(name).replace(".", "");
    }

    /**
     * Returns the property that a name sets, perhaps in part, or the group that it names; null if the name is unknown.
     */
    @Nullable
    Property find(ConfigurationPropertyName name, boolean isVariable) {
        int elements = name.getNumberOfElements();
        if (known.isEmpty()) {
            return new Property(name.toString(), "unknown", elements);
        }
        for (int end = elements; end > 0; end--) {
            String beginning = name.chop(end).toString();
            Property found = beginning.contains("[") ? null : withoutDots.get(withoutDots(beginning));
            if (found != null
                    && isSpelledAs(found.name, beginning, isVariable)
                    && (end == elements
                            || isContainer(found)
                            || !(isVariable || (found.type.isEmpty() && !name.isNumericIndex(end))))) {
                return new Property(found.name, found.type, end);
            }
        }
        return null;
    }

    private static boolean isContainer(Property property) {
        return property.isList() || (property.isGroup() && !property.type.isEmpty());
    }

    /** In a variable, each dot is an underscore, and other underscores stand for dashes or are superfluous. */
    private static boolean isSpelledAs(String known, String name, boolean isVariable) {
        return isVariable
                ? uniform(name).matches(uniform(known).replaceAll("\\w", "$0\\\\.?"))
                : uniform(name).equals(uniform(known));
    }

    /** Returns the property for a name from another library or an earlier name; null if it is neither. */
    @Nullable
    String renamed(String name, boolean isVariable) {
        return renamed.get(isVariable ? withoutDots(name) : uniform(name));
    }

    /** Returns whether a name is in a group of this library, as far as it is known. */
    boolean isInGroup(String name) {
        return !inGroup(name).isEmpty();
    }

    private List<String> inGroup(String name) {
        String group = uniform(name).replaceFirst("\\..*", "");
        return known.entrySet().stream()
                .filter(each -> (each.getKey() + ".").startsWith(group + "."))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Returns the known names in the group of a name, for a message; empty if the group is unknown. */
    String group(String name, GeneratorName generator) {
        return inGroup(name).stream()
                .map(each -> "'" + generator.property(each) + "'")
                .collect(Collectors.joining(", "));
    }

    /** Returns the name that the user most likely meant; null if there is no candidate. */
    @Nullable
    String meant(String name, boolean isVariable) {
        String last = uniform(name).replaceFirst(".*\\.", "");
        List<String> sameEnd = inGroup(name).stream()
                .filter(each -> uniform(each).endsWith("." + last))
                .toList();
        return Stream.of(
                        renamed(name, isVariable),
                        close(name, isVariable),
                        sameEnd.size() == 1 ? sameEnd.get(0) : null,
                        renamed.get(last))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the known name that differs only by typing errors, with the index of the name; null if there is none. */
    @Nullable
    String close(String name, boolean isVariable) {
        Map<String, String> all = new TreeMap<>();
        known.values().forEach(each -> all.put(isVariable ? withoutDots(each) : uniform(each), each));
        String found = all.get(closest(isVariable ? withoutDots(name) : uniform(name), all.keySet()));
        int index = name.indexOf('[');
        if (found != null) {
            return index < 0 ? found : found + name.substring(index);
        }
        String[] elements = name.split("\\.", 3);
        boolean isGenerator = elements.length == 3
                && !closest(elements[1], List.of("generators")).isEmpty();
        return isGenerator ? GeneratorName.ALL + "." + elements[2] : null;
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
