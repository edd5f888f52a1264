package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.internal.mapping.IdType;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/** Converts IDs from and to text if an annotation chooses a text form. Safe for use by any number of threads. */
public final class IdTextConverter implements ConditionalGenericConverter {

    private final IdTextCodecs forms;

    /**
     * Creates a converter.
     *
     * @param forms the text forms of the application
     */
    public IdTextConverter(IdTextCodecs forms) {
        this.forms = forms;
    }

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
            Object plain = id.unwrap(value);
            return plain == null || id.isText() ? plain : form.format(IdType.toLong(plain));
        }
        String text = (String) value;
        if (text.isEmpty() && !to.isPrimitive()) {
            // Spring also converts empty form fields to null.
            return null;
        }
        return id.isText() ? id.wrap(text) : id.convert(form.parse(text));
    }

    /**
     * Returns the text form of an ID, or of each of several IDs.
     *
     * @param type the type of an attribute or a parameter, with its annotations
     * @return the text form; null if conversion is left to Spring
     */
    public @Nullable IdTextCodec formOf(TypeDescriptor type) {
        IdType id = idTypeIn(type.getResolvableType());
        return id == null ? forms.of(type::getAnnotation) : forms.of(type::getAnnotation, id);
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
