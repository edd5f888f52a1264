package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.mapping.IdType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads an id from a string or a whole number, also where Jackson is told to take no string for a number. Refuses what Jackson
 * would round, or take for nothing.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

    private final IdType type;

    /** @param javaType of the type, for messages */
    IdDeserializer(IdType type, Class<?> javaType) {
        super(javaType);
        this.type = type;
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parse(parser.getString(), context);
            case VALUE_NUMBER_INT -> type.convert(parser.getLongValue());
            case VALUE_NUMBER_FLOAT ->
                context.handleWeirdNumberValue(_valueClass, parser.getNumberValue(), "an id is a whole number");
            default -> usual().deserialize(parser, context);
        };
    }

    private @Nullable Object parse(String digits, DeserializationContext context) {
        try {
            return type.convert(Long.parseLong(digits));
        } catch (NumberFormatException noId) {
            return context.handleWeirdStringValue(_valueClass, digits, "not an id");
        }
    }

    @Override
    public @Nullable Object getNullValue(DeserializationContext context) {
        return usual().getNullValue(context);
    }

    private ValueDeserializer<?> usual() {
        return NumberDeserializers.find(_valueClass);
    }
}
