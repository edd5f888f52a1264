package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import io.github.snowflakeid.mapping.IdType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads an id from a string or a whole number, also where Jackson is told to take no string for a number. Refuses what Jackson
 * would round, or take for nothing.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

    private static final long serialVersionUID = 1L;

    private final IdType type;

    /** @param javaType of the type, for messages */
    IdDeserializer(IdType type, Class<?> javaType) {
        super(javaType);
        this.type = type;
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parse(parser.getText(), context);
            case VALUE_NUMBER_INT -> type.convert(parser.getLongValue());
            case VALUE_NUMBER_FLOAT ->
                context.handleWeirdNumberValue(_valueClass, parser.getNumberValue(), "an id is a whole number");
            default -> usual().deserialize(parser, context);
        };
    }

    private @Nullable Object parse(String digits, DeserializationContext context) throws IOException {
        try {
            return type.convert(Long.parseLong(digits));
        } catch (NumberFormatException noId) {
            return context.handleWeirdStringValue(_valueClass, digits, "not an id");
        }
    }

    @Override
    public @Nullable Object getNullValue(DeserializationContext context) throws JsonMappingException {
        return usual().getNullValue(context);
    }

    private JsonDeserializer<?> usual() {
        return NumberDeserializers.find(_valueClass, _valueClass.getName());
    }
}
