package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;

/** Attributes that would stay without ids, because Hibernate does not map them, or does not as it would have to. */
final class HibernateMappingErrors {

    private HibernateMappingErrors() {}

    static ConfigurationException notInherited(String attribute, String entity, Class<?> superclass) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s would stay without a Snowflake id: Hibernate does not map it, as %s is neither an entity nor a mapped superclass"
                        .formatted(attribute, entity, superclass.getName()),
                """
                Let entities inherit its attributes:

                @MappedSuperclass
                public class %s {""".formatted(superclass.getSimpleName()));
    }

    static ConfigurationException notInserted(String attribute, String entity, String annotation) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s would stay without a Snowflake id: its column is not insertable"
                        .formatted(attribute, entity),
                """
                Let Hibernate insert it:

                %s
                @Column(insertable = true)
                private Long %s;""".formatted(annotation, attribute));
    }

    static ConfigurationException inRecord(
            String component, Class<?> embedded, String attribute, String entity, String annotation) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Component '%s' of record %s cannot get Snowflake ids where the record is embedded, as '%s' of %s: Hibernate cannot change a record"
                        .formatted(component, embedded.getName(), attribute, entity),
                """
                Make it a class:

                @Embeddable
                public class %s {

                    %s
                    private Long %s;
                }""".formatted(embedded.getSimpleName(), annotation, component));
    }

    static ConfigurationException inSubclass(String part, Class<?> embedded, String attribute, String entity) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of a subclass of %s cannot get Snowflake ids where it is embedded, as '%s' of %s: Hibernate would set it in objects of other classes, too"
                        .formatted(part, embedded.getName(), attribute, entity),
                """
                Move it to %s, or set it where the object is made, without the annotation:

                %s = idGenerator.nextId();""".formatted(embedded.getSimpleName(), part));
    }
}
