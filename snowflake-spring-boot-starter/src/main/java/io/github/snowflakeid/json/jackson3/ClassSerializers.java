package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.publicid.TextForm;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ObjectIdInfo;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.BeanSerializerBuilder;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.ObjectIdWriter;
import tools.jackson.databind.ser.impl.PropertyBasedObjectIdGenerator;
import tools.jackson.databind.ser.jackson.JsonValueSerializer;

/** Writes text where Jackson writes an id as what stands for its object, or refuses to write. */
final class ClassSerializers extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    private final IdAnnotations annotations;

    ClassSerializers(IdAnnotations annotations) {
        this.annotations = annotations;
    }

    @Override
    public BeanSerializerBuilder updateBuilder(
            SerializationConfig config, BeanDescription.Supplier type, BeanSerializerBuilder builder) {
        ObjectIdInfo identity = type.get().getObjectIdInfo();
        ObjectIdWriter usual = builder.getObjectIdWriter();
        if (identity == null || usual == null || !(usual.generator instanceof PropertyBasedObjectIdGenerator)) {
            return builder;
        }
        for (BeanPropertyWriter id : builder.getProperties()) {
            if (id.getName().equals(identity.getPropertyName().getSimpleName())) {
                Function<Object, String> text = IdReferences.textOf(config, id.getMember());
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
    public ValueSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription.Supplier type, ValueSerializer<?> serializer) {
        if (serializer instanceof JsonValueSerializer) {
            @Nullable ValueSerializer<?> refusal = refusalOf(type, type.get().findJsonValueAccessor());
            return refusal == null ? serializer : refusal;
        }
        if (!(serializer instanceof BeanSerializerBase usual)) {
            return serializer;
        }
        Map<String, TextForm> forms = new HashMap<>();
        for (BeanPropertyDefinition attribute : type.get().findProperties()) {
            @Nullable
            TextForm form = attribute.getAccessor() == null ? null : annotations.formOf(attribute.getAccessor());
            if (form != null) {
                forms.put(attribute.getName(), form);
            }
        }
        return forms.isEmpty() ? serializer : new IdentitySerializer(usual, forms);
    }

    /** Instead of a serializer for {@code @JsonValue} that would write numbers. */
    private @Nullable ValueSerializer<?> refusalOf(BeanDescription.Supplier type, AnnotatedMember value) {
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
    public ValueSerializer<?> modifyKeySerializer(
            SerializationConfig config,
            JavaType keyType,
            BeanDescription.Supplier type,
            ValueSerializer<?> serializer) {
        AnnotatedMember key = type.get().findJsonKeyAccessor();
        key = key == null ? type.get().findJsonValueAccessor() : key;
        @Nullable TextForm form = key == null ? null : annotations.formOf(key);
        return form == null
                ? serializer
                : new IdSerializer(
                        form,
                        "on %s has no effect on keys of a map: let the keys be texts"
                                .formatted(IdAnnotations.name(key)));
    }
}
