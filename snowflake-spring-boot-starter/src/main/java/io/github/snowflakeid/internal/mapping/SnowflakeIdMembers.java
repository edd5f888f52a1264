package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the fields and getters with {@link SnowflakeId}, and the component of a typed ID with the annotation. Inspects
 * each class once. Safe for use by any number of threads.
 */
public final class SnowflakeIdMembers {

    private final Map<Class<?>, Map<String, SnowflakeIdMember>> byClass = new ConcurrentHashMap<>();

    /** Creates a finder that has not inspected any class. */
    public SnowflakeIdMembers() {}

    /**
     * Returns the annotated members of a class and its superclasses. A member of a subclass takes precedence.
     *
     * @param type a class, or null
     * @return the members, by the names of their attributes
     * @throws ConfigurationException if an annotation marks the class as an ID, but it is none
     */
    public Map<String, SnowflakeIdMember> in(@Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return Map.of();
        }
        @Nullable Map<String, SnowflakeIdMember> known = byClass.get(type);
        if (known == null) {
            IdType id = IdType.of(type);
            // An abstract class may declare its subclasses to be IDs.
            if (id == null && !Modifier.isAbstract(type.getModifiers())) {
                rejectMark(type);
            }
            known = new HashMap<>(in(type.getSuperclass()));
            SnowflakeId ofType = id == null ? null : id.annotation(SnowflakeId.class);
            if (id != null && id.component() != null && ofType != null) {
                known.put(id.component().getName(), new SnowflakeIdMember(ofType, id.component()));
            }
            addAnnotated(type.getDeclaredMethods(), known);
            addAnnotated(type.getDeclaredFields(), known);
            byClass.put(type, known);
        }
        return known;
    }

    /**
     * Returns the typed IDs that an object of a class may hold or be: annotated types, and types of annotated
     * attributes. Includes type arguments such as the elements of a collection.
     *
     * @param type a class
     * @return the typed IDs, without duplicates
     */
    public Collection<IdType> typedIdsIn(Class<?> type) {
        Map<Class<?>, IdType> ids = new LinkedHashMap<>();
        addTyped(type, false, ids);
        Map<String, SnowflakeIdMember> members = in(type);
        ReflectionUtils.doWithFields(
                type,
                field -> classesIn(ResolvableType.forField(field, type))
                        .forEach(each -> addTyped(each, members.containsKey(field.getName()), ids)),
                field -> !Modifier.isStatic(field.getModifiers()));
        for (SnowflakeIdMember member : members.values()) {
            SnowflakeIdMember.typeOf(member.member()).ifPresent(attribute -> addTyped(attribute, true, ids));
        }
        return ids.values();
    }

    private static void addTyped(Class<?> type, boolean isAnnotated, Map<Class<?>, IdType> ids) {
        IdType id = IdType.of(type);
        if (id != null && id.isTyped() && (isAnnotated || id.isMarked())) {
            ids.put(type, id);
        }
    }

    /**
     * Returns the classes that a declaration consists of.
     *
     * @param declared the type of an attribute, a parameter or a result
     * @return its class, and the classes of its type arguments; the element type of an array
     */
    public static Stream<Class<?>> classesIn(ResolvableType declared) {
        return declared.isArray()
                ? classesIn(declared.getComponentType())
                : Stream.concat(
                        Stream.of(declared.toClass()),
                        Stream.of(declared.getGenerics()).flatMap(SnowflakeIdMembers::classesIn));
    }

    /**
     * Rejects an annotation that declares an entity to be an ID.
     *
     * @param entity the class of the entity
     * @throws ConfigurationException if the class has the annotation
     */
    public static void rejectMark(Class<?> entity) {
        if (IdType.isMarked(entity)) {
            throw MappingErrors.markedObject(entity);
        }
    }

    private static <T extends AccessibleObject & Member> void addAnnotated(
            T[] members, Map<String, SnowflakeIdMember> annotated) {
        for (T member : members) {
            SnowflakeId annotation = member.getAnnotation(SnowflakeId.class);
            // The compiler copies annotations to the bridge method of a getter with a narrower type.
            if (annotation != null && !member.isSynthetic()) {
                annotated.put(SnowflakeIdMember.attributeOf(member), new SnowflakeIdMember(annotation, member));
            }
        }
    }
}
