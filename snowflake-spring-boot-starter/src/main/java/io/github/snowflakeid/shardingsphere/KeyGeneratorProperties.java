package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SequenceStart;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.jdbc.ConnectionSettings;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * The properties of the key generator {@code SNOWFLAKEID} in the configuration of ShardingSphere. docs/shardingsphere.md explains
 * each.
 */
record KeyGeneratorProperties(
        @DefaultValue("") String generator,
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue(JdbcWorkerRegistry.DEFAULT_TABLE) String tableName,
        @DefaultValue("embedded") InitializeSchema initializeSchema,
        @DefaultValue("default") String namespace,
        @Nullable Integer workerId,
        @Nullable Integer datacenterId,
        @DefaultValue("default") String layout,
        @DefaultValue("zero") Start sequenceStart,
        @Nullable Integer sequenceBound) {

    /** The name of the key generator. ShardingSphere has a key generator SNOWFLAKE of its own. */
    static final String TYPE = "SNOWFLAKEID";

    /** For advice. */
    static final String EXAMPLE = """
            keyGenerators:
              ids:
                type: SNOWFLAKEID
                props:
                  url: jdbc:postgresql://localhost/shop
                  username: shop
                  password: secret""";

    private static final Set<String> OF_LEASES =
            Set.of("username", "password", "table-name", "initialize-schema", "namespace");

    private static final Set<String> OF_STANDALONE_GENERATORS =
            Set.of("datacenter-id", "layout", "sequence-start", "sequence-bound");

    enum Start {
        ZERO,
        RANDOM,
        ROTATING
    }

    /** @throws ConfigurationException if a property is unknown, invalid or without effect */
    static KeyGeneratorProperties of(Properties properties) {
        Map<String, Object> named = new TreeMap<>();
        properties.forEach(
                (name, value) -> named.put("props." + DataObjectPropertyName.toDashedForm(name.toString()), value));
        try {
            KeyGeneratorProperties bound = new Binder(new MapConfigurationPropertySource(named))
                    .bindOrCreate("props", KeyGeneratorProperties.class);
            named.keySet().forEach(name -> bound.check(name.substring("props.".length())));
            return bound;
        } catch (BindException e) {
            throw invalidValue(e);
        }
    }

    /** The exception is not kept as the cause: it may show other values. */
    private static ConfigurationException invalidValue(BindException e) {
        Object @Nullable [] constants =
                e.getTarget().getType().resolve(Object.class).getEnumConstants();
        return invalid(
                "Property '%s' must be %s, but is '%s'"
                        .formatted(
                                e.getName().getLastElement(Form.ORIGINAL),
                                constants == null
                                        ? "a whole number"
                                        : "one of "
                                                + Arrays.toString(constants)
                                                        .toLowerCase(Locale.ROOT)
                                                        .replaceAll("[\\[\\]]", ""),
                                e.getProperty() == null ? "" : e.getProperty().getValue()),
                "Correct or remove it.");
    }

    private void check(String name) {
        String origin = url != null ? "url" : workerId != null ? "worker-id" : "generator";
        boolean isKnown = OF_LEASES.contains(name)
                || OF_STANDALONE_GENERATORS.contains(name)
                || Set.of("generator", "url", "worker-id").contains(name);
        if (!isKnown) {
            throw invalid(
                    "Property '%s' is unknown".formatted(name),
                    "Correct or remove it. The properties are generator, url, worker-id, "
                            + String.join(", ", new TreeSet<>(OF_LEASES)) + ", "
                            + String.join(", ", new TreeSet<>(OF_STANDALONE_GENERATORS)) + ".");
        }
        boolean hasEffect = name.equals(origin)
                || (OF_LEASES.contains(name) && url != null)
                || (OF_STANDALONE_GENERATORS.contains(name) && isStandalone());
        if (!hasEffect) {
            throw invalid(
                    "Property '%s' has no effect %s"
                            .formatted(
                                    name,
                                    isStandalone() ? "beside '" + origin + "'" : "on the generator of the application"),
                    "Remove it, or let the key generator lease worker IDs itself:\n\n" + EXAMPLE);
        }
        if (name.equals("sequence-bound") && sequenceStart == Start.ZERO) {
            throw invalid(
                    "Property 'sequence-bound' has no effect if the sequence starts at zero",
                    "Remove it, or set:\n\nsequence-start: rotating");
        }
    }

    /** Whether the key generator needs no generator of an application. */
    boolean isStandalone() {
        return url != null || workerId != null;
    }

    IdLayout idLayout() {
        @Nullable IdLayout preset = IdLayout.presets().get(layout);
        if (preset == null) {
            throw invalid(
                    "Property 'layout' must be the name of a preset, but is '%s'".formatted(layout),
                    "Use one of %s."
                            .formatted(String.join(", ", IdLayout.presets().keySet())));
        }
        return preset;
    }

    /** @param address the value of {@code url} */
    JdbcWorkerRegistry registry(String address) {
        try {
            return new JdbcWorkerRegistry(new ConnectionSettings(address, username, password), tableName, namespace)
                    .initializeSchema(initializeSchema);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()), "Set valid names, or remove the properties.");
        }
    }

    int workerId(IdLayout of) {
        return inRange("worker-id", workerId, 0, of.maxWorkerId());
    }

    int datacenterId(IdLayout of) {
        return inRange("datacenter-id", datacenterId, 0, of.maxDatacenterId());
    }

    SequenceStart sequenceStart(IdLayout of) {
        long most = Math.min(of.maxSequence() + 1L, Integer.MAX_VALUE);
        int bound =
                sequenceBound == null ? (int) Math.min(64, most) : inRange("sequence-bound", sequenceBound, 1, most);
        return switch (sequenceStart) {
            case ZERO -> SequenceStart.zero();
            case RANDOM -> SequenceStart.random(bound);
            case ROTATING -> SequenceStart.rotating(bound);
        };
    }

    private static int inRange(String name, @Nullable Integer value, int least, long most) {
        int number = value == null ? 0 : value;
        if (number < least || number > most) {
            throw invalid(
                    "Property '%s' must be a whole number from %d to %d, but is '%d'"
                            .formatted(name, least, most, number),
                    "Set a number in that range; each running process needs a worker ID of its own.");
        }
        return number;
    }

    private static ConfigurationException invalid(String message, String action) {
        return Problem.KEY_GENERATOR_PROPERTIES.exception(
                "Key generator '%s' of ShardingSphere: %s".formatted(TYPE, message), action);
    }

    /** Without the password and the parameters of the URL. */
    @Override
    public String toString() {
        return "key generator " + TYPE + (url == null ? "" : ", leased");
    }
}
