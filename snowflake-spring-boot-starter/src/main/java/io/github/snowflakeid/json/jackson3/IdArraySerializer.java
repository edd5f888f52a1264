package io.github.snowflakeid.json.jackson3;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes {@code long[]} as strings: there {@code @JsonFormat} has no effect. */
final class IdArraySerializer extends StdSerializer<long[]> {

    IdArraySerializer() {
        super(long[].class);
    }

    @Override
    public void serialize(long[] ids, JsonGenerator json, SerializationContext provider) {
        json.writeStartArray(ids, ids.length);
        for (long id : ids) {
            json.writeString(Long.toString(id));
        }
        json.writeEndArray();
    }

    @Override
    public boolean isEmpty(SerializationContext provider, long[] ids) {
        return ids.length == 0;
    }
}
