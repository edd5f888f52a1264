package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import java.math.BigInteger;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/** Converts ids from and to text where an annotation says how. */
final class IdTextConverter implements ConditionalGenericConverter {

    private final TextForms forms;

    IdTextConverter(TextForms forms) {
        this.forms = forms;
    }

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Set.of(
                new ConvertiblePair(String.class, Long.class),
                new ConvertiblePair(String.class, Integer.class),
                new ConvertiblePair(String.class, BigInteger.class),
                new ConvertiblePair(Long.class, String.class),
                new ConvertiblePair(Integer.class, String.class),
                new ConvertiblePair(BigInteger.class, String.class));
    }

    @Override
    public boolean matches(TypeDescriptor from, TypeDescriptor to) {
        return formOf(isText(from) ? to : from) != null;
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, TypeDescriptor from, TypeDescriptor to) {
        if (value == null) {
            return null;
        }
        TextForm form = Objects.requireNonNull(formOf(isText(from) ? to : from));
        if (!isText(from)) {
            return form.format(IdType.toLong(value));
        }
        String text = (String) value;
        if (text.isEmpty() && !to.isPrimitive()) {
            // As Spring reads an empty field of a form.
            return null;
        }
        return Objects.requireNonNull(TextForms.numberOf(to.getType())).convert(form.parse(text));
    }

    @Nullable
    TextForm formOf(TypeDescriptor type) {
        return forms.of(type::getAnnotation);
    }

    private static boolean isText(TypeDescriptor type) {
        return type.getType() == String.class;
    }
}
