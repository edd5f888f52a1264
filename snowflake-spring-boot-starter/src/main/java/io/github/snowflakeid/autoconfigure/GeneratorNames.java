package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names of {@code snowflake.generators}. They are letters and digits: environment variables tell no more apart, and would
 * make a second generator of another spelling, with the same worker id.
 */
final class GeneratorNames {

    static final ConfigurationPropertyName ALL =
            ConfigurationPropertyName.of(PropertyNames.PREFIX + "." + PropertyNames.GENERATORS);

    /** How many parts a property's name has up to the name of the generator. */
    static final int PARTS = 3;

    private GeneratorNames() {}

    /**
     * The generators that have a name and are not disabled, in order of their names.
     *
     * @throws ConfigurationException if one of them is not a name, or one of their properties is none
     */
    static List<GeneratorName> in(Environment environment) {
        Set<String> names = new TreeSet<>();
        Map<String, ConfigurationPropertyName> ofSegments = new HashMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getConfigurationProperty(ALL) != null) {
                refuseList(ALL, source);
            }
            if (source instanceof IterableConfigurationPropertySource iterable
                    && source.containsDescendantOf(ALL) != ConfigurationPropertyState.ABSENT) {
                for (ConfigurationPropertyName property : iterable) {
                    if (ALL.isAncestorOf(property)) {
                        String name = nameOf(property, source, environment);
                        names.add(name);
                        if (property.getNumberOfElements() > PARTS
                                && property.getElement(PARTS, Form.UNIFORM).equals("segment")) {
                            ofSegments.put(name, property);
                        }
                    }
                }
            }
        }
        List<GeneratorName> generators = new ArrayList<>(names.size());
        for (String name : names) {
            GeneratorName generator = new GeneratorName(name);
            if (environment.getProperty(generator.property("snowflake.enabled"), Boolean.class, true)) {
                generators.add(generator);
                @Nullable ConfigurationPropertyName ofSegment = ofSegments.get(name);
                if (!generator.isOfSegments(environment) && ofSegment != null) {
                    throw SegmentProperties.withoutEffect(ofSegment.toString(), generator);
                }
            }
        }
        return generators;
    }

    private static String nameOf(
            ConfigurationPropertyName property, ConfigurationPropertySource source, Environment environment) {
        String name = property.getElement(PARTS - 1, Form.ORIGINAL);
        if (property.isNumericIndex(PARTS - 1)) {
            refuseList(property, source);
        }
        if (!isValid(name)) {
            throw badName(property.chop(PARTS), environment);
        }
        if (property.getNumberOfElements() > PARTS) {
            String rest = PropertyNames.PREFIX + "." + property.subName(PARTS);
            if (PropertyNames.isForAll(rest)) {
                throw forAll(rest, property, source);
            }
            boolean isVariable = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
            if (!PropertyNames.isKnown(rest)
                    && !PropertyNames.isGroup(rest)
                    && !(isVariable && PropertyNames.isKnownWithoutDots(rest))) {
                throw unknown(new GeneratorName(name), property, source);
            }
        } else {
            refuseValue(property, source);
        }
        return name;
    }

    private static boolean isValid(String name) {
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            boolean letter = character >= 'a' && character <= 'z';
            if (!letter && (i == 0 || character < '0' || character > '9')) {
                return false;
            }
        }
        return true;
    }

    private static ConfigurationException badName(ConfigurationPropertyName group, Environment environment) {
        String name = group.getElement(PARTS - 1, Form.ORIGINAL);
        StringBuilder letters =
                new StringBuilder("g".repeat(name.isEmpty() || Character.isDigit(name.charAt(0)) ? 1 : 0));
        for (char character : PropertyNames.uniform(name).toCharArray()) {
            if (isValid("a" + character)) {
                letters.append(character);
            }
        }
        String better = letters.isEmpty() ? "orders" : letters.toString();
        StringBuilder lines = new StringBuilder();
        for (var property : propertiesOf(name, environment).entrySet()) {
            String rest = property.getKey().getNumberOfElements() > PARTS
                    ? "." + property.getKey().subName(PARTS)
                    : "";
            lines.append("\n")
                    .append(ALL)
                    .append(".")
                    .append(better)
                    .append(rest)
                    .append(": ")
                    .append(
                            PropertyNames.isKnown(PropertyNames.PREFIX + rest)
                                    ? PropertyNames.shown(
                                            rest, property.getValue().getValue())
                                    : "(its value)");
        }
        String asWritten = ALL + (group.isLastElementIndexed() ? "[" + name + "]" : "." + name);
        String reason = PropertyNames.uniform(name).equals(better)
                ? "environment variables cannot tell '%s' from '%s', and would make two generators of them"
                        .formatted(name, better)
                : "it is part of the names of environment variables";
        return Problem.GENERATOR_NAME.exception(
                "Generator name '%s' must be lower-case letters and digits, and begin with a letter: %s."
                        .formatted(name, reason),
                """
                Give it another name, in '@Qualifier' and '@SnowflakeId' as well. Replace '%s' with:
                %s""".formatted(asWritten, lines));
    }

    private static Map<ConfigurationPropertyName, ConfigurationProperty> propertiesOf(
            String name, Environment environment) {
        Map<ConfigurationPropertyName, ConfigurationProperty> properties = new TreeMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                for (ConfigurationPropertyName property : iterable) {
                    @Nullable ConfigurationProperty value = source.getConfigurationProperty(property);
                    if (value != null
                            && ALL.isAncestorOf(property)
                            && property.getElement(PARTS - 1, Form.ORIGINAL).equals(name)) {
                        properties.putIfAbsent(property, value);
                    }
                }
            }
        }
        return properties;
    }

    private static void refuseList(ConfigurationPropertyName property, ConfigurationPropertySource source) {
        @Nullable ConfigurationProperty found = source.getConfigurationProperty(property);
        if (found == null || !found.getValue().toString().isBlank()) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' is set, but '%s' is a group of names, not a list.".formatted(property, ALL),
                    """
                    Replace '%s' with properties of each generator, for example:

                    %s.orders.layout: default""".formatted(ALL, ALL));
        }
    }

    private static void refuseValue(ConfigurationPropertyName property, ConfigurationPropertySource source) {
        @Nullable ConfigurationProperty found = source.getConfigurationProperty(property);
        Object value = found == null ? "" : found.getValue();
        if (!value.toString().isBlank()) {
            throw Problem.INVALID_PROPERTY.exception(
                    "Property '%s' has the value '%s', but it is a group of properties."
                            .formatted(property, PropertyNames.shown("", value)),
                    """
                    Leave it empty if the generator takes all of the unnamed one but its namespace. Or replace '%s' with what is in \
                    the group, for example:

                    %1$s.layout: default""".formatted(property));
        }
    }

    private static ConfigurationException forAll(
            String rest, ConfigurationPropertyName property, ConfigurationPropertySource source) {
        @Nullable ConfigurationProperty found = source.getConfigurationProperty(property);
        return Problem.PROPERTY_WITHOUT_EFFECT.exception(
                "Property '%s' is set, but '%s' is for the whole application, not for one generator."
                        .formatted(property, rest),
                """
                Replace '%s' with:

                %s: %s""".formatted(property, rest, found == null ? "" : PropertyNames.shown(rest, found.getValue())));
    }

    private static ConfigurationException unknown(
            GeneratorName generator, ConfigurationPropertyName property, ConfigurationPropertySource source) {
        @Nullable ConfigurationProperty found = source.getConfigurationProperty(property);
        Object value = found == null ? "" : found.getValue();
        String where = found == null ? "" : String.valueOf(found.getOrigin());
        StringBuilder longer = new StringBuilder(generator.name());
        for (int part = PARTS; part < property.getNumberOfElements() - 1; part++) {
            longer.append(property.getElement(part, Form.UNIFORM));
            String rest = PropertyNames.PREFIX + "." + property.subName(part + 1);
            if (PropertyNames.isKnown(rest)) {
                String meant = new GeneratorName(longer.toString()).property(rest);
                return Problem.UNKNOWN_PROPERTY.exception(
                        "Property '%s' is unknown (%s). Did you mean '%s'? A generator's name has letters and digits only."
                                .formatted(property, where, meant),
                        """
                        Replace '%s' with:

                        %s: %s""".formatted(property, meant, PropertyNames.shown(meant, value)));
            }
        }
        String unnamed = PropertyNames.PREFIX + "." + property.subName(PARTS);
        ConfigurationException failure = PropertyNames.unknown(unnamed, PropertyNames.PREFIX + ".", where, value);
        return Problem.UNKNOWN_PROPERTY.exception(
                generator.inPlaceOfUnnamed(failure.description()).replace("'" + unnamed + "'", "'" + property + "'"),
                generator
                        .inPlaceOfUnnamed(failure.action().orElseThrow())
                        .replace("'" + unnamed + "'", "'" + property + "'"));
    }
}
