package io.github.snowflakeid.json.jackson3;

import java.util.function.LongFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes {@code long[]} as text: there {@code @JsonFormat} has no effect. */
final class IdArraySerializer extends StdSerializer<long[]> {

    private final LongFunction<String> text;

    IdArraySerializer(LongFunction<String> text) {
        super(long[].class);
        this.text = text;
    }

    @Override
    public void serialize(long[] ids, JsonGenerator json, SerializationContext provider) {
        json.writeStartArray(ids, ids.length);
        for (long id : ids) {
            json.writeString(text.apply(id));
        }
        json.writeEndArray();
    }

    @Override
    public boolean isEmpty(SerializationContext provider, long[] ids) {
        return ids.length == 0;
    }
}
