package io.github.snowflakeid.internal.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import java.beans.Introspector;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Finds annotations that Jackson does not see, of attributes that it sets by a constructor or through a builder. */
final class HiddenPlaces {

    private HiddenPlaces() {}

    /**
     * Returns where an attribute may have annotations.
     *
     * @param type the class of the objects
     * @param mixIns returns the mix-in of a class, or null
     * @param name the name of the parameter, or of the attribute of the builder, in Java
     * @param other its name in JSON; empty if it is the same
     * @return its field, getters, setters and parameters of constructors, of mix-ins first
     */
    static List<AnnotatedElement> of(
            Class<?> type, Function<Class<?>, @Nullable Class<?>> mixIns, String name, String other) {
        List<AnnotatedElement> members = Stream.concat(
                        hierarchy(type).flatMap(each -> Stream.ofNullable(mixIns.apply(each))), Stream.of(type))
                .flatMap(HiddenPlaces::membersOf)
                .filter(member -> !attributeOf(member).isEmpty())
                .toList();
        String json = other.isEmpty() ? name : other;
        Set<String> names = members.stream()
                .filter(member -> isCalled(json, member))
                .map(HiddenPlaces::attributeOf)
                .collect(Collectors.toSet());
        names.addAll(List.of(name, json));
        return members.stream()
                .filter(member -> names.contains(attributeOf(member)))
                .toList();
    }

    private static boolean isCalled(String json, AnnotatedElement member) {
        JsonProperty property = member.getAnnotation(JsonProperty.class);
        return property != null && property.value().equals(json);
    }

    /**
     * Returns all fields, methods, constructors and their parameters.
     *
     * @param type a class
     * @return its members, also those that it inherits
     */
    static Stream<AnnotatedElement> membersOf(Class<?> type) {
        Stream<Executable> executables = Stream.concat(
                Stream.of(ReflectionUtils.getAllDeclaredMethods(type)),
                hierarchy(type).flatMap(each -> Stream.of(each.getDeclaredConstructors())));
        return Stream.concat(
                hierarchy(type).flatMap(each -> Stream.of(each.getDeclaredFields())),
                executables.flatMap(each -> Stream.concat(Stream.of(each), Stream.of(each.getParameters()))));
    }

    /** Returns the attribute that a member gets or sets; the empty name if there is none. */
    private static String attributeOf(AnnotatedElement member) {
        if (member instanceof Parameter parameter) {
            Executable setter = parameter.getDeclaringExecutable();
            return setter instanceof Method ? attributeOf(setter) : parameter.getName();
        }
        if (member instanceof Method method && method.getParameterCount() > 0) {
            return method.getParameterCount() == 1 && method.getName().startsWith("set")
                    ? Introspector.decapitalize(method.getName().substring("set".length()))
                    : "";
        }
        return member instanceof Constructor ? "" : SnowflakeIdMember.attributeOf((Member) member);
    }

    private static Stream<Class<?>> hierarchy(Class<?> type) {
        return Stream.iterate(type, Objects::nonNull, Class::getSuperclass);
    }
}
