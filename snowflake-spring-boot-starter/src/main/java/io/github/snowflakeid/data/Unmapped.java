package io.github.snowflakeid.data;

import io.github.snowflakeid.mapping.IdMappingException;

/** Attributes that would stay without ids, because Spring Data does not map them, or does not as it would have to. */
final class Unmapped {

    private Unmapped() {}

    static IdMappingException unmapped(String attribute, String owner) {
        return new IdMappingException(
                "Attribute '%s' of %s would stay without a Snowflake id: Spring Data does not map it"
                        .formatted(attribute, owner),
                """
                Map it, neither static nor @Transient, or set it where the object is made, without the annotation:

                %s = idGenerator.nextId();""".formatted(attribute));
    }

    static IdMappingException notInserted(String attribute, String owner) {
        return new IdMappingException(
                "Attribute '%s' of %s would stay without a Snowflake id: its column is not written"
                        .formatted(attribute, owner),
                "Remove @ReadOnlyProperty, or the annotation.");
    }

    static IdMappingException notSettable(String attribute, String owner, String annotation) {
        return new IdMappingException(
                "Attribute '%s' of %s would stay without a Snowflake id: it is final, and no parameter of a constructor, so that Spring Data cannot set it"
                        .formatted(attribute, owner),
                """
                Let it be set:

                %s
                private Long %s;""".formatted(annotation, attribute));
    }

    static IdMappingException lostInCopies(String attribute, String lost, String owner, String annotation) {
        return new IdMappingException(
                "Attribute '%s' of %s cannot get a Snowflake id: it is final, and a copy of the object with another value would lose '%s', which is no parameter of the constructor"
                        .formatted(attribute, owner, lost),
                """
                Let it be set:

                %s
                private Long %s;

                or let the constructor take '%s', too""".formatted(annotation, attribute, lost));
    }

    static IdMappingException twoOrigins(String attribute, String owner, String annotation, String other) {
        return new IdMappingException(
                "Attribute '%s' of %s is to get Snowflake ids by %s, but other values by %s"
                        .formatted(attribute, owner, annotation, other),
                """
                Keep one of the two:

                %s

                or

                %s""".formatted(annotation, other));
    }
}
