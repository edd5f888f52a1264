package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.databind.ser.std.JsonValueSerializer;
import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;

/**
 * Writes typed IDs as the IDs that they wrap. A serializer of the application, or one that an annotation of Jackson specifies, takes
 * precedence.
 */
final class IdSerializerModifier extends BeanSerializerModifier {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
    private final JsonIds ids;

    IdSerializerModifier(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    public JsonSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription type, JsonSerializer<?> serializer) {
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
    public JsonSerializer<?> modifyKeySerializer(
            SerializationConfig config, JavaType key, BeanDescription type, JsonSerializer<?> serializer) {
        JsonId id = ids.ofType(key.getRawClass(), type.getClassInfo()::getAnnotation, false);
        return id == null ? serializer : new IdSerializer(id, true);
    }
}
