package io.github.snowflakeid.json.jackson3;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/** Which attributes are ids that are text in JSON: in a form of their own, else strings of digits. Annotations of Jackson beside ours come first. */
final class IdAnnotations extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    private final boolean allIds;

    @SuppressWarnings("serial") // A mapper that was written and read again has no application to ask.
    private final TextForms forms;

    IdAnnotations(boolean allIds, TextForms forms) {
        this.allIds = allIds;
        this.forms = forms;
    }

    @Override
    public JsonFormat.@Nullable Value findFormat(MapperConfig<?> config, Annotated attribute) {
        return isString(attribute) ? JsonFormat.Value.forShape(JsonFormat.Shape.STRING) : null;
    }

    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated attribute) {
        JavaType type = attribute.getType();
        @Nullable TextForm form = formOf(attribute);
        if (form != null && holdsNoIds(type)) {
            return new IdSerializer(form, type);
        }
        return form != null || isString(attribute) ? serializer(type, form) : null;
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated attribute) {
        JavaType type = attribute.getType();
        @Nullable TextForm form = formOf(attribute);
        return (form != null || isString(attribute)) && !type.hasRawClass(long[].class)
                ? serializer(type.getContentType(), form)
                : null;
    }

    private static @Nullable Object serializer(@Nullable JavaType type, @Nullable TextForm form) {
        if (type == null) {
            return null;
        }
        if (type.hasRawClass(long[].class)) {
            return new IdArraySerializer(form == null ? Long::toString : form::format);
        }
        return form == null || TextForms.numberOf(type.getRawClass()) == null ? null : new IdSerializer(form, type);
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated attribute) {
        JavaType type = written(attribute);
        @Nullable TextForm form = formOf(attribute);
        if (form != null && holdsNoIds(type)) {
            return new IdDeserializer(type, form);
        }
        return form != null || isString(attribute) ? deserializer(type, form) : null;
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated attribute) {
        JavaType type = written(attribute);
        @Nullable TextForm form = formOf(attribute);
        // An array of primitives takes no other reader of its elements: it has one of its own.
        return (form != null || isString(attribute)) && !type.hasRawClass(long[].class)
                ? deserializer(type.getContentType(), form)
                : null;
    }

    private static @Nullable ValueDeserializer<?> deserializer(@Nullable JavaType type, @Nullable TextForm form) {
        if (type == null) {
            return null;
        }
        if (type.hasRawClass(long[].class)) {
            return new IdArrayDeserializer(type, form);
        }
        return TextForms.numberOf(type.getRawClass()) == null ? null : new IdDeserializer(type, form);
    }

    /** What an attribute is set to, which a setter does not return. */
    private static JavaType written(Annotated attribute) {
        return attribute instanceof AnnotatedMethod setter && setter.getParameterCount() == 1
                ? setter.getParameterType(0)
                : attribute.getType();
    }

    private @Nullable TextForm formOf(Annotated attribute) {
        return forms.of(attribute.getAnnotation(PublicId.class), attribute.getAnnotation(IdText.class));
    }

    /**
     * Whether an annotation stands on something else. The error waits for a value: else Spring would take another mapper, which knows
     * nothing of the annotation, and writes numbers.
     */
    private static boolean holdsNoIds(JavaType type) {
        return !isIdOrArray(type) && !isIdOrArray(type.getContentType());
    }

    private static boolean isIdOrArray(@Nullable JavaType type) {
        return type != null && (type.hasRawClass(long[].class) || TextForms.numberOf(type.getRawClass()) != null);
    }

    private boolean isString(Annotated attribute) {
        return attribute.hasAnnotation(IdAsString.class) || (allIds && attribute.hasAnnotation(SnowflakeId.class));
    }
}
