package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.AttributePlace;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import java.beans.PropertyDescriptor;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
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

    private static final List<Class<? extends Annotation>> MARKS =
            List.of(PublicId.class, IdText.class, IdAsString.class, SnowflakeId.class);

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
        IdTextCodec form = Objects.requireNonNull(forms.of(complete(target)::getAnnotation, id));
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
        return write(value, complete(described(owner.getClass(), attribute))::getAnnotation);
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
     * Visits what a request or a body consists of: a type or, if it has attributes, their types and the attributes of
     * these.
     *
     * @param type the type, with its annotations
     * @param where the element that has the type, for messages
     * @param visitor is called with each type that has no attributes, with the annotations of the attribute, and with
     *     the place that has this type
     */
    public void visit(TypeDescriptor type, String where, BiConsumer<TypeDescriptor, String> visitor) {
        visit(type, where, visitor, new HashSet<>());
    }

    private void visit(
            TypeDescriptor read, String where, BiConsumer<TypeDescriptor, String> visitor, Set<Class<?>> visited) {
        TypeDescriptor type = complete(read);
        ResolvableType held = type.getResolvableType();
        Class<?> owner = type.getType();
        ResolvableType[] parts = held.isArray() ? new ResolvableType[] {held.getComponentType()} : held.getGenerics();
        for (ResolvableType part : parts) {
            visit(new TypeDescriptor(part, null, type.getAnnotations()), where, visitor, visited);
        }
        if (parts.length == 0) {
            visitor.accept(type, where);
        }
        IdType id = IdTextCodecs.idType(owner);
        if ((id != null && (!id.isTyped() || id.isMarked()))
                || held.isArray()
                || !visited.add(owner)
                || Stream.of("java.", "jakarta.", "kotlin", "org.springframework.")
                        .anyMatch(owner.getName()::startsWith)) {
            return;
        }
        try {
            visitAttributes(owner, visitor, visited);
        } catch (IllegalStateException | TypeNotPresentException | LinkageError e) {
            // A class of a library that refers to another library, which is missing. Applications do not bind requests
            // to such classes.
        }
    }

    private void visitAttributes(Class<?> owner, BiConsumer<TypeDescriptor, String> visitor, Set<Class<?>> visited) {
        List<Class<?>> others = new ArrayList<>();
        ReflectionUtils.doWithFields(
                owner,
                field -> {
                    visit(new TypeDescriptor(field), field.toString(), visitor, visited);
                    others.addAll(KotlinValueClasses.in(field));
                },
                field -> !Modifier.isStatic(field.getModifiers()));
        if (owner.isSealed()) {
            others.addAll(List.of(owner.getPermittedSubclasses()));
        }
        others.forEach(type -> visit(TypeDescriptor.valueOf(type), owner.getName(), visitor, visited));
        List<Executable> setters = new ArrayList<>(List.of(owner.getDeclaredConstructors()));
        for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(owner)) {
            Method setter = property.getWriteMethod();
            if (setter != null) {
                setters.add(setter);
            }
        }
        for (Executable setter : setters) {
            for (int i = 0; i < setter.getParameterCount(); i++) {
                MethodParameter parameter = setter instanceof Constructor<?> constructor
                        ? MethodParameter.forFieldAwareConstructor(
                                constructor, i, AttributePlace.parameterNames(constructor)[i])
                        : MethodParameter.forExecutable(setter, i);
                visit(new TypeDescriptor(parameter), setter.toString(), visitor, visited);
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
        return formOf(type.getResolvableType(), complete(type)::getAnnotation);
    }

    /**
     * Returns the type of an attribute with the annotations of all its elements. Spring only reads the annotations of the
     * element to which it binds a value.
     *
     * @param type any type, with the annotations that Spring has read
     * @return the same type if no annotation is missing
     */
    public TypeDescriptor complete(TypeDescriptor type) {
        if (type.getSource() instanceof Field field) {
            return complete(type, field.getDeclaringClass(), field.getName());
        }
        if (!(type.getSource() instanceof MethodParameter bound)) {
            return type;
        }
        String attribute = bound.getMethod() == null
                ? forms.placesIn(bound.getDeclaringClass()).stream()
                        .filter(place -> place.element().equals(bound.getParameter()))
                        .findFirst()
                        .map(AttributePlace::attribute)
                        .orElse("")
                : AttributePlace.attributeOf(bound.getMethod());
        return attribute.isEmpty() ? type : complete(type, bound.getContainingClass(), attribute);
    }

    private TypeDescriptor complete(TypeDescriptor type, Class<?> owner, String attribute) {
        AnnotationLookup all = AnnotationLookup.of(forms.placesIn(owner).stream()
                .filter(place -> place.attribute().equalsIgnoreCase(attribute))
                .map(AttributePlace::element)
                .toList());
        Annotation[] missing = MARKS.stream()
                .filter(mark -> !type.hasAnnotation(mark))
                .flatMap(mark -> Stream.ofNullable(all.get(mark)))
                .toArray(Annotation[]::new);
        return missing.length == 0
                ? type
                : new TypeDescriptor(
                        type.getResolvableType(),
                        type.getType(),
                        Stream.of(type.getAnnotations(), missing)
                                .flatMap(Stream::of)
                                .toArray(Annotation[]::new));
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
