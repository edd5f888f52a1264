package io.github.snowflakeid.mapping;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The Java types that can hold an id. */
public enum IdType {

    /** {@link Long}. */
    LONG(Long.class),

    /** {@code long}. */
    PRIMITIVE_LONG(long.class),

    /** {@link String}, in decimal digits. */
    STRING(String.class),

    /** {@link BigInteger}. */
    BIG_INTEGER(BigInteger.class);

    private final Class<?> javaType;

    IdType(Class<?> javaType) {
        this.javaType = javaType;
    }

    /**
     * The one for a Java type.
     *
     * @param javaType any type
     * @return null if it cannot hold an id
     */
    public static @Nullable IdType of(Class<?> javaType) {
        for (IdType type : values()) {
            if (type.javaType == javaType) {
                return type;
            }
        }
        return null;
    }

    /**
     * The one for the type of an attribute.
     *
     * @param javaType its type
     * @param attribute its name
     * @param owner the class that has it, for the message
     * @param annotation what it is annotated with, for the message
     * @return the one for it
     * @throws IdMappingException if it cannot hold an id
     */
    public static IdType of(Class<?> javaType, String attribute, String owner, String annotation) {
        IdType type = of(javaType);
        if (type == null) {
            throw new IdMappingException(
                    "Attribute '%s' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a %s"
                            .formatted(attribute, owner, javaType.getTypeName()),
                    """
                    Change the type of the attribute:

                    %s
                    private Long %s;""".formatted(annotation, attribute));
        }
        return type;
    }

    /**
     * An id in this type.
     *
     * @param id the id
     * @return the same id
     */
    public Object convert(long id) {
        return switch (this) {
            case LONG, PRIMITIVE_LONG -> id;
            case STRING -> Long.toString(id);
            case BIG_INTEGER -> BigInteger.valueOf(id);
        };
    }

    /**
     * The id that a number holds.
     *
     * @param id a {@link Long} or a {@link BigInteger}
     * @return the same id
     * @throws ArithmeticException if it is beyond a {@code long}
     */
    public static long toLong(Object id) {
        return id instanceof BigInteger big ? big.longValueExact() : (Long) id;
    }

    /**
     * Whether the application has put a value there itself. A primitive cannot say that it has none but by 0.
     *
     * @param value of this type
     * @return false if an id is to be made
     */
    public boolean isSet(@Nullable Object value) {
        return value != null && (this != PRIMITIVE_LONG || !value.equals(0L));
    }
}
