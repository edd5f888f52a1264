package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.json.JsonId;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes an ID, a {@code long[]} of IDs, or an ID that is a map key. */
final class IdSerializer extends StdScalarSerializer<Object> {

    private final JsonId id;

    private final boolean isKey;

    IdSerializer(JsonId id, boolean isKey) {
        super(Object.class);
        this.id = id;
        this.isKey = isKey;
    }

    @Override
    public void serialize(Object value, JsonGenerator json, SerializationContext context) {
        if (isKey) {
            json.writeName(String.valueOf(id.toJson(value)));
        } else {
            context.writeValue(json, id.toJson(value));
        }
    }

    @Override
    public boolean isEmpty(SerializationContext context, Object value) {
        return value instanceof long[] ids && ids.length == 0;
    }
}
