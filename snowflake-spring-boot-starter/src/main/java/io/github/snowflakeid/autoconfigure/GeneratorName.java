package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import java.util.Locale;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Which generator is meant: how its properties begin, and how logs and failures speak of it.
 *
 * @param name of {@code snowflake.generators.<name>}; empty for the unnamed generator
 */
record GeneratorName(String name) {

    static final GeneratorName NONE = new GeneratorName("");

    /** By this, and not by {@code equals}, which the JDK generates at its first use: that is slow at the start. */
    boolean isNamed() {
        return !name.isEmpty();
    }

    /** How the names of its properties begin. */
    String prefix() {
        return name.isEmpty()
                ? PropertyNames.PREFIX
                : PropertyNames.PREFIX + "." + PropertyNames.GENERATORS + "." + name;
    }

    /** @param property a property as the unnamed generator has it */
    String property(String property) {
        return prefix() + property.substring(PropertyNames.PREFIX.length());
    }

    /**
     * Whether its numbers are of segments, not Snowflakes. That is not inherited.
     *
     * @throws BindException if its type is unknown
     */
    boolean isOfSegments(Environment environment) {
        return Binder.get(environment)
                        .bind(property("snowflake.type"), SnowflakeProperties.Type.class)
                        .orElse(SnowflakeProperties.Type.SNOWFLAKE)
                == SnowflakeProperties.Type.SEGMENT;
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

    /** The same failure, of this generator, where the properties of the unnamed one were blamed. */
    ConfigurationException explain(ConfigurationException failure, boolean several) {
        String message = failure.description();
        boolean saysWhich = message.contains("'" + PropertyNames.PREFIX + ".") || message.startsWith("Generator '");
        return new ConfigurationException(
                failure.anchor(),
                saysWhich ? inPlaceOfUnnamed(message) : label(several) + message,
                inPlaceOfUnnamed(failure.action().orElse("Correct the configuration.")),
                failure.getCause());
    }

    /**
     * A text with the names of this generator's properties where it has those of the unnamed one, and with an environment
     * variable of its own for its worker id: the unnamed one may have the usual one.
     */
    String inPlaceOfUnnamed(String text) {
        if (!isNamed()) {
            return text;
        }
        String renamed = text.replace("${WORKER_ID}", "${" + name.toUpperCase(Locale.ROOT) + "_WORKER_ID}");
        for (String root :
                PropertyNames.KNOWN.stream().map(PropertyNames::root).distinct().toList()) {
            // Nothing but whole parts of a name: a table may be called 'snowflake.worker_ids'.
            renamed = renamed.replaceAll(
                    "\\b%s\\.%s(?![\\w-])".formatted(PropertyNames.PREFIX, root),
                    property(PropertyNames.PREFIX + "." + root));
        }
        return renamed;
    }
}
