package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.function.LongFunction;

/** Writes {@code long[]} as text: there {@code @JsonFormat} has no effect. */
final class IdArraySerializer extends StdSerializer<long[]> {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // As with that of its mapper.
    private final LongFunction<String> text;

    IdArraySerializer(LongFunction<String> text) {
        super(long[].class);
        this.text = text;
    }

    @Override
    public void serialize(long[] ids, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartArray(ids, ids.length);
        for (long id : ids) {
            json.writeString(text.apply(id));
        }
        json.writeEndArray();
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, long[] ids) {
        return ids.length == 0;
    }
}
