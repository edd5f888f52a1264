package io.github.snowflakeid.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/**
 * The names of this library's properties, for the unnamed generator. They are collected from Spring Boot's binder: the names that it looks up to
 * bind the property classes.
 */
final class PropertyNames {

    /** Properties that apply to the whole application and cannot be set for a named generator. */
    static final Set<String> OF_APPLICATION = Set.of(
            "snowflake.json.ids-as-strings",
            "snowflake.public-ids.keys",
            "snowflake.public-ids.keys.name",
            "snowflake.public-ids.keys.secret",
            "snowflake.public-ids.format");

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

    private final Map<String, String> known = new TreeMap<>();
    private final Map<String, String> renamed = new HashMap<>();
    private final String ignored;

    /**
     * Collects the names.
     *
     * @param types the property classes of all generators and stores, with their prefix in {@link ConfigurationProperties}
     */
    PropertyNames(List<Class<?>> types) {
        this(collect(types), false);
    }

    private PropertyNames(Collection<String> names, boolean areVariables) {
        ignored = "^snowflake\\.?|\\[\\d+]|[-_%s]".formatted(areVariables ? "." : "");
        names.forEach(name -> known.putIfAbsent(uniform(name), name));
        known.keySet().removeAll(known.keySet().stream().filter(this::isGroup).toList());
        OF_APPLICATION.forEach(name -> known.put(uniform(name), name));
        known.put("enabled", "snowflake.enabled");
        RENAMED.lines().map(line -> line.split(": ", 2)).forEach(line -> {
            for (String old : line[1].split(", ", -1)) {
                renamed.put(uniform(old), line[0]);
            }
        });
    }

    private static List<String> collect(List<Class<?>> types) {
        List<String> names = new ArrayList<>();
        BindHandler collector = new BindHandler() {
            @Override
            public <T> Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
                names.add(name.toString());
                return target;
            }
        };
        ConfigurationPropertySource empty = name -> null;
        Binder binder = new Binder(empty);
        types.forEach(type ->
                binder.bind(type.getAnnotation(ConfigurationProperties.class).value(), Bindable.of(type), collector));
        return names;
    }

    /** Returns the same names for environment variables. They are compared without dots, because an underscore may stand for a dot or a dash. */
    PropertyNames ofVariables() {
        return new PropertyNames(known.values(), true);
    }

    /** Returns a name as Spring Boot compares it, without the prefix and without indexes of lists. */
    private String uniform(String name) {
        return name.replaceAll(ignored, "").toLowerCase(Locale.ROOT);
    }

    /** Returns the canonical spelling of a name; null if the name is unknown. */
    @Nullable
    String known(String name) {
        return known.get(uniform(name));
    }

    /** Returns the property for a name from another library or an earlier name; null if it is neither. */
    @Nullable
    String renamed(String name) {
        return renamed.get(uniform(name));
    }

    /** Returns whether a name is the prefix of known properties. */
    boolean isGroup(String name) {
        String uniform = uniform(name);
        return uniform.isEmpty() || known.keySet().stream().anyMatch(each -> each.startsWith(uniform + "."));
    }

    /** Returns the known names in the group of a name; empty if the group is unknown. */
    List<String> group(String name) {
        String group = uniform(name).replaceFirst("\\..*", "");
        return known.entrySet().stream()
                .filter(each -> (each.getKey() + ".").startsWith(group + "."))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Returns the name that the user most likely meant; null if there is no candidate. */
    @Nullable
    String meant(String name) {
        String last = uniform(name).replaceFirst(".*\\.", "");
        List<String> sameEnd = known.keySet().stream()
                .filter(each -> each.endsWith("." + last))
                .toList();
        return Stream.of(
                        renamed(name),
                        close(name),
                        sameEnd.size() == 1 ? known.get(sameEnd.get(0)) : null,
                        renamed.get(last))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the known name that differs only by typing errors; null if there is none. */
    @Nullable
    String close(String name) {
        return known.get(closest(uniform(name), known.keySet()));
    }

    /** Returns the candidate that differs from a text only by typing errors; empty if there is none. */
    static String closest(String text, Collection<String> candidates) {
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
