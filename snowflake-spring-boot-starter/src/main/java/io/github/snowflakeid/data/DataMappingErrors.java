package io.github.snowflakeid.data;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import org.springframework.core.KotlinDetector;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.ClassUtils;

/** Exceptions for attributes that Spring Data does not insert or cannot set, so that they would get no IDs. */
final class DataMappingErrors {

    private DataMappingErrors() {}

    static ConfigurationException notInserted(String attribute, String owner) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s gets no Snowflake ID: its column is not written".formatted(attribute, owner),
                "Remove either @ReadOnlyProperty or @SnowflakeId.");
    }

    static ConfigurationException notConverted(String attribute, String owner) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of %s cannot get a Snowflake ID: Spring Data treats its type as an entity, because %2$s has neither a repository nor @Table"
                        .formatted(attribute, owner),
                "Annotate the class with @Table.");
    }

    static ConfigurationException notSettable(RelationalPersistentProperty attribute, String annotation) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of %s cannot get a Snowflake ID: it is final and not a constructor parameter, so Spring Data cannot set it"
                        .formatted(attribute.getName(), attribute.getOwner().getName()),
                makeSettable(attribute, annotation));
    }

    static ConfigurationException lostInCopies(RelationalPersistentProperty attribute, String lost, String annotation) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of %s cannot get a Snowflake ID: it is final, and a copy of the object would lose '%s', which is not a constructor parameter"
                        .formatted(attribute.getName(), attribute.getOwner().getName(), lost),
                makeSettable(attribute, annotation) + "\n\nor add '%s' to the constructor".formatted(lost));
    }

    static ConfigurationException embeddedId(RelationalPersistentProperty id) {
        return Problem.ATTRIBUTE_TYPE.exception(
                "Attribute '%s' of %s cannot get a Snowflake ID: it is an object, and Spring Data supports objects as IDs only since version 4"
                        .formatted(id.getName(), id.getOwner().getName()),
                """
                Upgrade to Spring Boot 4, or use a number as the ID:

                @Id
                @SnowflakeId
                private Long %s;""".formatted(id.getName()));
    }

    private static String makeSettable(RelationalPersistentProperty attribute, String annotation) {
        String declaration = KotlinDetector.isKotlinType(attribute.getOwner().getType())
                ? "var %s: %s? = null"
                        .formatted(
                                attribute.getName(),
                                ClassUtils.resolvePrimitiveIfNecessary(attribute.getType())
                                        .getSimpleName())
                : "private %s %s;".formatted(attribute.getType().getSimpleName(), attribute.getName());
        return "Make the attribute settable:\n\n" + annotation + declaration;
    }
}
