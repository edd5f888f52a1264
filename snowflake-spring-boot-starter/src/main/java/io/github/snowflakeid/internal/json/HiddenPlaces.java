package io.github.snowflakeid.internal.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import java.beans.Introspector;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
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

    /** A place where an attribute may have annotations, with the name of the attribute in Java. */
    private record Place(String name, AnnotatedElement element) {

        boolean isCalled(String json) {
            JsonProperty property = element.getAnnotation(JsonProperty.class);
            return property != null && property.value().equals(json);
        }
    }

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
        List<Place> places = Stream.concat(
                        hierarchy(type).flatMap(each -> Stream.ofNullable(mixIns.apply(each))), Stream.of(type))
                .flatMap(HiddenPlaces::placesIn)
                .toList();
        String json = other.isEmpty() ? name : other;
        Set<String> names = places.stream()
                .filter(place -> place.isCalled(json))
                .map(Place::name)
                .collect(Collectors.toSet());
        names.addAll(List.of(name, json));
        return places.stream()
                .filter(place -> names.contains(place.name))
                .map(Place::element)
                .toList();
    }

    private static Stream<Place> placesIn(Class<?> type) {
        Stream<Field> fields = hierarchy(type).flatMap(each -> Stream.of(each.getDeclaredFields()));
        Stream<Parameter> parameters = hierarchy(type)
                .flatMap(each -> Stream.of(each.getDeclaredConstructors()))
                .map(Constructor::getParameters)
                .flatMap(Stream::of);
        return Stream.of(
                        fields.map(field -> new Place(field.getName(), field)),
                        Stream.of(ReflectionUtils.getAllDeclaredMethods(type)).flatMap(HiddenPlaces::placesOf),
                        parameters.map(parameter -> new Place(parameter.getName(), parameter)))
                .flatMap(places -> places);
    }

    private static Stream<Place> placesOf(Method method) {
        if (method.getParameterCount() == 0) {
            return Stream.of(new Place(SnowflakeIdMember.attributeOf(method), method));
        }
        if (method.getParameterCount() > 1 || !method.getName().startsWith("set")) {
            return Stream.empty();
        }
        String name = Introspector.decapitalize(method.getName().substring("set".length()));
        return Stream.of(new Place(name, method), new Place(name, method.getParameters()[0]));
    }

    static Stream<Class<?>> hierarchy(Class<?> type) {
        return Stream.iterate(type, Objects::nonNull, Class::getSuperclass);
    }
}
