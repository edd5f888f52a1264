package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.reflection.MetaClass;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.type.TypeHandlerRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * The attributes with {@link io.github.snowflakeid.SnowflakeId} of the classes that are inserted. Examines each class
 * once. Safe for use by any number of threads.
 */
final class IdAttributes {

    /**
     * An attribute that gets an ID before its object is inserted.
     *
     * @param name its name
     * @param annotation the annotation as it is in the source, for messages
     * @param type the type of the attribute
     * @param ids the generator of its IDs
     * @param notSettable why the attribute cannot be set; null if it can be
     */
    record IdAttribute(
            String name,
            String annotation,
            IdType type,
            IdGenerator ids,
            @Nullable String notSettable) {}

    private final IdGenerators generators;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();
    private final Map<Class<?>, List<IdAttribute>> byClass = new ConcurrentHashMap<>();
    private final Map<Class<?>, Boolean> enclosing = new ConcurrentHashMap<>();

    IdAttributes(IdGenerators generators) {
        this.generators = generators;
    }

    /**
     * Returns the annotated attributes of a class.
     *
     * @throws ConfigurationException if an annotated attribute cannot get IDs
     */
    List<IdAttribute> in(Class<?> type, Configuration configuration) {
        @Nullable List<IdAttribute> known = byClass.get(type);
        if (known == null) {
            known = find(type, configuration);
            byClass.put(type, known);
        }
        return known;
    }

    /** Returns whether an object of a class may contain rows: it has an attribute that is not a single value. */
    boolean mayEncloseRows(Class<?> type, Configuration configuration) {
        TypeHandlerRegistry values = configuration.getTypeHandlerRegistry();
        return enclosing.computeIfAbsent(type, each -> {
            MetaClass meta = MetaClass.forClass(each, configuration.getReflectorFactory());
            return !values.hasTypeHandler(each)
                    && Arrays.stream(meta.getGetterNames())
                            .map(meta::getGetterType)
                            .anyMatch(attribute -> attribute == Object.class || !values.hasTypeHandler(attribute));
        });
    }

    private List<IdAttribute> find(Class<?> type, Configuration configuration) {
        Map<String, SnowflakeIdMember> members = annotated.in(type);
        IdType value = IdType.of(type);
        // A typed ID is a value rather than a row.
        if (members.isEmpty() || (value != null && value.isMarked())) {
            return List.of();
        }
        MetaClass meta = MetaClass.forClass(type, configuration.getReflectorFactory());
        List<IdAttribute> attributes = new ArrayList<>();
        members.forEach((name, member) -> attributes.add(attribute(name, member, type, meta)));
        return List.copyOf(attributes);
    }

    private IdAttribute attribute(String name, SnowflakeIdMember annotated, Class<?> type, MetaClass meta) {
        Class<?> javaType = SnowflakeIdMember.typeOf(annotated.member()).orElseGet(() -> meta.getGetterType(name));
        IdType idType = IdType.of(javaType, name, type.getName(), annotated.written())
                .withText(annotated.annotation(), name, type.getName());
        if (type.isInterface() || Modifier.isStatic(annotated.member().getModifiers())) {
            throw cannotBeSet(name, type, type.isInterface() ? "it is annotated in an interface" : "it is static");
        }
        String generator = annotated.annotation().value();
        IdGenerator ids = generators.get(generator, "'" + name + "' of " + type.getName());
        return new IdAttribute(
                name,
                annotated.written(),
                idType.requireRoom(ids, generator, name, type.getName(), annotated.written()),
                ids,
                reasonNotSettable(name, annotated.member(), meta));
    }

    /** Returns why an attribute cannot be set, or null. It is an error only if an object is inserted without an ID. */
    private static @Nullable String reasonNotSettable(String name, Member member, MetaClass meta) {
        if (member.getDeclaringClass().isRecord()) {
            return "a record cannot be changed";
        }
        // MyBatis would set a final field by reflection, and the JVM may continue to use the old value.
        Field field = ReflectionUtils.findField(member.getDeclaringClass(), name);
        if (field != null && Modifier.isFinal(field.getModifiers())) {
            return "it is final";
        }
        return meta.hasSetter(name) ? null : "it has neither a field of that name nor a setter";
    }

    static ConfigurationException cannotBeSet(String name, Class<?> type, String reason) {
        return Problem.ATTRIBUTE_NOT_SETTABLE.exception(
                "Attribute '%s' of %s cannot get a Snowflake ID before it is inserted: %s"
                        .formatted(name, type.getName(), reason),
                """
                Set the ID when you create the object:

                new %s(idGenerator.nextId(), ...)

                or declare the attribute in a class, with a field that is not final.""".formatted(type.getSimpleName()));
    }
}
