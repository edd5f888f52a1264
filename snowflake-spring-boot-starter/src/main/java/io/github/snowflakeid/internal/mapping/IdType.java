package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.SnowflakeId.Text;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.text.IdFormat;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A Java type that can hold an ID. A plain type is {@code long}, {@link Long}, {@code int}, {@link Integer},
 * {@link String} or {@link BigInteger}. A typed ID is a record, a Kotlin value or data class, or any other class with
 * exactly one attribute, if that attribute is plain and is the only parameter of a constructor. It wraps that
 * attribute, its component.
 *
 * <p>Not every class of that shape is meant for IDs. Either the class or the attribute that has the class as its type
 * must be {@linkplain #isMarked() annotated}. An annotation on the component makes the component an ID, and the class
 * an object that has one.
 *
 * @param javaType the type of attributes, for example a record
 * @param plainType the type of the component, or the Java type itself if it is plain
 * @param component the field that holds the ID; null if the type is plain
 * @param constructor the constructor that takes the component; null if the type is plain
 * @param text the text form of IDs in a {@code String}
 */
public record IdType(
        Class<?> javaType,
        Class<?> plainType,
        @Nullable Field component,
        @Nullable Constructor<?> constructor,
        Text text) {

    private static final Set<Class<?>> PLAIN =
            Set.of(long.class, Long.class, int.class, Integer.class, String.class, BigInteger.class);

    /** The prefix of fields that Hibernate's bytecode enhancement adds. */
    private static final String ENHANCED = "$$_hibernate_";

    /** Annotations that mark a class as an ID, or are on annotations that do. */
    private static final List<Class<? extends Annotation>> MARKS = List.of(SnowflakeId.class, IdMark.class);

    /**
     * Returns the plain ID type for a Java type.
     *
     * @param javaType any type
     * @return the ID type; null if the type is not a plain ID type
     */
    public static @Nullable IdType plain(Class<?> javaType) {
        return PLAIN.contains(javaType) ? new IdType(javaType, javaType, null, null, Text.DECIMAL) : null;
    }

    /**
     * Returns the plain or typed ID type for a Java type.
     *
     * @param javaType any type
     * @return the ID type; null if the type cannot hold an ID
     */
    public static @Nullable IdType of(Class<?> javaType) {
        IdType plain = plain(javaType);
        return plain == null ? typed(javaType) : plain;
    }

    private static @Nullable IdType typed(Class<?> javaType) {
        IdType type = wrapper(javaType);
        return type == null || type.hasMarkedComponent() ? null : type;
    }

    /**
     * Returns the type of a class that wraps a plain value, whether or not that value is an attribute with an
     * annotation.
     */
    private static @Nullable IdType wrapper(Class<?> javaType) {
        // JDK classes such as AtomicLong have the same shape.
        if (javaType.getName().startsWith("java.") || Modifier.isAbstract(javaType.getModifiers())) {
            return null;
        }
        List<Field> components = new ArrayList<>();
        Constructor<?>[] constructors;
        try {
            ReflectionUtils.doWithFields(
                    javaType,
                    components::add,
                    field -> !Modifier.isStatic(field.getModifiers())
                            && !field.getName().startsWith(ENHANCED));
            constructors = javaType.getDeclaredConstructors();
        } catch (IllegalStateException | LinkageError e) {
            // A class of a library that refers to another library, which is missing.
            return null;
        }
        if (components.size() != 1 || !PLAIN.contains(components.get(0).getType())) {
            return null;
        }
        Field component = components.get(0);
        for (Constructor<?> constructor : constructors) {
            if (Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {component.getType()})) {
                // An inaccessible class of another module is not an ID type of the application.
                return constructor.trySetAccessible() && component.trySetAccessible()
                        ? new IdType(javaType, component.getType(), component, constructor, Text.DECIMAL)
                        : null;
            }
        }
        return null;
    }

    /**
     * Returns the ID type of an attribute. An {@link Integer} is accepted as long as the generator is not known: see
     * {@link #requireRoom}.
     *
     * @param javaType the type of the attribute
     * @param attribute the name of the attribute
     * @param owner the class that declares the attribute, for the message
     * @param annotation the annotation of the attribute, for the message
     * @return the ID type
     * @throws ConfigurationException if the type cannot hold an ID
     */
    public static IdType of(Class<?> javaType, String attribute, String owner, String annotation) {
        IdType type = of(javaType);
        if (type == null) {
            requireMarkOnType(javaType, attribute, owner);
            throw cannotHold(javaType, attribute, owner, annotation);
        }
        return type;
    }

    /**
     * Returns this type with the text form that annotations choose.
     *
     * @param annotation the annotation of the attribute; unless its text form is {@code DECIMAL}, it overrides the form
     *     that a typed ID declares
     * @param attribute the name of the attribute
     * @param owner the class that declares the attribute, for the message
     * @return a type whose {@link #convert} writes text in that form
     * @throws ConfigurationException if a text form is chosen, but this type does not hold text
     */
    public IdType withText(SnowflakeId annotation, String attribute, String owner) {
        @Nullable SnowflakeId ofType = annotation(SnowflakeId.class);
        Text chosen = annotation.text() == Text.DECIMAL && ofType != null ? ofType.text() : annotation.text();
        if (chosen == Text.DECIMAL) {
            return this;
        }
        if (!isText()) {
            throw Problem.ATTRIBUTE_TYPE.exception(
                    "Attribute '%s' of %s holds a %s, but 'text = SnowflakeId.Text.%s' applies only to a String"
                            .formatted(attribute, owner, plainType.getTypeName(), chosen),
                    """
                    Change the type of the attribute to String, or remove 'text' from the annotation:

                    %s""".formatted(SnowflakeIdMember.written(annotation.value(), Text.DECIMAL)));
        }
        return new IdType(javaType, plainType, component, constructor, chosen);
    }

    /**
     * Checks that all IDs of a generator fit into this type.
     *
     * @param ids the generator
     * @param generator the name of the generator; empty for the unnamed generator
     * @param attribute the name of the attribute
     * @param owner the class that declares the attribute, for the message
     * @param annotation the annotation of the attribute, for the message
     * @return this
     * @throws ConfigurationException if this type holds an {@link Integer}, and the generator can issue greater IDs
     */
    public IdType requireRoom(IdGenerator ids, String generator, String attribute, String owner, String annotation) {
        if (!isInteger() || ids.maxId() <= Integer.MAX_VALUE) {
            return this;
        }
        if (ids instanceof SegmentIdGenerator numbers) {
            throw Problem.ATTRIBUTE_TYPE.exception(
                    "Attribute '%s' of %s is a %s, but its generator issues numbers up to %s"
                            .formatted(attribute, owner, javaType.getTypeName(), numbers.maxId()),
                    """
                    Limit the numbers to the range of the attribute:

                    snowflake.%ssegment.max-value: %s

                    or change the type of the attribute:

                    %s
                    private Long %s;""".formatted(
                                    generator.isEmpty() ? "" : "generators." + generator + ".",
                                    Integer.MAX_VALUE,
                                    annotation,
                                    attribute));
        }
        throw cannotHold(javaType, attribute, owner, annotation);
    }

    private static ConfigurationException cannotHold(
            Class<?> javaType, String attribute, String owner, String annotation) {
        return Problem.ATTRIBUTE_TYPE.exception(
                "Attribute '%s' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a %s"
                        .formatted(attribute, owner, javaType.getTypeName()),
                """
                Change the type of the attribute:

                %s
                private Long %s;""".formatted(annotation, attribute));
    }

    /**
     * Returns whether this type holds numbers up to {@link Integer#MAX_VALUE} only.
     *
     * @return true for {@link Integer}, {@code int}, and types that wrap one of them
     */
    public boolean isInteger() {
        return plainType == Integer.class || plainType == int.class;
    }

    /**
     * Returns whether this type holds text rather than a number.
     *
     * @return true for {@link String}, and types that wrap one
     */
    public boolean isText() {
        return plainType == String.class;
    }

    /**
     * Returns whether this type wraps a component.
     *
     * @return false for the plain types
     */
    public boolean isTyped() {
        return component != null;
    }

    /**
     * Returns whether an annotation marks the type as an ID wherever it occurs.
     *
     * @return false for plain types
     */
    public boolean isMarked() {
        return isMarked(javaType);
    }

    /**
     * Returns whether an annotation marks a class as an ID.
     *
     * @param type any class
     * @return true also if the class is no ID type, which is a mistake
     */
    static boolean isMarked(Class<?> type) {
        return MARKS.stream().anyMatch(mark -> AnnotatedElementUtils.hasAnnotation(type, mark));
    }

    /**
     * Returns an annotation of the type.
     *
     * @param <A> the type of the annotation
     * @param annotation the type of the annotation
     * @return the annotation; null if there is none, or if the type is plain
     */
    public <A extends Annotation> @Nullable A annotation(Class<A> annotation) {
        return AnnotationUtils.findAnnotation(javaType, annotation);
    }

    /**
     * Whether the component is an attribute with an annotation: on its field, its getter, or the parameter of the
     * constructor.
     */
    private boolean hasMarkedComponent() {
        if (component == null || constructor == null || isMarked()) {
            return false;
        }
        return Stream.concat(
                        Stream.of(constructor.getParameters()),
                        AttributePlace.in(javaType).stream()
                                .filter(place -> place.attribute().equals(component.getName()))
                                .map(AttributePlace::element))
                .anyMatch(element -> MARKS.stream().anyMatch(mark -> AnnotatedElementUtils.isAnnotated(element, mark)));
    }

    /**
     * Rejects the type of an ID if the annotation is on the component of the type instead of on the type.
     *
     * @param javaType the type of the attribute
     * @param attribute the name of the attribute
     * @param owner the class that declares the attribute, for the message
     * @throws ConfigurationException if only the component is annotated
     */
    public static void requireMarkOnType(Class<?> javaType, String attribute, String owner) {
        IdType type = wrapper(javaType);
        if (type != null && type.component() != null && type.hasMarkedComponent()) {
            throw MappingErrors.markedComponent(
                    attribute, owner, javaType, type.component().getName());
        }
    }

    /**
     * Wraps a plain value.
     *
     * @param value a value of the plain type
     * @return an object of the Java type; the value itself if the type is plain
     * @throws RuntimeException if the constructor rejects the value
     */
    public Object wrap(Object value) {
        if (constructor == null) {
            return value;
        }
        try {
            return constructor.newInstance(value);
        } catch (ReflectiveOperationException e) {
            ReflectionUtils.handleReflectionException(e);
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the plain value of an object.
     *
     * @param object an object of the Java type, or null
     * @return the plain value; null if the object is null or holds null
     */
    public @Nullable Object unwrap(@Nullable Object object) {
        return object == null || component == null ? object : ReflectionUtils.getField(component, object);
    }

    /**
     * Converts an ID to this type.
     *
     * @param id the ID
     * @return an object of the Java type
     * @throws IllegalArgumentException if the ID does not fit
     */
    public Object convert(long id) {
        if (isText()) {
            return wrap(text == Text.CROCKFORD ? IdFormat.CROCKFORD.format(id) : Long.toString(id));
        }
        if (plainType == BigInteger.class) {
            return wrap(BigInteger.valueOf(id));
        }
        if (isInteger() && id != (int) id) {
            throw new IllegalArgumentException(id + " does not fit into an Integer");
        }
        return isInteger() ? wrap((int) id) : wrap(id);
    }

    /**
     * Returns the ID that a number holds.
     *
     * @param id a {@link Long}, an {@link Integer} or a {@link BigInteger}
     * @return the ID
     * @throws ArithmeticException if the number exceeds a {@code long}
     */
    public static long toLong(Object id) {
        return id instanceof BigInteger big ? big.longValueExact() : ((Number) id).longValue();
    }

    /**
     * Returns whether the application has set a value. A primitive value of 0 counts as not set.
     *
     * @param value a value of the Java type
     * @return false if an ID must be generated
     */
    public boolean isSet(@Nullable Object value) {
        Object plain = unwrap(value);
        return plain != null && !(plainType.isPrimitive() && ((Number) plain).longValue() == 0);
    }
}
