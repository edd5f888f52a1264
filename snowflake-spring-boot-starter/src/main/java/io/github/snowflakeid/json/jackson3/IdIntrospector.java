package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.internal.text.AnnotationLookup;
import java.lang.annotation.Annotation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonPOJOBuilder;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.type.TypeFactory;

/**
 * Chooses serializers and deserializers for attributes that are IDs. Takes precedence over the annotations of Jackson.
 */
@SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
final class IdIntrospector extends NopAnnotationIntrospector {

    private final JsonIds ids;

    IdIntrospector(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated member) {
        return serializer(ids.value(attribute(config, member, JsonSerialize.class)), false);
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated member) {
        return serializer(ids.element(attribute(config, member, JsonSerialize.class)), false);
    }

    @Override
    public @Nullable Object findKeySerializer(MapperConfig<?> config, Annotated member) {
        return serializer(ids.key(attribute(config, member, JsonSerialize.class)), true);
    }

    private static @Nullable Object serializer(@Nullable JsonId id, boolean isKey) {
        return id == null ? null : new IdSerializer(id, isKey);
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated member) {
        return deserializer(ids.value(attribute(config, member, JsonDeserialize.class)));
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated member) {
        return deserializer(ids.element(attribute(config, member, JsonDeserialize.class)));
    }

    private static @Nullable Object deserializer(@Nullable JsonId id) {
        return id == null ? null : new IdDeserializer(id.javaType(), id);
    }

    @Override
    public @Nullable Object findKeyDeserializer(MapperConfig<?> config, Annotated member) {
        JsonId id = ids.key(attribute(config, member, JsonDeserialize.class));
        return id == null ? null : new IdDeserializer.Key(id);
    }

    /** @param replacing the annotation that may specify other serializers or deserializers */
    private JsonIds.Attribute attribute(
            MapperConfig<?> config, Annotated annotated, Class<? extends Annotation> replacing) {
        // The last parameter of a setter is its value.
        JavaType type = annotated instanceof AnnotatedMethod setter && setter.getParameterCount() > 0
                ? setter.getParameterType(setter.getParameterCount() - 1)
                : annotated.getType();
        if (type == null) {
            // Jackson did not resolve it, which happens for some JDK types.
            type = TypeFactory.unknownType();
        }
        AnnotationLookup annotations = annotated::getAnnotation;
        if (annotated instanceof AnnotatedMember member) {
            int index = member instanceof AnnotatedParameter parameter ? parameter.getIndex() : -1;
            annotations = ids.all(annotations, member.getMember(), index, config::findMixInClassFor);
        }
        return new JsonIds.Attribute(
                annotated instanceof AnnotatedClass,
                annotations,
                annotated.getAnnotation(replacing),
                type.getRawClass(),
                rawClass(type.getContentType()),
                rawClass(type.getKeyType()),
                type.toCanonical());
    }

    private static @Nullable Class<?> rawClass(@Nullable JavaType type) {
        return type == null ? null : type.getRawClass();
    }

    @Override
    public @Nullable Class<?> findPOJOBuilder(MapperConfig<?> config, AnnotatedClass type) {
        JsonDeserialize created = type.getAnnotation(JsonDeserialize.class);
        if (created != null && created.builder() != Void.class) {
            JsonPOJOBuilder builder = created.builder().getAnnotation(JsonPOJOBuilder.class);
            ids.addBuilder(type.getRawType(), created.builder(), builder == null ? "with" : builder.withPrefix());
        }
        return null;
    }
}
