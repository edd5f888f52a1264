package io.github.snowflakeid.pages;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes what others compile against: a line for a type, and a line for each of its members. */
final class ApiDescription {

    private static final Set<String> OF_ALL_TYPES = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    private static final Pattern OWN_PACKAGE = Pattern.compile("io\\.github\\.snowflakeid\\.(?:[a-z]+\\.)*");

    private ApiDescription() {}

    /** Returns the lines of a type and of the types in it. */
    static Stream<String> of(Class<?> type) {
        // Users call methods without knowing which hidden class declares them.
        Stream<Class<?>> declaring = Stream.iterate(
                type, any -> any == type || any != null && !isVisible(any.getModifiers()), Class::getSuperclass);
        Stream<String> members = Stream.of(
                        Stream.of(type.getDeclaredFields()).map(ApiDescription::field),
                        Stream.of(type.getDeclaredConstructors()).map(ApiDescription::constructor),
                        declaring.flatMap(ApiDescription::methods))
                .flatMap(lines -> lines)
                // What needs an internal type is for the starter.
                .filter(line -> !line.isEmpty() && !line.contains("snowflakeid.internal."))
                .map(line -> "    " + OWN_PACKAGE.matcher(line).replaceAll(""))
                .distinct()
                .sorted();
        Stream<String> nested = Stream.of(type.getDeclaredClasses())
                .filter(any -> isVisible(any.getModifiers()))
                .sorted(Comparator.comparing(Class::getName))
                .flatMap(ApiDescription::of);
        return Stream.of(Stream.of(header(type)), members, nested)
                .flatMap(lines -> lines)
                .map(line -> line.replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "").replace('$', '.'));
    }

    private static String header(Class<?> type) {
        String parents = Stream.concat(Stream.of(type.getGenericSuperclass()), Stream.of(type.getGenericInterfaces()))
                .filter(parent -> parent != null && parent != Object.class)
                .map(Type::getTypeName)
                .collect(Collectors.joining(", "));
        // Not all JDKs show whether a type is sealed.
        return deprecated(type)
                + type.toGenericString().replace("sealed ", "")
                + (parents.isEmpty() ? "" : ": " + OWN_PACKAGE.matcher(parents).replaceAll(""));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static Stream<String> methods(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> !OF_ALL_TYPES.contains(method.getName()))
                .map(ApiDescription::method);
    }

    private static String field(Field field) {
        boolean isConstant = isVisible(field.getModifiers())
                && Modifier.isStatic(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            // Class files of users contain the value.
            return line(field, field.toGenericString(), field.getAnnotatedType())
                    + (isConstant ? " = " + field.get(null) : "");
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static String constructor(Constructor<?> constructor) {
        return line(constructor, constructor.toGenericString(), null, constructor.getAnnotatedParameterTypes());
    }

    private static String method(Method method) {
        return line(
                method, method.toGenericString(), method.getAnnotatedReturnType(), method.getAnnotatedParameterTypes());
    }

    /** Returns an empty line for what others cannot use. */
    private static <M extends Member & AnnotatedElement> String line(
            M member, String text, @Nullable AnnotatedType result, AnnotatedType... parameters) {
        if (member.isSynthetic() || !isVisible(member.getModifiers())) {
            return "";
        }
        String nullable = IntStream.rangeClosed(1, parameters.length)
                .filter(number -> parameters[number - 1].isAnnotationPresent(Nullable.class))
                .mapToObj(number -> " @Nullable " + number)
                .collect(Collectors.joining());
        return deprecated(member)
                + (result != null && result.isAnnotationPresent(Nullable.class) ? "@Nullable " : "")
                + text.replace(member.getDeclaringClass().getTypeName() + ".", "")
                + nullable;
    }

    private static String deprecated(AnnotatedElement element) {
        return element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "";
    }
}
