package io.github.snowflakeid.data;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import org.springframework.core.KotlinDetector;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.ClassUtils;

/** Attributes that would stay without ids, because Spring Data does not map them, or does not as it would have to. */
final class DataMappingErrors {

    private DataMappingErrors() {}

    static ConfigurationException notInserted(String attribute, String owner) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s would stay without a Snowflake id: its column is not written"
                        .formatted(attribute, owner),
                "Remove @ReadOnlyProperty, or the annotation.");
    }

    static ConfigurationException notConverted(String attribute, String owner) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of %s cannot be given a Snowflake id: Spring Data takes its type for an entity, since no repository and no @Table announced %2$s before Spring Data was configured"
                        .formatted(attribute, owner),
                "Annotate the class with @Table.");
    }

    static ConfigurationException notSettable(RelationalPersistentProperty attribute, String annotation) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of %s cannot be given a Snowflake id: it is final, and no parameter of a constructor, so that Spring Data cannot set it"
                        .formatted(attribute.getName(), attribute.getOwner().getName()),
                letItBeSet(attribute, annotation));
    }

    static ConfigurationException lostInCopies(RelationalPersistentProperty attribute, String lost, String annotation) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of %s cannot be given a Snowflake id: it is final, and a copy of the object with another value would lose '%s', which is no parameter of the constructor"
                        .formatted(attribute.getName(), attribute.getOwner().getName(), lost),
                letItBeSet(attribute, annotation) + "\n\nor let the constructor take '%s', too".formatted(lost));
    }

    static ConfigurationException embeddedId(RelationalPersistentProperty id) {
        return Problem.ATTRIBUTE_TYPE.exception(
                "Attribute '%s' of %s cannot be given a Snowflake id: it is an object, which Spring Data supports as an ID since version 4"
                        .formatted(id.getName(), id.getOwner().getName()),
                """
                Upgrade to Spring Boot 4, or let the ID be a number:

                @Id
                @SnowflakeId
                private Long %s;""".formatted(id.getName()));
    }

    private static String letItBeSet(RelationalPersistentProperty attribute, String annotation) {
        String declaration = KotlinDetector.isKotlinType(attribute.getOwner().getType())
                ? "var %s: %s? = null"
                        .formatted(
                                attribute.getName(),
                                ClassUtils.resolvePrimitiveIfNecessary(attribute.getType())
                                        .getSimpleName())
                : "private %s %s;".formatted(attribute.getType().getSimpleName(), attribute.getName());
        return "Let it be set:\n\n" + annotation + declaration;
    }
}
