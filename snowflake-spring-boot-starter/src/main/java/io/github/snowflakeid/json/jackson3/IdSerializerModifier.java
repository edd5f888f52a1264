package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.ser.jackson.JsonValueSerializer;

/**
 * Writes typed IDs as the IDs that they wrap. A serializer of the application, or one that an annotation of Jackson specifies, takes
 * precedence.
 */
final class IdSerializerModifier extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
    private final JsonIds ids;

    IdSerializerModifier(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    public ValueSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription.Supplier type, ValueSerializer<?> serializer) {
        boolean isValue = serializer instanceof JsonValueSerializer;
        JsonId id = ids.ofType(
                type.getBeanClass(),
                type.getClassInfo()::getAnnotation,
                isValue
                        || serializer instanceof BeanSerializerBase
                        || serializer instanceof UnknownSerializer
                        || JsonIds.isOfJMolecules(serializer));
        if (id == null && isValue) {
            id = ids.bypassed(type.getBeanClass(), "@JsonValue");
        }
        return id == null ? serializer : new IdSerializer(id, false);
    }

    @Override
    public ValueSerializer<?> modifyKeySerializer(
            SerializationConfig config, JavaType key, BeanDescription.Supplier type, ValueSerializer<?> serializer) {
        JsonId id = ids.ofType(key.getRawClass(), type.getClassInfo()::getAnnotation, false);
        return id == null ? serializer : new IdSerializer(id, true);
    }
}
