package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Binds the properties of generators. A named generator inherits the properties that it does not set from the unnamed generator, except type,
 * counter, worker ID and namespace. It inherits the layout only as a whole, not single parts of it.
 */
final class GeneratorProperties {

    private static final List<ConfigurationPropertyName> NOT_INHERITED = Stream.of(
                    "enabled",
                    "type",
                    "layout",
                    "epoch",
                    "tick",
                    "bits",
                    "worker.id",
                    "worker.lease.namespace",
                    "segment.name",
                    "segment.initial-value",
                    "segment.max-value")
            .map(ConfigurationPropertyName.of(GeneratorName.PREFIX)::append)
            .toList();

    private static final ConfigurationPropertyName START_BOUND =
            ConfigurationPropertyName.of("snowflake.sequence.start-bound");

    /**
     * Environment variables that Kubernetes and Docker set for a service, as property names, in which a number is an index. For example, a
     * service named snowflake-worker has SNOWFLAKE_WORKER_PORT_80_TCP.
     */
    private static final Pattern OF_SERVICE =
            Pattern.compile(".*\\.(service\\.host|service\\.port\\b.*|port(\\[\\d+]\\.(tcp|udp|sctp)\\b.*)?)");

    private final Environment environment;
    private final List<GeneratorName> names;

    /** Bound properties by prefix. The layout, the generator and its store share them. */
    private final Map<String, SnowflakeProperties> snowflakes = new ConcurrentHashMap<>();

    GeneratorProperties(Environment environment) {
        this.environment = environment;
        names = value(GeneratorName.ALL, Bindable.mapOf(String.class, Object.class)).orElse(Map.of()).keySet().stream()
                .sorted()
                .map(GeneratorName::of)
                .filter(each -> value(each.property("snowflake.enabled"), Bindable.of(Boolean.class))
                        .orElse(true))
                .toList();
    }

    /** Returns the sources of properties, without the environment variables of services. */
    static List<ConfigurationPropertySource> sources(Environment environment) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        for (ConfigurationPropertySource each : ConfigurationPropertySources.get(environment)) {
            boolean areVariables = each.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
            sources.add(
                    areVariables
                            ? each.filter(
                                    name -> !OF_SERVICE.matcher(name.toString()).matches())
                            : each);
        }
        return sources;
    }

    /** Returns the named generators that are not disabled, in the order of their names. */
    List<GeneratorName> names() {
        return names;
    }

    /** Returns whether a generator issues sequential numbers. */
    boolean isOfSegments(GeneratorName generator) {
        return value(generator.property("snowflake.type"), Bindable.of(SnowflakeProperties.Type.class))
                .filter(SnowflakeProperties.Type.SEGMENT::equals)
                .isPresent();
    }

    /**
     * Returns the settings of a Snowflake generator.
     *
     * @param inheritedLayout the layout to start from if the properties name none
     */
    GeneratorSettings snowflakes(GeneratorName generator, IdLayout inheritedLayout) {
        SnowflakeProperties properties = snowflakes.computeIfAbsent(
                generator.prefix(),
                prefix -> bind(generator, GeneratorName.PREFIX, Bindable.of(SnowflakeProperties.class), true));
        return new GeneratorSettings(generator, !names.isEmpty(), properties, inheritedLayout);
    }

    /** Returns the properties of a generator of sequential numbers. */
    SegmentProperties segments(GeneratorName generator) {
        SegmentProperties properties =
                bind(generator, SegmentProperties.GROUP, Bindable.of(SegmentProperties.class), true);
        properties.check();
        return properties;
    }

    /**
     * Binds a group of properties of a generator.
     *
     * @param group the name of the group for the unnamed generator
     * @param inherits whether a named generator inherits the properties that it does not set
     * @throws ConfigurationException if a value is not of its type
     */
    <T> T bind(GeneratorName generator, String group, Bindable<T> target, boolean inherits) {
        ConfigurationPropertyName root = ConfigurationPropertyName.of(group);
        ConfigurationPropertyName own = ConfigurationPropertyName.of(generator.prefix());
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        // The group itself may have a value: a blank one defines a generator without properties.
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            sources.add(
                    name -> name.equals(root) ? null : source.getConfigurationProperty(own.append(name.subName(1))));
        }
        if (generator.isNamed() && inherits) {
            boolean startIsSet = isSet(generator, "snowflake.sequence.start");
            for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
                sources.add(name -> name.equals(root) || !isInherited(name) || (startIsSet && name.equals(START_BOUND))
                        ? null
                        : source.getConfigurationProperty(name));
            }
        }
        String name = GeneratorBeans.qualifier(generator);
        sources.add(new MapConfigurationPropertySource(
                Map.of("snowflake.segment.name", name, "snowflake.worker.lease.namespace", name)));
        return bound(() -> binder(sources).bindOrCreate(group, target));
    }

    private static boolean isInherited(ConfigurationPropertyName name) {
        return NOT_INHERITED.stream().noneMatch(each -> each.equals(name) || each.isAncestorOf(name));
    }

    /** Returns whether a property of a generator has a value, even if the value is a placeholder that cannot be resolved. */
    boolean isSet(GeneratorName generator, String property) {
        return value(generator.property(property), Bindable.of(Object.class))
                .filter(value -> !value.toString().isBlank())
                .isPresent();
    }

    /**
     * Returns the value of a single property; empty if it is not set.
     *
     * @throws ConfigurationException if the value is not of its type
     */
    <T> Optional<T> value(String property, Bindable<T> type) {
        return bound(() -> Optional.ofNullable(
                binder(sources(environment)).bind(property, type).orElse(null)));
    }

    private Binder binder(Iterable<ConfigurationPropertySource> sources) {
        return new Binder(
                sources, new PropertySourcesPlaceholdersResolver(environment), List.of(), null, new ValueCheck(), null);
    }

    private static <T> T bound(Supplier<T> binding) {
        try {
            return binding.get();
        } catch (BindException e) {
            throw e.getCause() instanceof ConfigurationException failure ? failure : InvalidValue.of(e);
        }
    }

    /** Treats a blank value as unset, and rejects values that Spring Boot would accept with an unintended meaning. */
    private final class ValueCheck implements BindHandler {

        @Override
        public Object onSuccess(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
            ConfigurationProperty property = context.getConfigurationProperty();
            Class<?> type = target.getType().resolve(Object.class);
            if (property != null && (type == String.class || type == Instant.class)) {
                String value =
                        environment.resolvePlaceholders(property.getValue().toString());
                InvalidValue.check(property, type, value.strip());
            }
            return result;
        }

        @Override
        public @Nullable Object onFailure(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                throws Exception {
            ConfigurationProperty property = context.getConfigurationProperty();
            boolean isBlank = property == null
                    // A blank value of a group; other values of a group are rejected as unknown.
                    ? error instanceof ConverterNotFoundException
                    : property.getValue().toString().isBlank();
            if (isBlank) {
                return null;
            }
            throw error;
        }
    }
}
