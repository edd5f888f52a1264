package io.github.snowflakeid.internal.mapping;

import java.beans.Introspector;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * An element that may have the annotations of an attribute. Each library reads other elements than the next one.
 *
 * @param attribute the name of the attribute in Java. Elements of one attribute may write it in different cases: both
 *     {@code pId} and {@code PId} have the getter {@code getPId}.
 * @param element a field, a getter, a setter, or a parameter of a setter, a constructor or a factory method
 */
public record AttributePlace(String attribute, AnnotatedElement element) {

    /**
     * Returns the elements of all attributes of a class.
     *
     * @param type a class
     * @return its own and inherited elements, fields first; none for classes of the JDK, and for a class that refers to
     *     a library that is missing
     */
    public static List<AttributePlace> in(Class<?> type) {
        List<AttributePlace> places = new ArrayList<>();
        List<Class<?>> hierarchy = Stream.<Class<?>>iterate(
                        type, each -> each != null && !each.getName().startsWith("java."), Class::getSuperclass)
                .toList();
        try {
            hierarchy.stream()
                    .flatMap(each -> Stream.of(each.getDeclaredFields()))
                    .forEach(field -> places.add(new AttributePlace(field.getName(), field)));
            if (!hierarchy.isEmpty()) {
                Stream.concat(Stream.of(type), ClassUtils.getAllInterfacesForClassAsSet(type).stream())
                        .forEach(each -> ReflectionUtils.doWithMethods(
                                each, method -> add(method, places), method -> !method.isBridge()));
            }
            hierarchy.stream()
                    .flatMap(each -> Stream.of(each.getDeclaredConstructors()))
                    .forEach(constructor -> add(constructor, places));
        } catch (IllegalStateException | TypeNotPresentException | LinkageError e) {
            return List.of();
        }
        return places;
    }

    private static void add(Method method, List<AttributePlace> places) {
        String attribute = attributeOf(method);
        if (!attribute.isEmpty()) {
            places.add(new AttributePlace(attribute, method));
        }
        for (Parameter parameter : method.getParameters()) {
            places.add(new AttributePlace(attribute.isEmpty() ? parameter.getName() : attribute, parameter));
        }
    }

    private static void add(Constructor<?> constructor, List<AttributePlace> places) {
        Parameter[] parameters = constructor.getParameters();
        String[] names = parameterNames(constructor);
        for (int i = 0; i < parameters.length; i++) {
            places.add(new AttributePlace(names[i], parameters[i]));
        }
    }

    /**
     * Returns the names of the attributes that a constructor sets.
     *
     * @param constructor a constructor
     * @return the names of its parameters; made-up names if the compiler did not keep them
     */
    public static String[] parameterNames(Constructor<?> constructor) {
        String[] names =
                Stream.of(constructor.getParameters()).map(Parameter::getName).toArray(String[]::new);
        try {
            // A constructor with value classes has one parameter more than Kotlin knows.
            String[] kept = BeanUtils.getParameterNames(constructor);
            System.arraycopy(kept, 0, names, 0, kept.length);
        } catch (IllegalStateException e) {
            // The compiler did not keep names. Kotlin only knows the second constructor of a class with value classes.
            Stream.of(constructor.getDeclaringClass().getDeclaredConstructors())
                    .filter(each -> each.isSynthetic()
                            && Arrays.equals(
                                    Arrays.copyOf(each.getParameterTypes(), names.length),
                                    constructor.getParameterTypes())
                            && each.getParameterCount() == names.length + 1)
                    .findFirst()
                    .ifPresent(each -> System.arraycopy(parameterNames(each), 0, names, 0, names.length));
        }
        return names;
    }

    /**
     * Returns the attribute that a method gets or sets.
     *
     * @param method any method
     * @return the name of the attribute; empty if there is none
     */
    public static String attributeOf(Method method) {
        if (method.getParameterCount() == 1 && method.getName().startsWith("set")) {
            return Introspector.decapitalize(SnowflakeIdMember.nameOf(method).substring("set".length()));
        }
        return method.getParameterCount() == 0 ? SnowflakeIdMember.attributeOf(method) : "";
    }
}
