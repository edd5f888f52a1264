package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Which generator is meant: how its properties begin, and how logs and failures speak of it.
 *
 * @param name of {@code snowflake.generators.<name>}; empty for the unnamed generator
 */
record GeneratorName(String name) {

    /** How the names of all properties begin. */
    static final String PREFIX = "snowflake";

    /** The group of the properties of named generators. */
    static final String ALL = PREFIX + ".generators";

    static final GeneratorName NONE = new GeneratorName("");

    private static final Pattern VALID = Pattern.compile("[a-z][a-z0-9]*");

    /**
     * Returns a generator of {@code snowflake.generators}.
     *
     * @throws ConfigurationException if environment variables could not tell the name from others
     */
    static GeneratorName of(String name) {
        if (!VALID.matcher(name).matches()) {
            String valid = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]|^[0-9]+", "");
            throw Problem.GENERATOR_NAME.exception(
                    "Generator name '%s' must be lower-case letters and digits, and begin with a letter: it is part of the names of environment variables."
                            .formatted(name),
                    "Rename '%s.%s', for example to '%1$s.%s', and use the new name in '@Qualifier' and '@SnowflakeId' as well."
                            .formatted(ALL, name, valid.isEmpty() ? "orders" : valid));
        }
        return new GeneratorName(name);
    }

    /** Returns the generator that a property is set for. */
    static GeneratorName ofProperty(ConfigurationPropertyName property) {
        return ConfigurationPropertyName.of(ALL).isAncestorOf(property)
                ? new GeneratorName(property.getElement(2, Form.ORIGINAL))
                : NONE;
    }

    /** By this, and not by {@code equals}, which the JDK generates at its first use: that is slow at the start. */
    boolean isNamed() {
        return !name.isEmpty();
    }

    /** How the names of its properties begin. */
    String prefix() {
        return name.isEmpty() ? PREFIX : ALL + "." + name;
    }

    /** @param property a property as the unnamed generator has it */
    String property(String property) {
        return prefix() + property.substring(PREFIX.length());
    }

    /**
     * How a line of the log or a failure begins.
     *
     * @param several whether there are generators that it could be confused with
     */
    String label(boolean several) {
        if (!isNamed()) {
            return several ? "Unnamed generator: " : "";
        }
        return "Generator '" + name + "': ";
    }

    /** Returns the same failure of this generator. */
    ConfigurationException explain(ConfigurationException failure, boolean several) {
        return failure.of(name, label(several));
    }
}
