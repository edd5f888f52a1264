package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SequenceStart;
import io.github.snowflakeid.internal.mapping.IdMappingException;
import io.github.snowflakeid.jdbc.ConnectionSettings;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a key generator in the configuration of ShardingSphere.
 *
 * @param values by their names, checked
 */
record Settings(Map<String, String> values) {

    /** For advice. */
    static final String EXAMPLE = """
            keyGenerators:
              ids:
                type: SNOWFLAKEID
                props:
                  url: jdbc:postgresql://localhost/shop
                  username: shop
                  password: secret""";

    private static final String GENERATOR = "generator";
    private static final String URL = "url";
    private static final String WORKER_ID = "worker-id";
    private static final String DATACENTER_ID = "datacenter-id";
    private static final String SEQUENCE_START = "sequence-start";
    private static final String SEQUENCE_BOUND = "sequence-bound";

    /** Of a database; nothing else needs them. */
    private static final List<String> OF_URL =
            List.of("username", "password", "table-name", "initialize-schema", "namespace");

    /** Of a generator of its own, wherever its worker id comes from. */
    private static final List<String> OF_OWN = List.of(DATACENTER_ID, "layout", SEQUENCE_START, SEQUENCE_BOUND);

    private static final List<String> CREATIONS = List.of("embedded", "always", "never");

    /** @throws IdMappingException if a property is unknown, has no effect, or a value is none */
    static Settings of(Properties properties) {
        SortedMap<String, String> values = new TreeMap<>();
        properties.forEach((name, value) -> values.put(String.valueOf(name), String.valueOf(value)));
        Settings settings = new Settings(values);
        values.keySet().forEach(settings::check);
        return settings;
    }

    private void check(String name) {
        if (name.equals(GENERATOR) && values.size() > 1) {
            throw wrong(
                    "Property 'generator' names a generator of the application, which has no use for other properties",
                    """
                    Let nothing else stand beside it:

                    props:
                      generator: %s""".formatted(values.get(name)));
        }
        if (name.equals(URL) && isSet(WORKER_ID)) {
            throw wrong(
                    "A worker id is either leased at a 'url' or set as 'worker-id', not both",
                    "Remove one of the two.");
        }
        if (OF_URL.contains(name) && !isSet(URL)) {
            throw wrong(
                    "Property '%s' has no effect, as there is no 'url'".formatted(name),
                    "Remove it, or set where the database is:\n\n" + EXAMPLE);
        }
        if (OF_OWN.contains(name) && !isOwn()) {
            throw wrong(
                    "Property '%s' has no effect on the generator of the application, and there is neither a 'url' nor a 'worker-id' for another one"
                            .formatted(name),
                    "Set it for the generator of the application, as 'snowflake.%s'. Or let the key generator lease worker ids itself:\n\n%s"
                            .formatted(name.replaceFirst("-", "."), EXAMPLE));
        }
        boolean isKnown = OF_URL.contains(name)
                || OF_OWN.contains(name)
                || List.of(GENERATOR, URL, WORKER_ID).contains(name);
        if (!isKnown) {
            throw wrong(
                    "Property '%s' is unknown; there are 'generator', 'url', 'worker-id', '%s', '%s'"
                            .formatted(name, String.join("', '", OF_URL), String.join("', '", OF_OWN)),
                    "Correct or remove it.");
        }
    }

    /** Whether the key generator does without the application. */
    boolean isOwn() {
        return isLeased() || isSet(WORKER_ID);
    }

    boolean isLeased() {
        return isSet(URL);
    }

    private boolean isSet(String name) {
        return values.containsKey(name);
    }

    /** Of the application; empty for the one without a name. */
    String generator() {
        return get(GENERATOR, "");
    }

    private String get(String name, String usual) {
        @Nullable String value = values.get(name);
        return value == null ? usual : value;
    }

    IdLayout layout() {
        @Nullable IdLayout layout = IdLayout.presets().get(get("layout", "default"));
        if (layout == null) {
            throw wrong(
                    "Property 'layout' names no layout: '%s'".formatted(get("layout", "")),
                    "Use one of %s."
                            .formatted(String.join(", ", IdLayout.presets().keySet())));
        }
        return layout;
    }

    JdbcWorkerRegistry registry() {
        ConnectionSettings connection =
                new ConnectionSettings(get(URL, ""), values.get("username"), values.get("password"));
        String creation = get("initialize-schema", "embedded").toLowerCase(Locale.ROOT);
        try {
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(
                    connection, get("table-name", JdbcWorkerRegistry.DEFAULT_TABLE), get("namespace", "default"));
            return switch (creation) {
                case "embedded" -> registry.creatingItsTableInMemory();
                case "always" -> registry.creatingItsTable();
                case "never" -> registry;
                default -> throw oneOf("initialize-schema", CREATIONS);
            };
        } catch (IllegalArgumentException invalid) {
            throw wrong(String.valueOf(invalid.getMessage()), "Set valid names, or remove the properties.");
        }
    }

    /** @throws IdMappingException if there is none, which is not asked for */
    int workerId(IdLayout layout) {
        return number(WORKER_ID, 0, layout.maxWorkerId());
    }

    boolean hasDatacenterId() {
        return isSet(DATACENTER_ID);
    }

    /** 0 if it is not set. */
    int datacenterId(IdLayout layout) {
        return hasDatacenterId() ? number(DATACENTER_ID, 0, layout.maxDatacenterId()) : 0;
    }

    SequenceStart sequenceStart(IdLayout layout) {
        String start = get(SEQUENCE_START, "zero").toLowerCase(Locale.ROOT);
        if (start.equals("zero")) {
            if (isSet(SEQUENCE_BOUND)) {
                throw wrong("Property 'sequence-bound' has no effect where the sequence starts at zero", """
                        Remove it, or use it:

                        sequence-start: rotating""");
            }
            return SequenceStart.zero();
        }
        long highest = Math.min(layout.maxSequence() + 1L, Integer.MAX_VALUE);
        int bound = isSet(SEQUENCE_BOUND) ? number(SEQUENCE_BOUND, 1, highest) : (int) Math.min(64, highest);
        return switch (start) {
            case "random" -> SequenceStart.random(bound);
            case "rotating" -> SequenceStart.rotating(bound);
            default -> throw oneOf(SEQUENCE_START, List.of("zero", "random", "rotating"));
        };
    }

    private int number(String name, int least, long most) {
        String value = get(name, "");
        try {
            int number = Integer.parseInt(value);
            if (least <= number && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            // Refused as one out of range is.
        }
        throw wrong(
                "Property '%s' must be a whole number from %d to %d, but was '%s'".formatted(name, least, most, value),
                name.equals(SEQUENCE_BOUND)
                        ? "Set the number of shards."
                        : "Give each process that runs at the same time ids of its own, in that range.");
    }

    private IdMappingException oneOf(String name, List<String> choices) {
        return wrong(
                "Property '%s' must be one of %s, but was '%s'"
                        .formatted(name, String.join(", ", choices), get(name, "")),
                "Set one of these.");
    }

    private static IdMappingException wrong(String message, String action) {
        return new IdMappingException("Key generator '%s' of ShardingSphere: %s".formatted(Keys.TYPE, message), action);
    }

    /** Without the password and the parameters of the url. */
    @Override
    public String toString() {
        return "key generator " + Keys.TYPE + (isLeased() ? ", leased" : "");
    }
}
