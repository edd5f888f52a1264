package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.failure.ConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The generators that the properties define, and their groups of properties. Spring Boot binds the groups of the
 * unnamed generator, which are beans. This class binds those of a named generator, which inherits the properties that
 * it does not set.
 */
public final class GeneratorProperties {

    /** The store of leases and counters if no property names another one. */
    public static final String DEFAULT_STORE = "jdbc";

    /**
     * Properties of the unnamed generator alone, and groups of such properties. The layout is inherited as a whole, not
     * in parts.
     */
    private static final Pattern NOT_INHERITED = Pattern.compile("snowflake\\.(enabled|type|layout|epoch|tick|bits"
            + "|worker\\.id|worker\\.lease\\.namespace|segment\\.(name|initial-?value|max-?value))\\b.*");

    private static final ConfigurationPropertyName SEGMENT = ConfigurationPropertyName.of("snowflake.segment");

    /**
     * Environment variables that Kubernetes and Docker set for a service, as property names, in which a number is an
     * index. For example, a service named snowflake-worker has SNOWFLAKE_WORKER_PORT_80_TCP.
     */
    private static final Pattern OF_SERVICE = Pattern.compile(
            "snowflake(.*\\.(service\\.host|service\\.port\\b.*|port(\\[\\d+]\\.(tcp|udp|sctp)\\b.*)?))?");

    private final Environment environment;
    private final List<GeneratorName> names;

    private GeneratorProperties(Environment environment) {
        this.environment = environment;
        Map<String, Object> named = value(environment, GeneratorName.ALL, Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of());
        names = named.keySet().stream()
                .sorted()
                .map(GeneratorName::of)
                .filter(each -> isEnabled(environment, each.property("snowflake.enabled")))
                .toList();
    }

    /**
     * Returns whether a property permits generators.
     *
     * @param environment the environment
     * @param property the property of all generators or of a named one
     * @return true unless it is false
     */
    public static boolean isEnabled(Environment environment, String property) {
        return value(environment, property, Bindable.of(Boolean.class)).orElse(true);
    }

    /**
     * Returns the properties of a context. They are read once, for conditions, bean definitions and beans alike.
     *
     * @param beans the beans of the context; null if there are none yet
     * @param environment the environment of the context
     * @return the properties
     */
    public static GeneratorProperties of(@Nullable ConfigurableListableBeanFactory beans, Environment environment) {
        String bean = "snowflake.generatorProperties";
        if (beans != null && beans.getSingleton(bean) instanceof GeneratorProperties known) {
            return known;
        }
        GeneratorProperties properties = new GeneratorProperties(environment);
        if (beans != null) {
            beans.registerSingleton(bean, properties);
        }
        return properties;
    }

    /** Returns the sources of properties, without the environment variables of services. */
    static List<ConfigurationPropertySource> sources(Environment environment) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        for (ConfigurationPropertySource each : ConfigurationPropertySources.get(environment)) {
            boolean areVariables = each.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
            sources.add(areVariables ? each.filter(name -> !isOfService(name)) : each);
        }
        return sources;
    }

    private static boolean isOfService(ConfigurationPropertyName name) {
        return OF_SERVICE.matcher(name.toString()).matches();
    }

    /**
     * Returns the named generators that are not disabled.
     *
     * @return the names, in alphabetical order
     */
    public List<GeneratorName> names() {
        return names;
    }

    /**
     * Returns whether a generator issues sequential numbers.
     *
     * @param generator the generator
     * @return whether its type is {@code segment}
     */
    public boolean isOfSegments(GeneratorName generator) {
        return value(environment, generator.property("snowflake.type"), Bindable.of(GeneratorType.class))
                .filter(GeneratorType.SEGMENT::equals)
                .isPresent();
    }

    /**
     * Returns the stores that generators use, as far as the properties say.
     *
     * @return the names of stores, and of strategies that need none
     */
    public Set<String> stores() {
        return all().map(each -> (isOfSegments(each) ? text(each, "snowflake.segment.store") : strategy(each))
                        .orElse(DEFAULT_STORE))
                .collect(Collectors.toSet());
    }

    /** Returns the source of a generator's worker ID, if properties select it. */
    Optional<String> strategy(GeneratorName generator) {
        return text(generator, "snowflake.worker.strategy")
                .or(() -> isSet(generator, "snowflake.worker.id") ? Optional.of("fixed") : Optional.empty());
    }

    /**
     * Returns the generators that a property of a generator may be for: itself if it is enabled, and those that inherit
     * the property or, of a layout, its effect.
     */
    List<GeneratorName> users(GeneratorName generator, ConfigurationPropertyName property) {
        boolean isForOthers = !generator.isNamed() && (isInherited(property) || !SEGMENT.isAncestorOf(property));
        return all().filter(each -> isForOthers || each.name().equals(generator.name()))
                .toList();
    }

    /**
     * Returns the unnamed generator and the named generators that are not disabled.
     *
     * @return the names; the unnamed generator is the last one
     */
    public Stream<GeneratorName> all() {
        return Stream.concat(names.stream(), Stream.of(GeneratorName.UNNAMED));
    }

    /**
     * Returns the name that a property selects, for a named generator perhaps an inherited one; empty if there is none.
     */
    private Optional<String> text(GeneratorName generator, String property) {
        return Stream.of(generator.property(property), property)
                .flatMap(each -> value(environment, each, Bindable.of(String.class)).map(ValueRules::choice).stream())
                .findFirst();
    }

    /**
     * Returns whether a property of a generator itself has a value, even if the value is a placeholder that cannot be
     * resolved.
     *
     * @param generator the generator
     * @param property the property of the unnamed generator
     * @return whether it is neither missing nor blank
     */
    public boolean isSet(GeneratorName generator, String property) {
        return value(environment, generator.property(property), Bindable.of(Object.class))
                .filter(value -> !value.toString().isBlank())
                .isPresent();
    }

    /**
     * Returns whether a generator itself, or the unnamed generator, sets a property of a group.
     *
     * @param generator the generator
     * @param groups the groups of the unnamed generator
     * @return whether a value is not blank
     */
    public boolean isAnySet(GeneratorName generator, String... groups) {
        return Stream.of(groups)
                .flatMap(each -> Stream.of(generator.property(each), each))
                .flatMap(each -> value(environment, each, Bindable.mapOf(String.class, Object.class)).stream())
                .flatMap(each -> each.values().stream())
                .anyMatch(value -> !value.toString().isBlank());
    }

    /**
     * Returns where a property, the first element of a list or the first property of a group is set, perhaps for the
     * unnamed generator.
     *
     * @param environment the environment
     * @param property the name of the property
     * @return the place in parentheses, after a space; empty if the property is not set
     */
    public static String origin(Environment environment, String property) {
        ConfigurationPropertyName own = ConfigurationPropertyName.adapt(property, '.');
        return find(environment, own)
                .or(() -> Optional.of(GeneratorName.ofProperty(own).unnamed(own))
                        .filter(GeneratorProperties::isInherited)
                        .flatMap(inherited -> find(environment, inherited)))
                .map(found -> " (" + found.getOrigin() + ")")
                .orElse("");
    }

    private static Optional<ConfigurationProperty> find(Environment environment, ConfigurationPropertyName name) {
        // Only the lookup by name knows variables with an underscore for each dash.
        return sources(environment).stream()
                .map(source -> source.getConfigurationProperty(name))
                .filter(Objects::nonNull)
                .findFirst()
                .or(() -> find(environment, name::isAncestorOf).stream().findFirst());
    }

    /**
     * Returns the properties that sources list. If several sources define a property, only the first source counts.
     */
    static List<ConfigurationProperty> find(Environment environment, Predicate<ConfigurationPropertyName> names) {
        Map<ConfigurationPropertyName, ConfigurationProperty> first = new LinkedHashMap<>();
        for (ConfigurationPropertySource source : sources(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(names)
                        .map(source::getConfigurationProperty)
                        .filter(Objects::nonNull)
                        .forEach(each -> first.putIfAbsent(each.getName(), each));
            }
        }
        return List.copyOf(first.values());
    }

    /**
     * Binds a group. Rejects properties that its type does not have.
     *
     * @param environment the environment
     * @param group the name of the group
     * @param type the type of the group
     * @param <T> the type of the group
     * @return the group; unbound if it has no properties
     * @throws BindException if a value is not of its type, or if a property is unknown
     */
    public static <T> BindResult<T> bindStrictly(Environment environment, String group, Bindable<T> type) {
        BindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
        return binder(environment, sources(environment), strict).bind(group, type);
    }

    /**
     * Binds a group of properties of a named generator.
     *
     * @param generator the generator
     * @param type the class of the group, with the prefix of the unnamed generator
     * @param inherits whether the generator inherits the properties that it does not set
     * @param <T> the type of the group
     * @return the group
     * @throws BindException if a value is not of its type
     * @throws ConfigurationException if a value is rejected by the group
     */
    public <T> T bind(GeneratorName generator, Class<T> type, boolean inherits) {
        String group = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class))
                .value();
        ConfigurationPropertyName root = ConfigurationPropertyName.of(generator.property(group));
        List<ConfigurationPropertySource> sources = sources(environment);
        if (inherits) {
            boolean startIsSet = isSet(generator, "snowflake.sequence.start");
            for (ConfigurationPropertySource source : sources(environment)) {
                sources.add(name -> {
                    ConfigurationPropertyName inherited = generator.unnamed(name);
                    return isInherited(inherited)
                                    && !(startIsSet && inherited.toString().equals("snowflake.sequence.start-bound"))
                            ? source.getConfigurationProperty(inherited)
                            : null;
                });
            }
        }
        sources.add(new MapConfigurationPropertySource(
                Map.of(generator.property("snowflake.worker.lease.namespace"), generator.name())));
        // The group itself may have a value: a blank one defines a generator without properties.
        sources.replaceAll(source -> name -> name.equals(root) ? null : source.getConfigurationProperty(name));
        return binder(environment, sources, BindHandler.DEFAULT).bindOrCreate(root.toString(), Bindable.of(type));
    }

    private static boolean isInherited(ConfigurationPropertyName name) {
        return !NOT_INHERITED.matcher(name.toString()).matches();
    }

    /**
     * Returns whether a property or group may have a value. Conditions ask this first: most properties are not set, and
     * to create binders for them would add 10 ms to startup.
     *
     * @param environment the environment
     * @param property the name of the property or group
     * @return false only if no source of properties has it
     */
    public static boolean mayBeSet(Environment environment, String property) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.containsDescendantOf(name) != ConfigurationPropertyState.ABSENT
                    || source.getConfigurationProperty(name) != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns the value of a property; empty if it is missing or blank. */
    static <T> Optional<T> value(Environment environment, String property, Bindable<T> type) {
        return mayBeSet(environment, property)
                ? Optional.ofNullable(binder(environment, sources(environment), BindHandler.DEFAULT)
                        .bind(property, type)
                        .orElse(null))
                : Optional.empty();
    }

    private static Binder binder(
            Environment environment, Iterable<ConfigurationPropertySource> sources, BindHandler parent) {
        PropertySourcesPlaceholdersResolver placeholders = new PropertySourcesPlaceholdersResolver(environment);
        return new Binder(sources, placeholders, null, null, new ValueCheck(environment, parent));
    }
}
