package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;

/** Writes {@code long[]} as strings: there {@code @JsonFormat} has no effect. */
final class IdArraySerializer extends StdSerializer<long[]> {

    private static final long serialVersionUID = 1L;

    IdArraySerializer() {
        super(long[].class);
    }

    @Override
    public void serialize(long[] ids, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartArray(ids, ids.length);
        for (long id : ids) {
            json.writeString(Long.toString(id));
        }
        json.writeEndArray();
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, long[] ids) {
        return ids.length == 0;
    }
}
