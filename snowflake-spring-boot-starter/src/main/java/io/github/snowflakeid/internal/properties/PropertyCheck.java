package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Checks the names of all properties before Spring Boot binds the first group: rejects names that set no property, and
 * properties without effect. Also checks the values when they are bound.
 *
 * <p>Other products also use properties that begin with {@code snowflake.}, such as drivers of the data warehouse. An
 * unknown name therefore fails startup only if it is in one of this library's groups, or close to the layout, whose
 * default could not be changed after the first row. Any other unknown name is logged in one warning. An environment
 * variable outside {@code snowflake.generators} fails startup only if it is close to a known name: it cannot be mapped
 * back to a property name exactly, and may belong to another product.
 */
@Configuration(proxyBeanMethods = false)
public final class PropertyCheck {

    /** Groups of the whole application, which a named generator does not have. */
    private static final Set<String> OF_APPLICATION =
            Set.of("snowflake.json", "snowflake.public-ids", "snowflake.numbers");

    private static final Set<String> OF_ANY_TYPE = Set.of("snowflake.enabled", "snowflake.type");

    /** Properties of a store that no generator uses unless its strategy names it. */
    private static final Pattern OF_STORE = Pattern.compile("snowflake\\.worker\\.(?!host|lease|jdbc)(\\w+)\\..*");

    PropertyCheck() {}

    @Bean("snowflake.propertyCheck")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ConfigurationPropertiesBindHandlerAdvisor snowflakePropertyCheck(
            ConfigurableListableBeanFactory beans, Environment environment) {
        if (GeneratorProperties.mayBeSet(environment, GeneratorName.PREFIX)
                && GeneratorProperties.isEnabled(environment, "snowflake.enabled")) {
            check(environment, GeneratorProperties.of(beans, environment));
        }
        return handler -> new ValueCheck(environment, handler);
    }

    /**
     * A property with a value.
     *
     * @param name the name that the property would have for the unnamed generator
     */
    private record SetProperty(
            GeneratorName generator, ConfigurationPropertyName name, ConfigurationProperty property) {

        static SetProperty of(ConfigurationProperty property) {
            GeneratorName generator = GeneratorName.ofProperty(property.getName());
            return new SetProperty(generator, generator.unnamed(property.getName()), property);
        }

        boolean isVariable() {
            return property.getSource() != null
                    && property.getSource().getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
        }

        /** Returns the name as it is written in its property source, if the source reports it. */
        String path() {
            return property.getOrigin() instanceof PropertySourceOrigin origin
                    ? origin.getPropertyName()
                    : property.getName().toString();
        }
    }

    private static void check(Environment environment, GeneratorProperties generators) {
        List<SetProperty> set = properties(environment);
        if (set.isEmpty()) {
            return;
        }
        PropertyNames names = PropertyNames.read();
        List<String> ignored = new ArrayList<>();
        for (SetProperty each : set) {
            String known = names.find(each.name, each.isVariable());
            if (known != null && !(each.generator.isNamed() && isAny(OF_APPLICATION, known))) {
                rejectWithoutEffect(each, known, generators);
            } else {
                String close = names.close(each.name);
                rejectUnknown(each, close, names);
                if (close != null || !each.isVariable() || names.isOurs(each.name)) {
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

    /** Returns the properties that have a value. If the value of the first source is blank, a property has none. */
    private static List<SetProperty> properties(Environment environment) {
        return GeneratorProperties.find(environment, GeneratorName::isProperty).stream()
                .filter(each -> !environment
                        .resolvePlaceholders(each.getValue().toString())
                        .isBlank())
                .map(SetProperty::of)
                .toList();
    }

    /** Rejects an unknown name, unless it may belong to another product. */
    private static void rejectUnknown(SetProperty set, @Nullable String close, PropertyNames names) {
        String decisive = names.decisive(set.name);
        String known = decisive == null ? close : decisive;
        if (set.generator.isNamed()
                || decisive != null
                || (names.isOurs(set.name) && (close != null || !set.isVariable()))) {
            String meant = known == null || isAny(OF_APPLICATION, known) ? known : set.generator.property(known);
            if (meant != null && set.isVariable()) {
                meant = meant.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
            }
            String hint = meant == null ? "" : " Did you mean '%s'?".formatted(meant);
            throw Problem.UNKNOWN_PROPERTY.exception(
                    "Property '%s' is unknown (%s).%s".formatted(set.path(), set.property.getOrigin(), hint),
                    meant == null
                            ? "Remove '%s', or use a name of the documentation.".formatted(set.path())
                            : "Rename '%s' to '%s'.".formatted(set.path(), meant));
        }
    }

    private static boolean isAny(Set<String> groups, String property) {
        return groups.stream().anyMatch(each -> (property + ".").startsWith(each + "."));
    }

    /**
     * Rejects a property that no generator uses, neither the generator that sets it nor one that inherits it. A
     * property of a store may be unused if the generator selects another store.
     */
    private static void rejectWithoutEffect(SetProperty set, String known, GeneratorProperties generators) {
        List<GeneratorName> users = generators.users(set.generator, set.name);
        if (users.isEmpty() || isAny(OF_ANY_TYPE, known) || isAny(OF_APPLICATION, known)) {
            return;
        }
        boolean isOfSegments = known.startsWith("snowflake.segment.");
        if (users.stream().noneMatch(each -> generators.isOfSegments(each) == isOfSegments)) {
            throw withoutEffect(set, "snowflake.type", isOfSegments ? "segment" : "snowflake");
        }
        Matcher store = OF_STORE.matcher(known);
        if (store.matches()
                && users.stream().noneMatch(each -> generators.strategy(each).isPresent())) {
            throw withoutEffect(set, "snowflake.worker.strategy", store.group(1));
        }
    }

    private static ConfigurationException withoutEffect(SetProperty set, String property, String value) {
        String needed = set.generator.property(property);
        return Problem.PROPERTY_WITHOUT_EFFECT.exception(
                "Property '%s' has no effect: '%s' is not '%s'.".formatted(set.path(), needed, value),
                "Remove '%s', or set:\n\n%s: %s".formatted(set.path(), needed, value));
    }
}
