package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.SnowflakeId.Text;
import java.beans.Introspector;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * A field or a getter with {@link SnowflakeId}.
 *
 * @param annotation the annotation
 * @param member the field or the getter
 */
public record SnowflakeIdMember(SnowflakeId annotation, Member member) {

    /**
     * Returns the annotation as it appears in source code.
     *
     * @return for example {@code @SnowflakeId("orders")}
     */
    public String written() {
        return written(annotation.value(), annotation.text());
    }

    /**
     * Returns an annotation as it appears in source code.
     *
     * @param generator the name of the generator; empty for the unnamed generator
     * @param text the text form of IDs in a {@code String}
     * @return for example {@code @SnowflakeId("orders")}
     */
    public static String written(String generator, Text text) {
        String name = generator.isEmpty() ? "" : "\"" + generator + "\"";
        if (text == Text.DECIMAL) {
            return generator.isEmpty() ? "@SnowflakeId" : "@SnowflakeId(" + name + ")";
        }
        return "@SnowflakeId(%stext = SnowflakeId.Text.%s)"
                .formatted(generator.isEmpty() ? "" : "value = " + name + ", ", text);
    }

    /**
     * Returns the name of the attribute that a field or a getter stands for.
     *
     * @param member a field, or a method without parameters
     * @return the name of the attribute
     */
    public static String attributeOf(Member member) {
        String name = nameOf(member);
        if (!(member instanceof Method) || member.getDeclaringClass().isRecord()) {
            return name;
        }
        return Introspector.decapitalize(name.startsWith("get") ? name.substring("get".length()) : name);
    }

    /** Returns the name without the suffix that Kotlin appends if the type is a value class. */
    static String nameOf(Member member) {
        return member.getName().replaceFirst("-.*", "");
    }

    /**
     * Returns the declared type, which distinguishes a {@code long} from a {@code Long}.
     *
     * @param member a field, or a method without parameters
     * @return the type; empty for a type variable
     */
    public static Optional<Class<?>> typeOf(Member member) {
        return (member instanceof Method getter ? getter.getGenericReturnType() : ((Field) member).getGenericType())
                        instanceof Class<?> type
                ? Optional.of(type)
                : Optional.empty();
    }
}
