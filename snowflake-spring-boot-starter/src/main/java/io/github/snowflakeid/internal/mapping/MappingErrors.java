package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.Collection;
import java.util.Locale;
import java.util.SortedSet;

/** Exceptions for annotated attributes that any mapper may reject. */
public final class MappingErrors {

    private MappingErrors() {}

    /**
     * Returns the exception for an annotated attribute that a mapper does not map.
     *
     * @param attribute the name of the attribute
     * @param owner the class that declares the attribute
     * @param mapper the name of the mapper
     * @return the exception
     */
    public static ConfigurationException unmapped(String attribute, String owner, String mapper) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s gets no Snowflake ID: %s does not map it".formatted(attribute, owner, mapper),
                """
                Map the attribute (it must be neither static nor @Transient), or remove the annotation and set the ID when you create the object:

                %s = idGenerator.nextId();""".formatted(attribute));
    }

    /**
     * Returns the exception for an annotated attribute that also gets its values from another annotation.
     *
     * @param attribute the name of the attribute
     * @param owner the class that declares the attribute
     * @param annotation the annotation for Snowflake IDs
     * @param other the other annotation
     * @return the exception
     */
    public static ConfigurationException twoOrigins(String attribute, String owner, String annotation, String other) {
        return Problem.TWO_ORIGINS.exception(
                "Attribute '%s' of %s has two sources of values: %s and %s"
                        .formatted(attribute, owner, annotation, other),
                """
                Keep one of the two:

                %s

                or

                %s""".formatted(annotation, other));
    }

    /**
     * Returns the exception for an ID whose type has the annotation on its component.
     *
     * @param attribute the name of the attribute
     * @param owner the class that declares the attribute
     * @param type the type of the attribute
     * @param component the name of its component
     * @return the exception
     */
    static ConfigurationException markedComponent(String attribute, String owner, Class<?> type, String component) {
        return Problem.ATTRIBUTE_TYPE.exception(
                "Attribute '%s' of %s is no ID: the annotation is on '%s' of %s, which makes only that attribute an ID, not its class"
                        .formatted(attribute, owner, component, type.getName()),
                """
                Move the annotation to the class. For example:

                @PublicId("order")
                record %s(long %s) {}""".formatted(type.getSimpleName(), component));
    }

    /**
     * Returns the exception for a class that an annotation declares to be an ID although it is an entity or has several
     * attributes.
     *
     * @param type the class
     * @return the exception
     */
    static ConfigurationException markedObject(Class<?> type) {
        return Problem.ATTRIBUTE_TYPE.exception(
                "%s cannot be an ID, as @SnowflakeId, @PublicId or @IdAsString on the class declares: it is an entity, or has several attributes"
                        .formatted(type.getName()),
                """
                Move the annotation from the class to the attribute that holds the ID:

                @SnowflakeId
                private Long id;""");
    }

    /**
     * Returns the exception for a generator that does not exist.
     *
     * @param generator the missing name
     * @param referrer who refers to it, as the beginning of a sentence
     * @param names the existing names
     * @param otherwise another solution; empty if there is none
     * @return the exception
     */
    public static ConfigurationException unknownGenerator(
            String generator, String referrer, SortedSet<String> names, String otherwise) {
        return Problem.UNKNOWN_GENERATOR.exception(
                "%s refers to generator '%s', which does not exist; %s"
                        .formatted(
                                referrer,
                                generator,
                                names.isEmpty() ? "no generator has a name" : "existing generators: " + quoted(names)),
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
     * @param generator a name; characters other than letters and digits are removed
     * @return a property, and the annotation for it if the name was changed
     */
    public static String definition(String generator) {
        String name = generator.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]|^[0-9]+", "");
        String property = "snowflake.generators." + (name.isEmpty() ? "orders" : name) + ".layout: default";
        return name.equals(generator) ? property : property + "\n\n@SnowflakeId(\"" + name + "\")";
    }
}
