package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.AnnotatedMember;
import io.github.snowflakeid.internal.mapping.AnnotatedMembers;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdMappingException;
import io.github.snowflakeid.internal.mapping.IdType;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.reflection.MetaClass;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The attributes with {@link io.github.snowflakeid.SnowflakeId} of the classes that are inserted. Looks at each class once. Safe
 * for use by any number of threads.
 */
final class FilledAttributes {

    private final IdGenerators generators;
    private final AnnotatedMembers annotated = new AnnotatedMembers();
    private final Map<Class<?>, List<FilledAttribute>> byClass = new ConcurrentHashMap<>();

    FilledAttributes(IdGenerators generators) {
        this.generators = generators;
    }

    /**
     * Those of a class.
     *
     * @throws IdMappingException if one cannot get ids
     */
    List<FilledAttribute> in(Class<?> type, Configuration configuration) {
        @Nullable List<FilledAttribute> known = byClass.get(type);
        if (known == null) {
            known = find(type, configuration);
            byClass.put(type, known);
        }
        return known;
    }

    private List<FilledAttribute> find(Class<?> type, Configuration configuration) {
        Map<String, AnnotatedMember> members = annotated.in(type);
        if (members.isEmpty()) {
            return List.of();
        }
        MetaClass meta = MetaClass.forClass(type, configuration.getReflectorFactory());
        List<FilledAttribute> attributes = new ArrayList<>();
        members.forEach((name, member) -> attributes.add(attribute(name, member, type, meta)));
        return List.copyOf(attributes);
    }

    private FilledAttribute attribute(String name, AnnotatedMember annotated, Class<?> type, MetaClass meta) {
        Class<?> javaType = AnnotatedMember.typeOf(annotated.member()).orElseGet(() -> meta.getGetterType(name));
        IdType idType = IdType.of(javaType, name, type.getName(), annotated.written());
        if (type.isInterface()) {
            throw cannotBeSet(name, annotated.written(), type, "it is annotated in an interface");
        }
        if (Modifier.isStatic(annotated.member().getModifiers())) {
            throw cannotBeSet(name, annotated.written(), type, "it is static");
        }
        @Nullable String reason = whyItCannotBeSet(name, annotated.member(), meta);
        String generator = annotated.annotation().value();
        IdGenerator ids = generators.get(generator, "'" + name + "' of " + type.getName());
        return new FilledAttribute(
                name,
                annotated.written(),
                idType.requireRoom(ids, generator, name, type.getName(), annotated.written()),
                ids,
                reason == null ? null : () -> cannotBeSet(name, annotated.written(), type, reason));
    }

    /** An object of such a class may come with its id. */
    private static @Nullable String whyItCannotBeSet(String name, Member member, MetaClass meta) {
        if (member.getDeclaringClass().isRecord()) {
            return "a record cannot be changed";
        }
        if (isFinal(name, member)) {
            return "it is final";
        }
        return meta.hasSetter(name) ? null : "it has neither a field of that name nor a setter";
    }

    /** MyBatis would set the field all the same, and the JVM need not notice. */
    private static boolean isFinal(String name, Member member) {
        for (Field field : member.getDeclaringClass().getDeclaredFields()) {
            if (field.getName().equals(name)) {
                return Modifier.isFinal(field.getModifiers());
            }
        }
        return false;
    }

    private static IdMappingException cannotBeSet(String name, String annotation, Class<?> type, String reason) {
        String made = """
                Give it an id where the object is made:

                new %s(idGenerator.nextId(), ...)

                """.formatted(type.getSimpleName());
        return new IdMappingException(
                "Attribute '%s' of %s cannot get a Snowflake id before it is inserted: %s"
                        .formatted(name, type.getName(), reason),
                (type.isInterface() ? "" : made)
                        + """
                %s a class have it that can be changed:

                public class %s {

                    %s
                    private Long %s;
                }""".formatted(type.isInterface() ? "Let" : "or let", type.getSimpleName(), annotation, name));
    }
}
