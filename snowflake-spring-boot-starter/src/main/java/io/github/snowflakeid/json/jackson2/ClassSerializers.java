package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.introspect.ObjectIdInfo;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerBuilder;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.impl.ObjectIdWriter;
import com.fasterxml.jackson.databind.ser.impl.PropertyBasedObjectIdGenerator;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.databind.ser.std.JsonValueSerializer;
import io.github.snowflakeid.publicid.TextForm;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes text where Jackson writes an id as what stands for its object, or refuses to write. */
final class ClassSerializers extends BeanSerializerModifier {

    private static final long serialVersionUID = 1L;

    private final IdAnnotations annotations;

    ClassSerializers(IdAnnotations annotations) {
        this.annotations = annotations;
    }

    @Override
    public BeanSerializerBuilder updateBuilder(
            SerializationConfig config, BeanDescription type, BeanSerializerBuilder builder) {
        ObjectIdInfo identity = type.getObjectIdInfo();
        ObjectIdWriter usual = builder.getObjectIdWriter();
        if (identity == null || usual == null || !(usual.generator instanceof PropertyBasedObjectIdGenerator)) {
            return builder;
        }
        for (BeanPropertyWriter id : builder.getProperties()) {
            if (id.getName().equals(identity.getPropertyName().getSimpleName())) {
                Function<Object, String> text = IdReferences.textOf(config.getAnnotationIntrospector(), id.getMember());
                if (text != null) {
                    builder.setObjectIdWriter(ObjectIdWriter.construct(
                            config.constructType(String.class),
                            null,
                            new IdReferences(identity.getScope(), id, text),
                            usual.alwaysAsId));
                }
            }
        }
        return builder;
    }

    @Override
    public JsonSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription type, JsonSerializer<?> serializer) {
        if (serializer instanceof JsonValueSerializer) {
            @Nullable JsonSerializer<?> refusal = refusalOf(type, type.findJsonValueAccessor());
            return refusal == null ? serializer : refusal;
        }
        if (!(serializer instanceof BeanSerializerBase usual)) {
            return serializer;
        }
        Map<String, TextForm> forms = new HashMap<>();
        for (BeanPropertyDefinition attribute : type.findProperties()) {
            @Nullable
            TextForm form = attribute.getAccessor() == null ? null : annotations.formOf(attribute.getAccessor());
            if (form != null) {
                forms.put(attribute.getName(), form);
            }
        }
        return forms.isEmpty() ? serializer : new IdentitySerializer(usual, forms);
    }

    /** Instead of a serializer for {@code @JsonValue} that would write numbers. */
    private @Nullable JsonSerializer<?> refusalOf(BeanDescription type, AnnotatedMember value) {
        JavaType ids = value.getType();
        @Nullable TextForm form = annotations.formOf(value);
        if (form != null) {
            return IdAnnotations.isIdOrArray(ids)
                    ? null
                    : new IdSerializer(
                            form,
                            "has no effect on a %s with @JsonValue: let @JsonValue stand on one id or a long[]"
                                    .formatted(ids.toCanonical()));
        }
        form = annotations.formIn(type.getClassInfo());
        return form != null && (IdAnnotations.isIdOrArray(ids) || IdAnnotations.isIdOrArray(ids.getContentType()))
                ? new IdSerializer(
                        form,
                        "does not stand on %s, which has @JsonValue: annotate that as well"
                                .formatted(IdAnnotations.name(value)))
                : null;
    }

    @Override
    public JsonSerializer<?> modifyKeySerializer(
            SerializationConfig config, JavaType keyType, BeanDescription type, JsonSerializer<?> serializer) {
        AnnotatedMember key = type.findJsonKeyAccessor();
        key = key == null ? type.findJsonValueAccessor() : key;
        @Nullable TextForm form = key == null ? null : annotations.formOf(key);
        return form == null
                ? serializer
                : new IdSerializer(
                        form,
                        "on %s has no effect on keys of a map: let the keys be texts"
                                .formatted(IdAnnotations.name(key)));
    }
}
