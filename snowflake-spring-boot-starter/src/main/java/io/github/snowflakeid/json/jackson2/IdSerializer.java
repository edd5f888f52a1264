package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.github.snowflakeid.internal.json.JsonId;
import java.io.IOException;

/** Writes an ID, a {@code long[]} of IDs, or an ID that is a map key. */
@SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
final class IdSerializer extends StdScalarSerializer<Object> {

    private final JsonId id;

    private final boolean isKey;

    IdSerializer(JsonId id, boolean isKey) {
        super(Object.class);
        this.id = id;
        this.isKey = isKey;
    }

    @Override
    public void serialize(Object value, JsonGenerator json, SerializerProvider context) throws IOException {
        if (isKey) {
            json.writeFieldName(String.valueOf(id.toJson(value)));
        } else {
            context.defaultSerializeValue(id.toJson(value), json);
        }
    }

    @Override
    public boolean isEmpty(SerializerProvider context, Object value) {
        return value instanceof long[] ids && ids.length == 0;
    }
}
