package io.github.snowflakeid.internal.properties;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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

/** The names of this library's properties, for the unnamed generator, from the configuration metadata that IDEs use. */
public final class PropertyNames {

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

    private static final Pattern PROPERTIES = Pattern.compile("(?s)\"properties\"\\s*:.*?(?=\"hints\"\\s*:|$)");

    private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"(snowflake\\.[a-z.-]+)\"");

    private static final String GENERATORS = "generators";

    private static final int MOST_TYPING_ERRORS = 2;

    /** The properties, by their names as Spring Boot compares them. */
    private final Map<String, String> known = new TreeMap<>();

    private final Map<String, String> renamed = new TreeMap<>();

    /** The same names without dots: in an environment variable, an underscore may stand for a dot or a dash. */
    private final Map<String, String> ofVariables = new TreeMap<>();

    private PropertyNames(Collection<String> names) {
        names.forEach(name -> known.put(uniform(name), name));
        RENAMED.lines().map(line -> line.split(": ", 2)).forEach(line -> {
            for (String old : line[1].split(", ", -1)) {
                renamed.put(uniform(old), line[0]);
            }
        });
        known.forEach((uniform, name) -> ofVariables.put(uniform.replace(".", ""), name));
    }

    /** Reads the metadata of this library's jar. A native image does not have it, and then every name counts as known. */
    static PropertyNames read() {
        try {
            for (URL each : Collections.list(
                    PropertyNames.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream json = each.openStream()) {
                    String text = new String(json.readAllBytes(), StandardCharsets.UTF_8);
                    Matcher properties = PROPERTIES.matcher(text);
                    if (text.contains("\"io.github.snowflakeid.") && properties.find()) {
                        Matcher names = NAME.matcher(properties.group());
                        return new PropertyNames(
                                names.results().map(found -> found.group(1)).toList());
                    }
                }
            }
            return new PropertyNames(List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a name as Spring Boot compares it, without the prefix and without the index in a list and what follows it. */
    private static String uniform(String name) {
        return name.replaceAll("^snowflake\\.?|\\[.*|[-_]", "").toLowerCase(Locale.ROOT);
    }

    private static String withoutDots(String name) {
        return uniform(name).replace(".", "");
    }

    /** Returns the canonical spelling of a name; null if the name is unknown. A variable needs an underscore for each dot. */
    @Nullable
    String known(String name, boolean isVariable) {
        if (known.isEmpty()) {
            return name;
        }
        String found = isVariable ? ofVariables.get(withoutDots(name)) : known.get(uniform(name));
        boolean hasAllDots =
                found == null || uniform(name).matches(uniform(found).replaceAll("\\w", "$0\\\\.?"));
        return hasAllDots ? found : null;
    }

    /** Returns the property for a name from another library or an earlier name; null if it is neither. */
    @Nullable
    String renamed(String name, boolean isVariable) {
        String uniform = isVariable ? withoutDots(name) : uniform(name);
        return renamed.get(uniform);
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
        List<String> sameEnd = known.keySet().stream()
                .filter(each -> each.endsWith("." + last))
                .toList();
        return Stream.of(
                        renamed(name, isVariable),
                        close(name, isVariable),
                        sameEnd.size() == 1 ? known.get(sameEnd.get(0)) : null,
                        renamed.get(last))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the known name that differs only by typing errors, with the index of the name; null if there is none. */
    @Nullable
    String close(String name, boolean isVariable) {
        Map<String, String> all = isVariable ? ofVariables : known;
        String found = all.get(closest(isVariable ? withoutDots(name) : uniform(name), all.keySet()));
        int index = name.indexOf('[');
        if (found != null) {
            return index < 0 ? found : found + name.substring(index);
        }
        String[] elements = name.split("\\.", 3);
        boolean isGenerator = elements.length == 3
                && closest(elements[1], List.of(GENERATORS)).equals(GENERATORS);
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
