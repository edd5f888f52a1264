package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdMappingException;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;
import org.jspecify.annotations.Nullable;

/** The attributes that a statement sets to keys made by the database. Those would take the place of our ids. */
final class GeneratedKeys {

    private GeneratedKeys() {}

    /**
     * Refuses what a statement is about to insert.
     *
     * @throws IdMappingException if one of its attributes would get a key as well as an id
     */
    static void refuse(MappedStatement statement, Object parameter, FilledAttributes attributes) {
        forEach(statement, (owner, key) -> {
            @Nullable Object first = first(owner.isEmpty() ? parameter : valueOf(parameter, owner));
            if (first != null) {
                refuse(statement, key, first.getClass(), attributes);
            }
        });
    }

    /**
     * Refuses a type that a statement inserts.
     *
     * @throws IdMappingException if it is annotated where keys are set
     */
    static void refuse(MappedStatement statement, String key, Class<?> type, FilledAttributes attributes) {
        for (FilledAttribute attribute : attributes.in(type, statement.getConfiguration())) {
            if (attribute.name().equals(key)) {
                throw new IdMappingException(
                        "Attribute '%s' of %s is to get Snowflake ids, but statement %s sets it to a key that the database makes"
                                .formatted(key, type.getName(), statement.getId()),
                        """
                        Keep one of the two: let the statement insert #{%s}, without useGeneratedKeys, keyProperty and selectKey, or remove %s.""".formatted(key, attribute.annotation()));
            }
        }
    }

    /**
     * Looks at each key.
     *
     * @param key takes the name of the parameter that has the attribute, empty for the only one, and that of the attribute
     */
    static void forEach(MappedStatement statement, BiConsumer<String, String> key) {
        String @Nullable [] properties = statement.getKeyProperties();
        if (properties != null && !(statement.getKeyGenerator() instanceof NoKeyGenerator)) {
            for (String property : properties) {
                int dot = property.lastIndexOf('.');
                key.accept(property.substring(0, Math.max(0, dot)), property.substring(dot + 1));
            }
        }
    }

    /** A map of MyBatis throws if it has no such value. */
    private static @Nullable Object valueOf(Object parameter, String name) {
        return parameter instanceof Map<?, ?> map && map.containsKey(name) ? map.get(name) : null;
    }

    private static @Nullable Object first(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return first(map.values());
        }
        if (value instanceof Collection<?> collection) {
            return collection.isEmpty() ? null : first(collection.iterator().next());
        }
        if (value instanceof Object[] array) {
            return array.length == 0 ? null : first(array[0]);
        }
        return value;
    }
}
