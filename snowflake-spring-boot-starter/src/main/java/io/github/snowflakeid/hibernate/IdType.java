package io.github.snowflakeid.hibernate;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The Java types that can hold an id. */
enum IdType {
    LONG(Long.class),
    PRIMITIVE_LONG(long.class),
    STRING(String.class),
    BIG_INTEGER(BigInteger.class);

    private final Class<?> javaType;

    IdType(Class<?> javaType) {
        this.javaType = javaType;
    }

    /** The one for a Java type, or null. */
    static @Nullable IdType of(Class<?> javaType) {
        for (IdType type : values()) {
            if (type.javaType == javaType) {
                return type;
            }
        }
        return null;
    }

    Object convert(long id) {
        return switch (this) {
            case LONG, PRIMITIVE_LONG -> id;
            case STRING -> Long.toString(id);
            case BIG_INTEGER -> BigInteger.valueOf(id);
        };
    }

    /** Whether the application has put a value there itself. A primitive cannot say that it has none but by 0. */
    boolean isSet(Object value) {
        return this != PRIMITIVE_LONG || !value.equals(0L);
    }
}
