package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.SegmentProperties.Store;
import io.github.snowflakeid.autoconfigure.SnowflakeProperties.Strategy;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.function.SingletonSupplier;

/**
 * The properties of all generators, checked for misspelled names and for properties without effect.
 *
 * <p>Other products also use properties that begin with {@code snowflake.}, such as drivers of the data warehouse. An unknown name
 * therefore fails startup only if it is in one of this library's groups, or if other ID libraries use it. Any other unknown name is logged in
 * one warning. An environment variable outside {@code snowflake.generators} fails startup only if it is close to a known name: it cannot be
 * mapped back to a property name exactly, and may belong to another product.
 */
final class CheckedProperties {

    /** Properties of a single counter. Named generators do not inherit them. */
    private static final Set<String> COUNTER_PROPERTIES =
            Set.of("snowflake.segment.name", "snowflake.segment.initial-value", "snowflake.segment.max-value");

    private static final Set<String> OF_ANY_TYPE = Stream.concat(
                    Stream.of("snowflake.enabled", "snowflake.type"), PropertyNames.OF_APPLICATION.stream())
            .collect(Collectors.toSet());

    private static final String EXPIRING_STATUS = "management.health.snowflake.expiring-status";

    private final GeneratorProperties properties;
    private final Supplier<PropertyNames> names;
    private final Supplier<PropertyNames> ofVariables;
    private final List<SetProperty> set;

    /**
     * Checks the properties of an application.
     *
     * @param ofStores the classes that the properties of stores are bound to
     * @throws ConfigurationException if a property is unknown, has no effect, or has a value that is not of its type
     */
    CheckedProperties(Environment environment, Stream<Class<?>> ofStores) {
        properties = new GeneratorProperties(environment);
        // Created on demand: an application that sets no property has nothing to compare with the known names.
        names = SingletonSupplier.of(() ->
                new PropertyNames(Stream.concat(Stream.of(SnowflakeProperties.class, SegmentProperties.class), ofStores)
                        .toList()));
        ofVariables = SingletonSupplier.of(() -> names.get().ofVariables());
        set = set(environment);
        rejectUnknown();
        set.forEach(this::rejectWithoutEffect);
        properties.value("snowflake.json.ids-as-strings", Bindable.of(Boolean.class));
        String status = environment.getProperty(EXPIRING_STATUS, "UP");
        if (!status.matches("[\\w-]+")) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' must be a health status, such as UP or OUT_OF_SERVICE, but was '%s'."
                            .formatted(EXPIRING_STATUS, status),
                    "Set a health status, for example:\n\n%s: OUT_OF_SERVICE".formatted(EXPIRING_STATUS));
        }
    }

    GeneratorProperties properties() {
        return properties;
    }

    /**
     * A property with a value.
     *
     * @param name the name that the property has for the unnamed generator, in canonical spelling if it is known
     * @param isKnown whether the generator has a property of this name
     * @param isVariable whether an environment variable sets the property
     */
    private record SetProperty(
            GeneratorName generator, String name, boolean isKnown, boolean isVariable, ConfigurationProperty property) {

        boolean isBelow(String group) {
            return (name + ".").startsWith(group + ".");
        }

        /** Returns the name as it is written in its property source; the canonical name if the source does not report it. */
        String path() {
            return property.getOrigin() instanceof PropertySourceOrigin origin
                    ? origin.getPropertyName()
                    : property.getName().toString();
        }
    }

    /**
     * Returns the properties that have a value. If several sources define a property, only the first source counts: if its value is blank,
     * the property has no value.
     */
    private List<SetProperty> set(Environment environment) {
        Map<ConfigurationPropertyName, SetProperty> first = new LinkedHashMap<>();
        ConfigurationPropertyName root = ConfigurationPropertyName.of(GeneratorName.PREFIX);
        for (ConfigurationPropertySource source : GeneratorProperties.sources(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                boolean isVariable = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
                iterable.stream()
                        .filter(root::isAncestorOf)
                        .map(source::getConfigurationProperty)
                        .filter(Objects::nonNull)
                        .forEach(each -> first.putIfAbsent(each.getName(), set(each, isVariable ? source : null)));
            }
        }
        return first.values().stream()
                .filter(each -> !environment
                        .resolvePlaceholders(each.property.getValue().toString())
                        .isBlank())
                .toList();
    }

    /** @param variables the source if it contains environment variables; null otherwise */
    private SetProperty set(ConfigurationProperty property, @Nullable ConfigurationPropertySource variables) {
        boolean isVariable = variables != null;
        GeneratorName generator = GeneratorName.ofProperty(property.getName());
        String name = GeneratorName.PREFIX
                + property.getName().toString().substring(generator.prefix().length());
        String known = (isVariable ? ofVariables : names).get().known(name);
        // Names are compared without dots, but Spring Boot finds a variable only if it has an underscore for each dot.
        if (known != null
                && variables != null
                && !name.contains("[")
                && variables.getConfigurationProperty(ConfigurationPropertyName.of(generator.property(known)))
                        == null) {
            known = null;
        }
        if (known != null && generator.isNamed() && PropertyNames.OF_APPLICATION.contains(known)) {
            known = null;
        }
        return new SetProperty(generator, known == null ? name : known, known != null, isVariable, property);
    }

    private void rejectUnknown() {
        List<String> ignored = new ArrayList<>();
        for (SetProperty each : set) {
            if (each.isKnown || isOfMissingLibrary(each)) {
                continue;
            }
            PropertyNames spelled = (each.isVariable ? ofVariables : names).get();
            String close = spelled.close(each.name);
            boolean isOurs = !names.get().group(each.name).isEmpty();
            if (each.generator.isNamed()
                    || spelled.renamed(each.name) != null
                    || (isOurs && (close != null || !each.isVariable))) {
                throw unknown(each);
            }
            if (isOurs || close != null || !each.isVariable) {
                String hint = close == null ? "" : "; did you mean '" + close + "'?";
                ignored.add("'%s' (%s%s)".formatted(each.path(), each.property.getOrigin(), hint));
            }
        }
        if (!ignored.isEmpty()) {
            LogFactory.getLog(SnowflakeIdGenerator.class)
                    .warn("Properties without effect on ID generators: " + String.join(", ", ignored));
        }
    }

    /** Returns whether the property belongs to a store whose library is not on the class path, so that its names are not known. */
    private boolean isOfMissingLibrary(SetProperty property) {
        return Stream.concat(
                        Stream.of(Strategy.values())
                                .filter(Strategy::leases)
                                .map(strategy -> "snowflake.worker." + strategy.value()),
                        Stream.of(Store.values()).map(store -> "snowflake.segment." + store.value()))
                .anyMatch(group -> property.isBelow(group) && !names.get().isGroup(group));
    }

    private ConfigurationException unknown(SetProperty property) {
        String path = property.path();
        Object origin = property.property.getOrigin();
        if (names.get().isGroup(property.name) && names.get().known(property.name) == null) {
            return Problem.INVALID_PROPERTY.exception(
                    "Property '%s' has a value, but it is a group of properties (%s).".formatted(path, origin),
                    "Remove '%s', or set properties of the group.".formatted(path));
        }
        String description = "Property '%s' is unknown (%s).".formatted(path, origin);
        String meant = (property.isVariable ? ofVariables : names).get().meant(property.name);
        if (meant == null) {
            String known = names.get().group(property.name).stream()
                    .map(each -> "'" + property.generator.property(each) + "'")
                    .collect(Collectors.joining(", "));
            return Problem.UNKNOWN_PROPERTY.exception(
                    description,
                    "Remove '%s'.%s".formatted(path, known.isEmpty() ? "" : " Known properties: " + known + "."));
        }
        boolean isOfGenerator = meant.startsWith(GeneratorName.PREFIX) && !PropertyNames.OF_APPLICATION.contains(meant);
        String ours = isOfGenerator ? property.generator.property(meant) : meant;
        return Problem.UNKNOWN_PROPERTY.exception(
                description + " Did you mean '%s'?".formatted(ours),
                "Replace '%s' with:\n\n%s: %s".formatted(path, ours, value(property, meant)));
    }

    /** Returns the value to suggest. The value of a misspelled property may be a secret, and is then not repeated. */
    private static String value(SetProperty property, String meant) {
        String value = property.property.getValue().toString();
        if ((property.path() + meant).matches("(?i).*(password|secret|url|public-?_?ids|keys).*")) {
            return "(its value)";
        }
        return meant.equals("snowflake.epoch") && value.matches("\\d{1,17}")
                ? InvalidValue.instant(value).toString()
                : value;
    }

    /** Rejects a property of another type of generator, unless it is set on the unnamed generator for named generators to inherit. */
    private void rejectWithoutEffect(SetProperty property) {
        GeneratorName generator = property.generator;
        boolean isOfSegments = property.isBelow(SegmentProperties.GROUP);
        if (!(property.isKnown || isOfMissingLibrary(property))
                || OF_ANY_TYPE.contains(property.name)
                || properties.isOfSegments(generator) == isOfSegments
                || (generator.isNamed() && !properties.names().contains(generator))) {
            return;
        }
        boolean isOfOthers = !generator.isNamed()
                && properties.names().stream().anyMatch(each -> properties.isOfSegments(each) == isOfSegments);
        if (!isOfOthers || COUNTER_PROPERTIES.contains(property.name)) {
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '%s' has no effect: the generator is of type '%s'%s."
                            .formatted(
                                    property.path(),
                                    isOfSegments ? "snowflake" : "segment",
                                    isOfOthers ? ", and named generators do not inherit the property" : ""),
                    "Remove '%s', or change the type of the generator:\n\n%s: %s"
                            .formatted(
                                    property.path(),
                                    generator.property("snowflake.type"),
                                    isOfSegments ? "segment" : "snowflake"));
        }
    }

    /**
     * Rejects properties of a store if no strategy is set and the generator therefore does not use the store.
     *
     * @param isLeased whether the generator leases its worker ID without a strategy, for example in a database
     * @throws ConfigurationException if such a property is set
     */
    void rejectUnusedStores(GeneratorName generator, boolean isLeased) {
        boolean isStrategySet = set.stream().anyMatch(each -> each.name.equals("snowflake.worker.strategy"));
        for (SetProperty each : set) {
            boolean isForOthers = each.generator.isNamed() ? !each.generator.equals(generator) : isStrategySet;
            Strategy strategy = Stream.of(Strategy.values())
                    .filter(store -> store.leases() && each.isBelow("snowflake.worker." + store.value()))
                    .findFirst()
                    .orElse(each.isBelow("snowflake.worker.lease") ? Strategy.JDBC : null);
            boolean isOurs = each.isKnown || isOfMissingLibrary(each);
            if (strategy != null && isOurs && !isForOthers && !(isLeased && strategy == Strategy.JDBC)) {
                throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                        "Property '%s' has no effect: '%s' is not set, and %s."
                                .formatted(
                                        each.path(),
                                        each.generator.property("snowflake.worker.strategy"),
                                        isLeased
                                                ? "worker IDs are leased in the database"
                                                : "the worker ID is guessed from the host because there is no DataSource"),
                        "Remove '%s', or use it:\n\n%s%s"
                                .formatted(
                                        each.path(),
                                        each.generator.property(
                                                strategy == Strategy.JDBC
                                                        ? "snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop"
                                                        : "snowflake.worker.strategy: " + strategy.value()),
                                        strategy == Strategy.FILE
                                                ? "\n" + each.generator.property("snowflake.datacenter.id")
                                                        + ": ${DATACENTER_ID}"
                                                : ""));
            }
        }
    }
}
