package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.github.snowflakeid.publicid.TextForm;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads an array of what {@link IdDeserializer} reads. */
final class IdArrayDeserializer extends StdDeserializer<long[]> {

    private static final long serialVersionUID = 1L;

    private final IdDeserializer element;

    IdArrayDeserializer(JavaType type, @Nullable TextForm form) {
        super(type);
        element = new IdDeserializer(type.getContentType(), form, null);
    }

    @Override
    public long @Nullable [] deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (!parser.isExpectedStartArrayToken()) {
            return context.isEnabled(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
                    ? new long[] {id(parser, context)}
                    : (long[]) context.handleUnexpectedToken(_valueClass, parser);
        }
        long[] ids = new long[16];
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, 2 * count);
            }
            ids[count++] = id(parser, context);
        }
        return Arrays.copyOf(ids, count);
    }

    private long id(JsonParser parser, DeserializationContext context) throws IOException {
        Object id = parser.hasToken(JsonToken.VALUE_NULL)
                ? element.getNullValue(context)
                : element.deserialize(parser, context);
        return id == null ? 0 : (Long) id;
    }
}
