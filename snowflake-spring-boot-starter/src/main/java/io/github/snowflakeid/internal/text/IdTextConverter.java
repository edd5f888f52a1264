package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import java.beans.PropertyDescriptor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.Property;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.util.CollectionUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Converts IDs from and to text if an annotation chooses a text form. Safe for use by any number of threads.
 *
 * @param forms the text forms of the application
 */
public record IdTextConverter(IdTextCodecs forms) implements ConditionalGenericConverter {

    /** Includes {@link Object}, because a typed ID may be any class. */
    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Stream.of(Long.class, Integer.class, BigInteger.class, Object.class)
                .flatMap(id -> Stream.of(new ConvertiblePair(String.class, id), new ConvertiblePair(id, String.class)))
                .collect(Collectors.toSet());
    }

    @Override
    public boolean matches(TypeDescriptor from, TypeDescriptor to) {
        TypeDescriptor id = isText(from) ? to : from;
        return IdTextCodecs.idType(id.getObjectType()) != null && formOf(id) != null;
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, TypeDescriptor from, TypeDescriptor to) {
        if (value == null) {
            return null;
        }
        TypeDescriptor target = isText(from) ? to : from;
        IdType id = Objects.requireNonNull(IdTextCodecs.idType(target.getType()));
        IdTextCodec form = Objects.requireNonNull(forms.of(target::getAnnotation, id));
        if (!isText(from)) {
            return form.write(id, value);
        }
        // Spring also converts empty form fields to null.
        return value.equals("") && !to.isPrimitive() ? null : form.read(id, (String) value);
    }

    /**
     * Returns a value with each ID in its text form. For libraries that pass on values without the annotations of their
     * attributes.
     *
     * @param value any value
     * @param annotations the annotations of the attribute or parameter that has the value
     * @return the text of an ID; a list for an array or a collection; a map with the same keys for a map; any other
     *     value as it is
     */
    public @Nullable Object write(@Nullable Object value, AnnotationLookup annotations) {
        Object one = ObjectUtils.unwrapOptional(value);
        if (one instanceof Collection<?> || ObjectUtils.isArray(one)) {
            return CollectionUtils.arrayToList(one instanceof Collection<?> several ? several.toArray() : one).stream()
                    .map(each -> write(each, annotations))
                    .toList();
        }
        if (one instanceof Map<?, ?> several) {
            Map<Object, @Nullable Object> texts = new LinkedHashMap<>(several);
            texts.replaceAll((key, each) -> write(each, annotations));
            return texts;
        }
        IdType id = one == null ? null : IdTextCodecs.idType(one.getClass());
        IdTextCodec form = id == null ? null : forms.of(annotations, id);
        return one == null || id == null || form == null ? one : form.write(id, one);
    }

    /**
     * Returns the value of an attribute with each ID in its text form.
     *
     * @param value the value
     * @param owner the object that has the attribute
     * @param attribute the name of the attribute
     * @return as {@link #write(Object, AnnotationLookup)}
     */
    public @Nullable Object write(@Nullable Object value, Object owner, String attribute) {
        return write(value, described(owner.getClass(), attribute)::getAnnotation);
    }

    /**
     * Returns an attribute with the annotations of its field, getter and setter.
     *
     * @param owner the class that has the attribute
     * @param attribute the name of the attribute
     * @return its type; the class itself if it has no such attribute
     */
    public static TypeDescriptor described(Class<?> owner, String attribute) {
        PropertyDescriptor property = BeanUtils.getPropertyDescriptor(owner, attribute);
        if (property != null && property.getReadMethod() != null) {
            return new TypeDescriptor(
                    new Property(owner, property.getReadMethod(), property.getWriteMethod(), attribute));
        }
        Field field = ReflectionUtils.findField(owner, attribute);
        return field == null ? TypeDescriptor.valueOf(owner) : new TypeDescriptor(field);
    }

    /**
     * Visits what a request is bound to: a parameter or, if it is an object, its attributes and their attributes.
     *
     * @param type the type of the parameter, with its annotations
     * @param where the parameter, for messages
     * @param visitor is called with each type that has no attributes, and with the place that has this type
     */
    public static void visit(TypeDescriptor type, String where, BiConsumer<TypeDescriptor, String> visitor) {
        visit(type, where, visitor, new HashSet<>());
    }

    private static void visit(
            TypeDescriptor type, String where, BiConsumer<TypeDescriptor, String> visitor, Set<Class<?>> visited) {
        ResolvableType held = type.getResolvableType();
        Class<?> owner = type.getType();
        ResolvableType[] parts = held.isArray() ? new ResolvableType[] {held.getComponentType()} : held.getGenerics();
        for (ResolvableType part : parts) {
            visit(new TypeDescriptor(part, null, type.getAnnotations()), where, visitor, visited);
        }
        if (parts.length == 0) {
            visitor.accept(type, where);
        }
        if (IdTextCodecs.idType(owner) != null
                || held.isArray()
                || !visited.add(owner)
                || Stream.of("java.", "jakarta.", "org.springframework.").anyMatch(owner.getName()::startsWith)) {
            return;
        }
        try {
            visitAttributes(owner, visitor, visited);
        } catch (IllegalStateException | TypeNotPresentException | LinkageError e) {
            // A class of a library that refers to another library, which is missing. Applications do not bind requests
            // to such classes.
        }
    }

    private static void visitAttributes(
            Class<?> owner, BiConsumer<TypeDescriptor, String> visitor, Set<Class<?>> visited) {
        ReflectionUtils.doWithFields(
                owner,
                field -> visit(new TypeDescriptor(field), field.toString(), visitor, visited),
                field -> !Modifier.isStatic(field.getModifiers()));
        List<Executable> setters = new ArrayList<>(List.of(owner.getDeclaredConstructors()));
        for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(owner)) {
            Method setter = property.getWriteMethod();
            if (setter != null) {
                Property attribute = new Property(owner, property.getReadMethod(), setter, property.getName());
                visit(new TypeDescriptor(attribute), setter.toString(), visitor, visited);
                setters.add(setter);
            }
        }
        for (Executable setter : setters) {
            for (int i = 0; i < setter.getParameterCount(); i++) {
                TypeDescriptor parameter = new TypeDescriptor(MethodParameter.forExecutable(setter, i));
                visit(parameter, setter.toString(), visitor, visited);
            }
        }
    }

    /**
     * Rejects an annotation where it cannot have an effect.
     *
     * @param annotations the annotations of an element that is written and read without them
     * @param where the element, for the message
     * @param problem why an annotation has no effect; continues a sentence about it
     * @throws ConfigurationException if there is an annotation that chooses a text form
     */
    public void reject(AnnotationLookup annotations, String where, String problem) {
        IdTextCodec form = forms.of(annotations);
        if (form != null) {
            throw PublicIdErrors.misplaced(form, where, problem);
        }
    }

    /**
     * Returns the text form of an ID, or of each of several IDs.
     *
     * @param type the type of an attribute or a parameter, with its annotations
     * @return the text form; null if conversion is left to Spring
     */
    public @Nullable IdTextCodec formOf(TypeDescriptor type) {
        return formOf(type.getResolvableType(), type::getAnnotation);
    }

    /**
     * Returns the text form of an ID, or of each of several IDs.
     *
     * @param type the type of an attribute or a parameter
     * @param annotations its annotations
     * @return the text form; null if conversion is left to Spring
     */
    public @Nullable IdTextCodec formOf(ResolvableType type, AnnotationLookup annotations) {
        IdType id = idTypeIn(type);
        return id == null ? forms.of(annotations) : forms.of(annotations, id);
    }

    /**
     * Returns the ID type of a type, or of the elements of an array, a collection or an {@link Optional}.
     *
     * @param type any type
     * @return the ID type; null if the type does not hold IDs
     */
    public static @Nullable IdType idTypeIn(ResolvableType type) {
        ResolvableType several = type.resolve() == Optional.class ? type.getGeneric() : type;
        ResolvableType id = several.isArray()
                ? several.getComponentType()
                : Collection.class.isAssignableFrom(several.resolve(Object.class))
                        ? several.asCollection().getGeneric()
                        : several;
        return IdTextCodecs.idType(id.resolve(Object.class));
    }

    private static boolean isText(TypeDescriptor type) {
        return type.getType() == String.class;
    }
}
