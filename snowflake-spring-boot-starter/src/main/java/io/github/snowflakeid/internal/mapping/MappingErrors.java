package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;

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
}
