package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.ObjectArrayDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.json.JsonId;
import java.io.IOException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads an ID, or a {@code long[]} of IDs, from its text form. A plain ID is also read from whole numbers; values that
 * Jackson would round or treat as absent are rejected.
 */
@SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
final class IdDeserializer extends StdScalarDeserializer<Object> implements ContextualDeserializer {

    private final JsonId id;

    IdDeserializer(Class<?> type, JsonId id) {
        super(type);
        this.id = id;
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
        JsonId expected = attribute == null ? id : id.in(attribute.getType().getRawClass());
        return expected.equals(id) ? this : new IdDeserializer(expected.javaType(), expected);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        try {
            id.requireNoProblem();
            return _valueClass == long[].class ? array(parser, context) : one(parser, context);
        } catch (ConfigurationException e) {
            throw badDefinition(context, e);
        }
    }

    /** Wraps a configuration error in a type that Spring does not treat as a client error. */
    static JsonMappingException badDefinition(DeserializationContext context, ConfigurationException failure) {
        JsonMappingException error =
                InvalidDefinitionException.from(context.getParser(), failure.getMessage(), (JavaType) null);
        error.initCause(failure);
        return error;
    }

    private @Nullable Object one(JsonParser parser, DeserializationContext context) throws IOException {
        boolean isNumber = !id.isStrict() && parser.currentToken().isNumeric();
        if (isNumber && parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
            return context.handleWeirdNumberValue(_valueClass, parser.getNumberValue(), "an ID must be a whole number");
        }
        if (!isNumber && !parser.hasToken(JsonToken.VALUE_STRING)) {
            return context.handleUnexpectedToken(_valueClass, parser);
        }
        String text = isNumber ? parser.getNumberValue().toString() : parser.getText();
        try {
            return id.parse(text);
        } catch (IllegalArgumentException e) {
            return context.handleWeirdStringValue(_valueClass, text, id.rejection());
        }
    }

    private long[] array(JsonParser parser, DeserializationContext context) throws IOException {
        IdDeserializer element = new IdDeserializer(long.class, id);
        Object ids = new ObjectArrayDeserializer(context.constructType(Long[].class), element, null)
                .createContextual(context, null)
                .deserialize(parser, context);
        return Stream.of((Long[]) ids).mapToLong(Long::longValue).toArray();
    }

    /** Reports a configuration problem before it looks for a type name in the JSON. */
    @Override
    public @Nullable Object deserializeWithType(
            JsonParser parser, DeserializationContext context, TypeDeserializer type) throws IOException {
        return id.problem() == null ? super.deserializeWithType(parser, context, type) : deserialize(parser, context);
    }

    @Override
    public @Nullable Object getNullValue(DeserializationContext context) throws JsonMappingException {
        return _valueClass.isPrimitive()
                ? NumberDeserializers.find(_valueClass, _valueClass.getName()).getNullValue(context)
                : null;
    }

    /** Reads an ID that is a map key. */
    static final class Key extends KeyDeserializer {

        private final JsonId id;

        Key(JsonId id) {
            this.id = id;
        }

        @Override
        public @Nullable Object deserializeKey(String key, DeserializationContext context) throws IOException {
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
