package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;

/**
 * Exceptions for attributes that Hibernate does not map, does not insert or cannot set, so that they would get no IDs.
 */
final class HibernateMappingErrors {

    private HibernateMappingErrors() {}

    static ConfigurationException notInherited(String attribute, String entity, Class<?> superclass) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s gets no Snowflake ID: Hibernate does not map it, because %s is neither an entity nor a mapped superclass"
                        .formatted(attribute, entity, superclass.getName()),
                "Annotate %s with @MappedSuperclass.".formatted(superclass.getSimpleName()));
    }

    static ConfigurationException notInserted(String attribute, String entity) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s gets no Snowflake ID: its column is not insertable".formatted(attribute, entity),
                "Make the column insertable:\n\n@Column(insertable = true)");
    }

    /** @param where the embeddables in which Hibernate generates no values */
    static ConfigurationException notGenerated(String attribute, String embeddable, String where) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s gets no Snowflake ID: Hibernate generates no values in %s"
                        .formatted(attribute, embeddable, where),
                """
                Move the attribute to an entity, or set the ID when you create the object:

                %s = idGenerator.nextId();""".formatted(attribute));
    }

    static ConfigurationException inRecord(String component, Class<?> embedded, String attribute, String entity) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Component '%s' of record %s cannot get Snowflake IDs, because the record is embedded as '%s' of %s: Hibernate cannot change a record"
                        .formatted(component, embedded.getName(), attribute, entity),
                "Replace the record with a class:\n\n@Embeddable\npublic class %s { ... }"
                        .formatted(embedded.getSimpleName()));
    }
}
