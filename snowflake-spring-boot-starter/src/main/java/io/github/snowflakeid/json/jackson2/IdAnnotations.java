package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.mapping.IdType;
import org.jspecify.annotations.Nullable;

/** Which attributes are ids that are strings in JSON. Annotations of Jackson beside ours come first. */
final class IdAnnotations extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    private final boolean allIds;

    IdAnnotations(boolean allIds) {
        this.allIds = allIds;
    }

    @Override
    public JsonFormat.@Nullable Value findFormat(Annotated attribute) {
        return isString(attribute) ? JsonFormat.Value.forShape(JsonFormat.Shape.STRING) : null;
    }

    @Override
    public @Nullable Object findSerializer(Annotated attribute) {
        return isString(attribute) ? serializer(attribute.getType()) : null;
    }

    @Override
    public @Nullable Object findContentSerializer(Annotated attribute) {
        return isString(attribute) ? serializer(attribute.getType().getContentType()) : null;
    }

    private static @Nullable Object serializer(@Nullable JavaType type) {
        return type != null && type.hasRawClass(long[].class) ? new IdArraySerializer() : null;
    }

    @Override
    public @Nullable Object findDeserializer(Annotated attribute) {
        return isString(attribute) ? deserializer(written(attribute)) : null;
    }

    @Override
    public @Nullable Object findContentDeserializer(Annotated attribute) {
        // An array of primitives takes no other reader of its elements: it has one of its own.
        return isString(attribute) && !written(attribute).hasRawClass(long[].class)
                ? deserializer(written(attribute).getContentType())
                : null;
    }

    private static @Nullable JsonDeserializer<?> deserializer(@Nullable JavaType type) {
        if (type == null) {
            return null;
        }
        if (type.hasRawClass(long[].class)) {
            return new IdArrayDeserializer();
        }
        @Nullable IdType id = IdType.of(type.getRawClass());
        return id == null || id == IdType.STRING ? null : new IdDeserializer(id, type.getRawClass());
    }

    /** What an attribute is set to, which a setter does not return. */
    private static JavaType written(Annotated attribute) {
        return attribute instanceof AnnotatedMethod setter && setter.getParameterCount() == 1
                ? setter.getParameterType(0)
                : attribute.getType();
    }

    private boolean isString(Annotated attribute) {
        return attribute.hasAnnotation(IdAsString.class) || (allIds && attribute.hasAnnotation(SnowflakeId.class));
    }
}
