package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.SnowflakeId;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Member;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The fields and getters with {@link SnowflakeId}. Looks at each class once. Safe for use by any number of threads. */
public final class AnnotatedMembers {

    private final Map<Class<?>, Map<String, AnnotatedMember>> byClass = new ConcurrentHashMap<>();

    /** Makes one that has looked at no class. */
    public AnnotatedMembers() {}

    /**
     * Those of a class and of what it extends; a subclass has the last word.
     *
     * @param type a class; null for none
     * @return by the name of the attribute
     */
    public Map<String, AnnotatedMember> in(@Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return Map.of();
        }
        @Nullable Map<String, AnnotatedMember> known = byClass.get(type);
        if (known == null) {
            Map<String, AnnotatedMember> declared = new HashMap<>();
            addAnnotated(type.getDeclaredMethods(), declared);
            addAnnotated(type.getDeclaredFields(), declared);
            known = with(declared, in(type.getSuperclass()));
            byClass.put(type, known);
        }
        return known;
    }

    private static Map<String, AnnotatedMember> with(
            Map<String, AnnotatedMember> declared, Map<String, AnnotatedMember> inherited) {
        if (declared.isEmpty()) {
            return inherited;
        }
        Map<String, AnnotatedMember> all = new HashMap<>(inherited);
        all.putAll(declared);
        return all;
    }

    private static <T extends AccessibleObject & Member> void addAnnotated(
            T[] members, Map<String, AnnotatedMember> annotated) {
        for (T member : members) {
            SnowflakeId annotation = member.getAnnotation(SnowflakeId.class);
            // The compiler annotates the bridge to a getter of a narrower type as well.
            if (annotation != null && !member.isSynthetic()) {
                annotated.put(AnnotatedMember.attributeOf(member), new AnnotatedMember(annotation, member));
            }
        }
    }
}
