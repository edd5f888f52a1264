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
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
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

    private static final String PREFIX = "props";

    private static final Set<String> FOR_A_URL =
            Set.of("username", "password", "table-name", "initialize-schema", "namespace");

    private static final Set<String> FOR_A_STANDALONE_GENERATOR =
            Set.of("datacenter-id", "layout", "sequence-start", "sequence-bound");

    enum Start {
        ZERO,
        RANDOM,
        ROTATING
    }

    /** @throws ConfigurationException if a property is unknown, invalid or without effect */
    static KeyGeneratorProperties of(Properties properties) {
        TreeMap<String, Object> prefixed = new TreeMap<>();
        properties.forEach((name, value) -> prefixed.put(PREFIX + "." + name, value));
        try {
            KeyGeneratorProperties bound = new Binder(new MapConfigurationPropertySource(prefixed))
                    .bindOrCreate(
                            PREFIX,
                            Bindable.of(KeyGeneratorProperties.class),
                            new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
            new TreeSet<>(properties.stringPropertyNames()).forEach(name -> bound.check(name, properties.size()));
            return bound;
        } catch (BindException e) {
            throw e.getCause() instanceof UnboundConfigurationPropertiesException unknown
                    ? unknown(unknown)
                    : invalidValue(e);
        }
    }

    private static ConfigurationException unknown(UnboundConfigurationPropertiesException e) {
        return invalid(
                "Property '%s' is unknown"
                        .formatted(e.getUnboundProperties()
                                .iterator()
                                .next()
                                .getName()
                                .getLastElement(Form.ORIGINAL)),
                "Correct or remove it. The properties are generator, url, worker-id, "
                        + String.join(", ", new TreeSet<>(FOR_A_URL)) + ", "
                        + String.join(", ", new TreeSet<>(FOR_A_STANDALONE_GENERATOR)) + ".");
    }

    /** The exception is not kept as the cause: it may show other values. */
    private static ConfigurationException invalidValue(BindException e) {
        Object[] constants = e.getTarget().getType().resolve(Object.class).getEnumConstants();
        return invalid(
                "Property '%s' must be %s, but is '%s'"
                        .formatted(
                                e.getName().getLastElement(Form.ORIGINAL),
                                constants == null
                                        ? "a whole number"
                                        : "one of "
                                                + Arrays.stream(constants)
                                                        .map(each ->
                                                                each.toString().toLowerCase(Locale.ROOT))
                                                        .collect(Collectors.joining(", ")),
                                e.getProperty() == null ? "" : e.getProperty().getValue()),
                "Correct or remove it.");
    }

    private void check(String name, int count) {
        if (name.equals("generator") && count > 1) {
            throw invalid(
                    "Property 'generator' names a generator of the application, and other properties have no effect on it",
                    "Remove the other properties:\n\nprops:\n  generator: " + generator);
        }
        if (url != null && workerId != null) {
            throw invalid("Properties 'url' and 'worker-id' exclude each other", "Remove one of the two.");
        }
        if (FOR_A_URL.contains(name) && url == null) {
            throw invalid(
                    "Property '%s' has no effect without 'url'".formatted(name),
                    "Remove it, or set the database that worker IDs are leased in:\n\n" + EXAMPLE);
        }
        if (FOR_A_STANDALONE_GENERATOR.contains(name) && !isStandalone()) {
            throw invalid(
                    "Property '%s' has no effect on the generator of the application".formatted(name),
                    "Configure that generator in application.yml, or let the key generator lease worker IDs itself:\n\n"
                            + EXAMPLE);
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
