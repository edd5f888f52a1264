package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.json.JsonId;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.jdk.ObjectArrayDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.jsontype.TypeDeserializer;

/**
 * Reads an ID, or a {@code long[]} of IDs, from its text form. A plain ID is also read from whole numbers; values that
 * Jackson would round or treat as absent are rejected.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

    private final JsonId id;

    IdDeserializer(Class<?> type, JsonId id) {
        super(type);
        this.id = id;
    }

    @Override
    public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
        JsonId expected = attribute == null ? id : id.in(attribute.getType().getRawClass());
        return expected.equals(id) ? this : new IdDeserializer(expected.javaType(), expected);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
        try {
            id.requireNoProblem();
            return _valueClass == long[].class ? array(parser, context) : one(parser, context);
        } catch (ConfigurationException e) {
            throw badDefinition(context, e);
        }
    }

    /** Wraps a configuration error in a type that Spring does not treat as a client error. */
    static JacksonException badDefinition(DeserializationContext context, ConfigurationException failure) {
        return InvalidDefinitionException.from(context.getParser(), failure.getMessage(), (JavaType) null)
                .withCause(failure);
    }

    private @Nullable Object one(JsonParser parser, DeserializationContext context) {
        boolean isNumber = !id.isStrict() && parser.currentToken().isNumeric();
        if (isNumber && parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
            return context.handleWeirdNumberValue(_valueClass, parser.getNumberValue(), "an ID must be a whole number");
        }
        if (!isNumber && !parser.hasToken(JsonToken.VALUE_STRING)) {
            return context.handleUnexpectedToken(_valueClass, parser);
        }
        String text = isNumber ? parser.getNumberValue().toString() : parser.getString();
        try {
            return id.parse(text);
        } catch (IllegalArgumentException e) {
            return context.handleWeirdStringValue(_valueClass, text, id.rejection());
        }
    }

    private long[] array(JsonParser parser, DeserializationContext context) {
        IdDeserializer element = new IdDeserializer(long.class, id);
        Object ids = new ObjectArrayDeserializer(context.constructType(Long[].class), element, null)
                .createContextual(context, null)
                .deserialize(parser, context);
        return Stream.of((Long[]) ids).mapToLong(Long::longValue).toArray();
    }

    /** Reports a configuration problem before it looks for a type name in the JSON. */
    @Override
    public @Nullable Object deserializeWithType(
            JsonParser parser, DeserializationContext context, TypeDeserializer type) {
        return id.problem() == null ? super.deserializeWithType(parser, context, type) : deserialize(parser, context);
    }

    @Override
    public @Nullable Object getNullValue(DeserializationContext context) {
        return _valueClass.isPrimitive() ? NumberDeserializers.find(_valueClass).getNullValue(context) : null;
    }

    /** Reads an ID that is a map key. */
    static final class Key extends KeyDeserializer {

        private final JsonId id;

        Key(JsonId id) {
            this.id = id;
        }

        @Override
        public @Nullable Object deserializeKey(String key, DeserializationContext context) {
            try {
                return id.parse(key);
            } catch (IllegalArgumentException e) {
                return context.handleWeirdKey(id.javaType(), key, id.rejection());
            } catch (ConfigurationException e) {
                throw IdDeserializer.badDefinition(context, e);
            }
        }
    }
}
