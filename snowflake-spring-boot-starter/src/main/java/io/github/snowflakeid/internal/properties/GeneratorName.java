package io.github.snowflakeid.internal.properties;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The name of a generator, with the prefix of its properties.
 *
 * @param name the name in {@code snowflake.generators.<name>}; empty for the unnamed generator
 */
public record GeneratorName(String name) {

    /** The prefix of all properties. */
    public static final String PREFIX = "snowflake";

    /** The prefix of the properties of named generators. */
    public static final String ALL = PREFIX + ".generators";

    /** The generator that is injected without a qualifier. */
    public static final GeneratorName UNNAMED = new GeneratorName("");

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(PREFIX);

    private static final Pattern VALID = Pattern.compile("(?!(default|true|false)$)[a-z][a-z0-9]*");

    /**
     * Returns the name of a generator of {@code snowflake.generators}.
     *
     * @param name the name
     * @return the name
     * @throws ConfigurationException if the name cannot be part of an environment variable unambiguously
     */
    public static GeneratorName of(String name) {
        if (!VALID.matcher(name).matches()) {
            throw Problem.GENERATOR_NAME.exception(
                    "The name of generator '%s.%s' must consist of lower-case letters and digits, begin with a letter, and not be 'default', 'true' or 'false', because it is part of the names of environment variables."
                            .formatted(ALL, name),
                    "Write such a name below '%s', without a dash before it, and in quotes if it is on, off, yes or no. Use it in '@Qualifier' and '@SnowflakeId' as well."
                            .formatted(ALL));
        }
        return new GeneratorName(name);
    }

    /**
     * Returns the name of the generator that a property belongs to.
     *
     * @param property the name of the property
     * @return the generator
     */
    public static GeneratorName ofProperty(ConfigurationPropertyName property) {
        return ConfigurationPropertyName.of(ALL).isAncestorOf(property)
                ? new GeneratorName(property.getElement(2, Form.ORIGINAL))
                : UNNAMED;
    }

    /**
     * Returns the qualifier of the generator's bean.
     *
     * @return the name; {@code default} for the unnamed generator
     */
    public String qualifier() {
        return isNamed() ? name : "default";
    }

    /** Returns whether a name is of this library's properties. */
    static boolean isProperty(ConfigurationPropertyName name) {
        return ROOT.equals(name) || ROOT.isAncestorOf(name);
    }

    /**
     * Used in place of {@code equals}: the JDK generates the {@code equals} of a record on first use, which slows down
     * startup.
     *
     * @return false for the unnamed generator
     */
    public boolean isNamed() {
        return !name.isEmpty();
    }

    /**
     * Returns the prefix of the generator's properties.
     *
     * @return the prefix, without a dot at its end
     */
    public String prefix() {
        return name.isEmpty() ? PREFIX : ALL + "." + name;
    }

    /**
     * Returns the name of this generator's property that corresponds to a property of the unnamed generator.
     *
     * @param property the property of the unnamed generator
     * @return the property of this generator
     */
    public String property(String property) {
        return prefix() + property.substring(PREFIX.length());
    }

    /** Returns the property of the unnamed generator that corresponds to a property of this generator. */
    ConfigurationPropertyName unnamed(ConfigurationPropertyName property) {
        return isNamed()
                ? ConfigurationPropertyName.adapt(PREFIX + property.toString().substring(prefix().length()), '.')
                : property;
    }
}
