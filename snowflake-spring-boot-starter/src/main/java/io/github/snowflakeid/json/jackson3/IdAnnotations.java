package io.github.snowflakeid.json.jackson3;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.mapping.IdType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/** Which attributes are ids that are strings in JSON. Annotations of Jackson beside ours come first. */
final class IdAnnotations extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    private final boolean allIds;

    IdAnnotations(boolean allIds) {
        this.allIds = allIds;
    }

    @Override
    public JsonFormat.@Nullable Value findFormat(MapperConfig<?> config, Annotated attribute) {
        return isString(attribute) ? JsonFormat.Value.forShape(JsonFormat.Shape.STRING) : null;
    }

    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated attribute) {
        return isString(attribute) ? serializer(attribute.getType()) : null;
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated attribute) {
        return isString(attribute) ? serializer(attribute.getType().getContentType()) : null;
    }

    private static @Nullable Object serializer(@Nullable JavaType type) {
        return type != null && type.hasRawClass(long[].class) ? new IdArraySerializer() : null;
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated attribute) {
        return isString(attribute) ? deserializer(written(attribute)) : null;
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated attribute) {
        // An array of primitives takes no other reader of its elements: it has one of its own.
        return isString(attribute) && !written(attribute).hasRawClass(long[].class)
                ? deserializer(written(attribute).getContentType())
                : null;
    }

    private static @Nullable ValueDeserializer<?> deserializer(@Nullable JavaType type) {
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
