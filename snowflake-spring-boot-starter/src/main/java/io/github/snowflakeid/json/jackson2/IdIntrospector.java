package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.Converter;
import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.internal.text.AnnotationLookup;
import org.jspecify.annotations.Nullable;

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
    public @Nullable Object findSerializer(Annotated member) {
        JsonSerialize other = member.getAnnotation(JsonSerialize.class);
        boolean isReplaced = other != null
                && (other.using() != JsonSerializer.None.class || other.converter() != Converter.None.class);
        return serializer(ids.value(attribute(member), isReplaced), false);
    }

    @Override
    public @Nullable Object findContentSerializer(Annotated member) {
        return serializer(ids.element(attribute(member), member.hasAnnotation(JsonSerialize.class)), false);
    }

    @Override
    public @Nullable Object findKeySerializer(Annotated member) {
        return serializer(keyOf(member), true);
    }

    private static @Nullable Object serializer(@Nullable JsonId id, boolean isKey) {
        return id == null ? null : new IdSerializer(id, isKey);
    }

    @Override
    public @Nullable Object findDeserializer(Annotated member) {
        JsonDeserialize other = member.getAnnotation(JsonDeserialize.class);
        boolean isReplaced = other != null
                && (other.using() != JsonDeserializer.None.class || other.converter() != Converter.None.class);
        return deserializer(ids.value(attribute(member), isReplaced), typeOf(member));
    }

    @Override
    public @Nullable Object findContentDeserializer(Annotated member) {
        return member.hasAnnotation(JsonAnySetter.class)
                ? deserializer(ids.anySetter(attribute(member)), typeOf(member))
                : deserializer(
                        ids.element(attribute(member), member.hasAnnotation(JsonDeserialize.class)),
                        typeOf(member).getContentType());
    }

    @Override
    public @Nullable Object findKeyDeserializer(Annotated member) {
        JsonId id = keyOf(member);
        return id == null ? null : new IdDeserializer.Key(id);
    }

    private static @Nullable Object deserializer(@Nullable JsonId id, JavaType type) {
        return id == null ? null : new IdDeserializer(type, id);
    }

    private @Nullable JsonId keyOf(Annotated member) {
        return member instanceof AnnotatedClass type
                ? ids.keyOf(type.getRawType(), type::getAnnotation)
                : ids.key(
                        attribute(member),
                        member.hasAnnotation(JsonSerialize.class) || member.hasAnnotation(JsonDeserialize.class));
    }

    /**
     * Returns the type of an attribute, which for a setter is the type of its last parameter. Returns the unknown type
     * if Jackson did not resolve it, which happens for some JDK types.
     */
    private static JavaType typeOf(Annotated member) {
        JavaType type = member instanceof AnnotatedMethod setter && setter.getParameterCount() > 0
                ? setter.getParameterType(setter.getParameterCount() - 1)
                : member.getType();
        return type == null ? TypeFactory.unknownType() : type;
    }

    private JsonIds.Attribute attribute(Annotated member) {
        JavaType type = typeOf(member);
        AnnotationLookup own = member::getAnnotation;
        return new JsonIds.Attribute(
                member instanceof AnnotatedClass,
                own.or(elsewhere(member)),
                type.getRawClass(),
                rawClass(type.getContentType()),
                rawClass(type.getKeyType()),
                type.toCanonical());
    }

    private static @Nullable Class<?> rawClass(@Nullable JavaType type) {
        return type == null ? null : type.getRawClass();
    }

    private AnnotationLookup elsewhere(Annotated annotated) {
        return annotated instanceof AnnotatedMember member
                ? ids.elsewhere(
                        member.getMember(),
                        member instanceof AnnotatedParameter parameter ? parameter.getIndex() : -1,
                        member.getAnnotation(JsonProperty.class),
                        type -> null)
                : annotated::getAnnotation;
    }

    @Override
    public @Nullable Class<?> findPOJOBuilder(AnnotatedClass type) {
        JsonDeserialize created = type.getAnnotation(JsonDeserialize.class);
        if (created != null && created.builder() != Void.class) {
            JsonPOJOBuilder builder = created.builder().getAnnotation(JsonPOJOBuilder.class);
            ids.addBuilder(type.getRawType(), created.builder(), builder == null ? "with" : builder.withPrefix());
        }
        return null;
    }
}
