package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.SnowflakeId;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Member;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Finds the fields and getters with {@link SnowflakeId}. Inspects each class once. Safe for use by any number of threads. */
public final class SnowflakeIdMembers {

    private final Map<Class<?>, Map<String, SnowflakeIdMember>> byClass = new ConcurrentHashMap<>();

    /** Creates a finder that has not inspected any class. */
    public SnowflakeIdMembers() {}

    /**
     * Returns the annotated members of a class and its superclasses. A member of a subclass takes precedence.
     *
     * @param type a class, or null
     * @return the members, by the names of their attributes
     */
    public Map<String, SnowflakeIdMember> in(@Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return Map.of();
        }
        @Nullable Map<String, SnowflakeIdMember> known = byClass.get(type);
        if (known == null) {
            Map<String, SnowflakeIdMember> declared = new HashMap<>();
            addAnnotated(type.getDeclaredMethods(), declared);
            addAnnotated(type.getDeclaredFields(), declared);
            known = with(declared, in(type.getSuperclass()));
            byClass.put(type, known);
        }
        return known;
    }

    private static Map<String, SnowflakeIdMember> with(
            Map<String, SnowflakeIdMember> declared, Map<String, SnowflakeIdMember> inherited) {
        if (declared.isEmpty()) {
            return inherited;
        }
        Map<String, SnowflakeIdMember> all = new HashMap<>(inherited);
        all.putAll(declared);
        return all;
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
