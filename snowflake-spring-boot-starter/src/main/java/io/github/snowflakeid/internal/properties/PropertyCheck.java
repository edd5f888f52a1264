package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.function.SingletonSupplier;

/**
 * Checks the names of all properties before Spring Boot binds the first group of this library: names that no group has,
 * values where a group or a list belongs, and properties without effect.
 *
 * <p>Other products also use properties that begin with {@code snowflake.}, such as drivers of the data warehouse. An
 * unknown name therefore fails startup only if it is in one of this library's groups, or if other ID libraries use it.
 * Any other unknown name is logged in one warning. An environment variable outside {@code snowflake.generators} fails
 * startup only if it is close to a known name: it cannot be mapped back to a property name exactly, and may belong to
 * another product.
 */
public final class PropertyCheck implements ConfigurationPropertiesBindHandlerAdvisor {

    /** Properties of a single counter. Named generators do not inherit them. */
    private static final Set<String> COUNTER_PROPERTIES =
            Set.of("snowflake.segment.name", "snowflake.segment.initial-value", "snowflake.segment.max-value");

    private static final Set<String> OF_ANY_TYPE = Set.of("snowflake.enabled", "snowflake.type");

    /** Groups of the whole application, which a named generator does not have. */
    private static final Set<String> OF_APPLICATION =
            Set.of("snowflake.json", "snowflake.public-ids", "snowflake.numbers");

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final SingletonSupplier<List<SetProperty>> checked = SingletonSupplier.of(this::check);

    private final SingletonSupplier<PropertyNames> names = SingletonSupplier.of(PropertyNames::read);

    /**
     * Creates the check of a context.
     *
     * @param beans the beans of the context, among them the groups of properties
     * @param environment the environment of the context
     */
    public PropertyCheck(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    @Override
    public BindHandler apply(BindHandler handler) {
        return new ValueCheck(environment, handler) {
            @Override
            public <T> @Nullable Bindable<T> onStart(
                    ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
                if (context.getDepth() == 0 && GeneratorName.isProperty(name) && OnEnabled.isEnabled(environment)) {
                    checked.obtain();
                }
                return super.onStart(name, target, context);
            }
        };
    }

    /** Registers the check once, for each auto-configuration that has properties. */
    @Configuration(proxyBeanMethods = false)
    public static final class Registration {

        Registration() {}

        @Bean("snowflake.propertyCheck")
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static PropertyCheck snowflakePropertyCheck(ConfigurableListableBeanFactory beans, Environment environment) {
            return new PropertyCheck(beans, environment);
        }
    }

    /**
     * A property with a value.
     *
     * @param name the name that the property has for the unnamed generator, in canonical spelling if it is known
     * @param known the property or group; null if the generator has none of this name
     * @param isVariable whether an environment variable sets the property
     */
    private record SetProperty(
            GeneratorName generator,
            String name,
            PropertyNames.@Nullable Property known,
            boolean isVariable,
            ConfigurationProperty property) {

        boolean isBelow(String group) {
            return (name + ".").startsWith(group + ".");
        }

        boolean isOfApplication() {
            return OF_APPLICATION.stream().anyMatch(this::isBelow);
        }

        /**
         * Returns the name as it is written in its property source; the canonical name if the source does not report
         * it.
         */
        String path() {
            return property.getOrigin() instanceof PropertySourceOrigin origin
                    ? origin.getPropertyName()
                    : property.getName().toString();
        }
    }

    /**
     * Checks the properties that have a value. If several sources define a property, only the first source counts: if
     * its value is blank, the property has no value.
     */
    private List<SetProperty> check() {
        Map<ConfigurationPropertyName, SetProperty> first = new LinkedHashMap<>();
        for (ConfigurationPropertySource source : GeneratorProperties.sources(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                boolean areVariables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
                iterable.stream()
                        .filter(name -> GeneratorName.isProperty(name)
                                && !(areVariables && name.getNumberOfElements() == 1)
                                && !first.containsKey(name))
                        .map(source::getConfigurationProperty)
                        .filter(Objects::nonNull)
                        .forEach(each -> first.put(each.getName(), set(each, areVariables)));
            }
        }
        List<SetProperty> set =
                first.values().stream().filter(each -> !isBlank(each.property)).toList();
        set.forEach(PropertyCheck::rejectWrongShape);
        rejectUnknown(set);
        GeneratorProperties generators = GeneratorProperties.of(beans, environment);
        set.forEach(each -> rejectWithoutEffect(each, generators));
        return set;
    }

    private boolean isBlank(ConfigurationProperty property) {
        return environment.resolvePlaceholders(property.getValue().toString()).isBlank();
    }

    private SetProperty set(ConfigurationProperty property, boolean isVariable) {
        GeneratorName generator = GeneratorName.ofProperty(property.getName());
        ConfigurationPropertyName name = generator.unnamed(property.getName());
        PropertyNames.Property known = names.obtain().find(name, isVariable);
        SetProperty set =
                new SetProperty(generator, known == null ? name.toString() : known.name(), known, isVariable, property);
        return generator.isNamed() && set.isOfApplication()
                ? new SetProperty(generator, name.toString(), null, isVariable, property)
                : set;
    }

    /** Rejects a value in place of a group or a list of groups, and a group or a list in place of a value. */
    private static void rejectWrongShape(SetProperty set) {
        if (set.known == null) {
            return;
        }
        ConfigurationPropertyName name = set.generator.unnamed(set.property.getName());
        int after = name.getNumberOfElements() - set.known.length();
        String property = set.generator.property(set.name);
        if (after == 0
                ? set.known.isGroup()
                : after == 1 && set.known.isListOfGroups() && name.isLastElementIndexed()) {
            throw wrongShape(
                    set,
                    "has a value, but it is a group of properties",
                    "Remove '%s', or set properties of the group.".formatted(set.path()));
        }
        if (after > 0 && set.known.type().isEmpty()) {
            throw wrongShape(
                    set,
                    "is of a list, but '%s' is a group of properties".formatted(property),
                    "Write the properties below '%s' without dashes and without an index.".formatted(property));
        }
        if (after > 0 && set.known.isList() && !name.isNumericIndex(set.known.length())) {
            String attribute = set.known.isListOfGroups() ? "." + name.subName(set.known.length()) : "";
            throw wrongShape(set, "belongs to a list, but has no index", """
                    Write a dash before the first property of each element of '%s', or an index in the name:

                    %s[0]%s: (its value)""".formatted(property, property, attribute));
        }
        if (after > 0 && !set.known.isList() && !set.known.isGroup()) {
            throw wrongShape(
                    set,
                    "sets part of '%s', which has a single value".formatted(property),
                    "Replace '%s' with a single value:\n\n%s: %s"
                            .formatted(set.path(), property, InvalidValue.shown(property, set.property)));
        }
    }

    private static ConfigurationException wrongShape(SetProperty set, String rule, String action) {
        return Problem.INVALID_PROPERTY.exception(
                "Property '%s' %s (%s).".formatted(set.path(), rule, set.property.getOrigin()), action);
    }

    private void rejectUnknown(List<SetProperty> set) {
        List<String> ignored = new ArrayList<>();
        for (SetProperty each : set) {
            if (each.known == null) {
                String close = names.obtain().close(each.name, each.isVariable);
                boolean isOurs = names.obtain().isInGroup(each.name);
                if (each.generator.isNamed()
                        || names.obtain().renamed(each.name, each.isVariable) != null
                        || (isOurs && (close != null || !each.isVariable))) {
                    throw unknown(each);
                }
                if (isOurs || close != null || !each.isVariable) {
                    String hint = close == null ? "" : "; did you mean '" + close + "'?";
                    ignored.add("'%s' (%s%s)".formatted(each.path(), each.property.getOrigin(), hint));
                }
            }
        }
        if (!ignored.isEmpty()) {
            LogFactory.getLog(SnowflakeIdGenerator.class)
                    .warn("Properties without effect on ID generators: " + String.join(", ", ignored));
        }
    }

    private ConfigurationException unknown(SetProperty property) {
        String path = property.path();
        String description = "Property '%s' is unknown (%s).".formatted(path, property.property.getOrigin());
        String meant = property.isBelow("snowflake.numbers")
                ? property.name
                : names.obtain().meant(property.name, property.isVariable);
        if (meant == null) {
            String known = names.obtain().group(property.name, property.generator);
            return Problem.UNKNOWN_PROPERTY.exception(
                    description,
                    "Remove '%s'.%s".formatted(path, known.isEmpty() ? "" : " Known properties: " + known + "."));
        }
        String ours = OF_APPLICATION.stream().noneMatch(meant::startsWith) ? property.generator.property(meant) : meant;
        return Problem.UNKNOWN_PROPERTY.exception(
                description + " Did you mean '%s'?".formatted(ours),
                "Replace '%s' with:\n\n%s: %s"
                        .formatted(path, ours, InvalidValue.shown(path + meant, property.property)));
    }

    /**
     * Rejects a property of another type of generator, unless it is set on the unnamed generator for named generators
     * to inherit.
     */
    private static void rejectWithoutEffect(SetProperty property, GeneratorProperties properties) {
        GeneratorName generator = property.generator;
        boolean isOfSegments = property.isBelow("snowflake.segment");
        if (property.known == null
                || OF_ANY_TYPE.contains(property.name)
                || property.isOfApplication()
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
     * @param generator the generator
     * @param isLeased whether the generator leases its worker ID without a strategy, in the default store
     * @param examples returns lines that use a store, for the unnamed generator
     * @throws ConfigurationException if such a property is set
     */
    public void rejectUnusedStores(GeneratorName generator, boolean isLeased, UnaryOperator<String> examples) {
        boolean isStrategySet =
                checked.obtain().stream().anyMatch(each -> each.name.equals("snowflake.worker.strategy"));
        for (SetProperty each : checked.obtain()) {
            boolean isForOthers = each.generator.isNamed() ? !each.generator.equals(generator) : isStrategySet;
            String[] elements = each.name.split("\\.", -1);
            boolean isOfStore = each.known != null
                    && each.isBelow("snowflake.worker")
                    && elements.length > 3
                    && !elements[2].equals("host");
            if (isOfStore && !isForOthers) {
                String store = elements[2].equals("lease") ? GeneratorProperties.DEFAULT_STORE : elements[2];
                if (!isLeased || !store.equals(GeneratorProperties.DEFAULT_STORE)) {
                    throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                            "Property '%s' has no effect: '%s' is not set, and %s."
                                    .formatted(
                                            each.path(),
                                            each.generator.property("snowflake.worker.strategy"),
                                            isLeased
                                                    ? "worker IDs are leased in the database"
                                                    : "the worker ID is guessed from the host because there is no DataSource"),
                            ConfigurationException.text(
                                    "Remove '%s', or use it:\n\n%s".formatted(each.path(), examples.apply(store)),
                                    each.generator.name()));
                }
            }
        }
    }
}
