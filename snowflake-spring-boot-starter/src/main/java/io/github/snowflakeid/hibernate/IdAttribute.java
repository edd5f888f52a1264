package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.IdGenerator;
import java.beans.Introspector;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Optional;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that gets ids.
 *
 * @param name the attribute and its entity, for messages
 * @param type what the ids are converted to
 * @param generator the name of the generator, empty for the one without
 * @param ids where they come from; null if the {@code EntityManagerFactory} was not told. That is an error only when an
 *     id is needed: tools make factories just to look at the mapping, as Spring Data's ahead-of-time processing does.
 */
record IdAttribute(
        String name,
        IdType type,
        String generator,
        @Nullable IdGenerator ids) {

    static IdAttribute of(
            String annotation,
            String owner,
            String name,
            Class<?> javaType,
            String generator,
            ServiceRegistry services) {
        @Nullable IdType type = IdType.of(javaType);
        if (type == null) {
            throw unsupported(annotation, owner, name, javaType);
        }
        String attribute = "'" + name + "' of " + owner;
        return new IdAttribute(
                attribute, type, generator, IdSettings.of(services).ids(generator, attribute));
    }

    /** The attribute that a field or a getter stands for. */
    static String nameOf(Member member) {
        String name = member.getName();
        if (!(member instanceof Method) || member.getDeclaringClass().isRecord()) {
            return name;
        }
        return Introspector.decapitalize(name.startsWith("get") ? name.substring("get".length()) : name);
    }

    /** The type that is declared, as only that tells a {@code long} from a {@code Long}; empty for a type variable. */
    static Optional<Class<?>> typeOf(Member member) {
        return (member instanceof Method getter ? getter.getGenericReturnType() : ((Field) member).getGenericType())
                        instanceof Class<?> type
                ? Optional.of(type)
                : Optional.empty();
    }

    Object keepOrMake(@Nullable Object value) {
        return value != null && type.isSet(value) ? value : make();
    }

    Object make() {
        if (ids == null) {
            throw IdSettings.missing(generator, name);
        }
        return type.convert(ids.nextId());
    }

    private static IdMappingException unsupported(String annotation, String owner, String name, Class<?> javaType) {
        return new IdMappingException(
                "Attribute '%s' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a %s"
                        .formatted(name, owner, javaType.getTypeName()),
                """
                Change the type of the attribute:

                %s
                private Long %s;""".formatted(annotation, name));
    }
}
