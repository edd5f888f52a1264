package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.SegmentIdGenerator;
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
    BIG_INTEGER(BigInteger.class),

    /** {@link Integer}, for numbers that end where it does. */
    INTEGER(Integer.class),

    /** {@code int}, for numbers that end where it does. */
    PRIMITIVE_INTEGER(int.class);

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
     * The one for the type of an attribute. An {@link Integer} is let through, if the generator is not known yet: see {@link
     * #requireRoom}.
     *
     * @param javaType its type
     * @param attribute its name
     * @param owner the class that has it, for the message
     * @param annotation what it is annotated with, for the message
     * @return the one for it
     * @throws ConfigurationException if it cannot hold an id
     */
    public static IdType of(Class<?> javaType, String attribute, String owner, String annotation) {
        IdType type = of(javaType);
        if (type == null) {
            throw cannotHold(javaType, attribute, owner, annotation);
        }
        return type;
    }

    /**
     * Sees to it that all ids of a generator fit.
     *
     * @param ids the generator
     * @param generator its name, empty for the one without
     * @param attribute the name of the attribute
     * @param owner the class that has it, for the message
     * @param annotation what it is annotated with, for the message
     * @return this
     * @throws ConfigurationException if this is an {@link Integer}, and there are ids beyond it
     */
    public IdType requireRoom(IdGenerator ids, String generator, String attribute, String owner, String annotation) {
        if (!isInteger()) {
            return this;
        }
        if (!(ids instanceof SegmentIdGenerator numbers)) {
            throw cannotHold(javaType, attribute, owner, annotation);
        }
        if (numbers.end() > Integer.MAX_VALUE) {
            throw new ConfigurationException(
                    Problem.ATTRIBUTE_TYPE,
                    "Attribute '%s' of %s is a %s, but numbers of its generator end at %d"
                            .formatted(attribute, owner, javaType.getTypeName(), numbers.end()),
                    """
                    Let the numbers end where the attribute does:

                    snowflake.%ssegment.max-value: %d

                    or change the type of the attribute:

                    %s
                    private Long %s;""".formatted(
                                    generator.isEmpty() ? "" : "generators." + generator + ".",
                                    Integer.MAX_VALUE,
                                    annotation,
                                    attribute));
        }
        return this;
    }

    private static ConfigurationException cannotHold(
            Class<?> javaType, String attribute, String owner, String annotation) {
        return new ConfigurationException(
                Problem.ATTRIBUTE_TYPE,
                "Attribute '%s' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a %s"
                        .formatted(attribute, owner, javaType.getTypeName()),
                """
                Change the type of the attribute:

                %s
                private Long %s;""".formatted(annotation, attribute));
    }

    /**
     * Whether it holds numbers up to {@link Integer#MAX_VALUE} only.
     *
     * @return for {@link Integer} and {@code int}
     */
    public boolean isInteger() {
        return this == INTEGER || this == PRIMITIVE_INTEGER;
    }

    /**
     * An id in this type.
     *
     * @param id the id
     * @return the same id
     * @throws IllegalArgumentException if it does not fit
     */
    public Object convert(long id) {
        return switch (this) {
            case LONG, PRIMITIVE_LONG -> id;
            case STRING -> Long.toString(id);
            case BIG_INTEGER -> BigInteger.valueOf(id);
            case INTEGER, PRIMITIVE_INTEGER -> toInt(id);
        };
    }

    private static int toInt(long id) {
        if (id != (int) id) {
            throw new IllegalArgumentException(id + " does not fit an Integer");
        }
        return (int) id;
    }

    /**
     * The id that a number holds.
     *
     * @param id a {@link Long}, an {@link Integer} or a {@link BigInteger}
     * @return the same id
     * @throws ArithmeticException if it is beyond a {@code long}
     */
    public static long toLong(Object id) {
        return id instanceof BigInteger big ? big.longValueExact() : ((Number) id).longValue();
    }

    /**
     * Whether the application has put a value there itself. A primitive cannot say that it has none but by 0.
     *
     * @param value of this type
     * @return false if an id is to be made
     */
    public boolean isSet(@Nullable Object value) {
        if (this == PRIMITIVE_INTEGER) {
            return value != null && !value.equals(0);
        }
        return value != null && (this != PRIMITIVE_LONG || !value.equals(0L));
    }
}
