package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.Collection;
import java.util.Locale;
import java.util.SortedSet;

/** Failures of attributes that every mapper may have. */
public final class MappingErrors {

    private MappingErrors() {}

    /**
     * An attribute that a mapper does not know.
     *
     * @param attribute its name
     * @param owner the class that has it
     * @param mapper its name
     * @return the error
     */
    public static ConfigurationException unmapped(String attribute, String owner, String mapper) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s would stay without a Snowflake id: %s does not map it"
                        .formatted(attribute, owner, mapper),
                """
                Map it, neither static nor @Transient, or set it where the object is made, without the annotation:

                %s = idGenerator.nextId();""".formatted(attribute));
    }

    /**
     * An attribute whose values are made by something else as well.
     *
     * @param attribute its name
     * @param owner the class that has it
     * @param annotation what it is annotated with
     * @param other what it is annotated with as well
     * @return the error
     */
    public static ConfigurationException twoOrigins(String attribute, String owner, String annotation, String other) {
        return Problem.TWO_ORIGINS.exception(
                "Attribute '%s' of %s is to get Snowflake ids by %s, but other values by %s"
                        .formatted(attribute, owner, annotation, other),
                """
                Keep one of the two:

                %s

                or

                %s""".formatted(annotation, other));
    }

    /**
     * Returns the exception for a generator that does not exist.
     *
     * @param generator the name
     * @param attribute the attribute that names it
     * @param names the names that exist
     * @param otherwise another solution; empty if there is none
     * @return the exception
     */
    public static ConfigurationException unknownGenerator(
            String generator, String attribute, SortedSet<String> names, String otherwise) {
        return Problem.UNKNOWN_GENERATOR.exception(
                "Attribute %s is to get ids of generator '%s', but there is none%s"
                        .formatted(
                                attribute, generator, names.isEmpty() ? " by name" : "; there are: " + quoted(names)),
                (names.isEmpty() ? "Define" : "Use one of these names, or define") + " the generator:\n\n"
                        + definition(generator)
                        + (otherwise.isEmpty() ? "" : "\n\n" + otherwise));
    }

    /**
     * Returns names for a message.
     *
     * @param names at least one
     * @return the names in quotes
     */
    public static String quoted(Collection<String> names) {
        return "'" + String.join("', '", names) + "'";
    }

    /**
     * Returns the line that defines a generator.
     *
     * @param generator a name; characters other than lower-case letters and digits are left out
     * @return a property, and the annotation for it if the name was changed
     */
    public static String definition(String generator) {
        String name = generator.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]|^[0-9]+", "");
        String property = "snowflake.generators." + (name.isEmpty() ? "orders" : name) + ".layout: default";
        return name.equals(generator) ? property : property + "\n\n@SnowflakeId(\"" + name + "\")";
    }
}
