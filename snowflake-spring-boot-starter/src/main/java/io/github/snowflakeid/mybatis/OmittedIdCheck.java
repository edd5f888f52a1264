package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.mybatis.IdAttributes.IdAttribute;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.reflection.MetaObject;
import org.jspecify.annotations.Nullable;

/**
 * Rejects a statement that does not insert an ID of its parameters. Otherwise, the ID of the row would be another one,
 * from an identity column or a default, and the object and its row would differ. Each statement is checked when it
 * first inserts an assigned ID. Safe for use by any number of threads.
 */
final class OmittedIdCheck {

    /**
     * An ID that was assigned to an object for its insert.
     *
     * @param object the object
     * @param attribute the attribute that holds the ID
     * @param before the value before: null, or 0 for a primitive
     * @param id the ID
     */
    record AssignedId(
            MetaObject object,
            IdAttribute attribute,
            @Nullable Object before,
            long id) {

        void revert() {
            object.setValue(attribute.name(), before);
        }
    }

    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    /** @throws ConfigurationException if an assigned ID does not reach the database */
    void check(MappedStatement statement, Object parameter, List<AssignedId> assigned) {
        if (!assigned.isEmpty() && !checked.contains(statement.getId())) {
            SentValues.examine(statement, parameter, false, sent -> {
                // All elements of a collection are inserted alike.
                Set<IdAttribute> attributes = new HashSet<>();
                for (AssignedId each : assigned) {
                    if (attributes.add(each.attribute()) && !isSent(each, sent)) {
                        throw omitted(each, statement);
                    }
                }
                return checked.add(statement.getId());
            });
        }
    }

    /**
     * Whether the statement sends the ID to the database, as a parameter, as part of the SQL, or in a value that a
     * getter, a variable or a type handler derives from it.
     */
    @SuppressWarnings("ReferenceEquality") // An equal object may belong to another row.
    private static boolean isSent(AssignedId assigned, SentValues sent) {
        IdType type = assigned.attribute().type();
        String text = String.valueOf(type.unwrap(type.convert(assigned.id())));
        return sent.sql().getSql().contains(text)
                || sent.properties().stream().map(sent::valueOf).anyMatch(value -> {
                    Object plain = type.javaType().isInstance(value) ? type.unwrap(value) : value;
                    return isContainer(value)
                            || value == assigned.object().getOriginalObject()
                            || String.valueOf(plain).contains(text);
                });
    }

    private static boolean isContainer(@Nullable Object value) {
        return value instanceof Collection || value instanceof Map || value instanceof Object[];
    }

    private static ConfigurationException omitted(AssignedId assigned, MappedStatement statement) {
        IdAttribute attribute = assigned.attribute();
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s gets Snowflake IDs, but statement %s does not insert it: the row would have another value than the object"
                        .formatted(
                                attribute.name(),
                                assigned.object().getOriginalObject().getClass().getName(),
                                statement.getId()),
                """
                Insert it (for a named parameter or an element of <foreach>, with its name: #{name.%1$s}):

                insert into ... (%1$s, ...) values (#{%1$s}, ...)

                or, if the database generates it, remove %2$s from the attribute.""".formatted(attribute.name(), attribute.annotation()));
    }
}
