package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import io.github.snowflakeid.mapping.IdType;
import io.github.snowflakeid.publicid.PublicIdFailure;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads an id from text of its form. Without one, reads it from a string of digits or a whole number, also where Jackson is told
 * to take no string for a number, and refuses what Jackson would round, or take for nothing.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

    private static final long serialVersionUID = 1L;

    /** Null if none is to be read: that is an error. */
    private final @Nullable IdType number;

    private final String type;

    @SuppressWarnings("serial") // As with that of its mapper.
    private final @Nullable TextForm form;

    IdDeserializer(JavaType type, @Nullable TextForm form) {
        super(type);
        number = TextForms.numberOf(type.getRawClass());
        this.type = type.toCanonical();
        this.form = form;
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        IdType id = number;
        if (id == null) {
            throw PublicIdFailure.noId(Objects.requireNonNull(form), "an attribute", type);
        }
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parse(id, parser.getText(), context);
            case VALUE_NUMBER_INT ->
                form == null ? id.convert(parser.getLongValue()) : context.handleUnexpectedToken(_valueClass, parser);
            case VALUE_NUMBER_FLOAT ->
                context.handleWeirdNumberValue(_valueClass, parser.getNumberValue(), "an id is a whole number");
            default -> usual().deserialize(parser, context);
        };
    }

    private @Nullable Object parse(IdType id, String text, DeserializationContext context) throws IOException {
        try {
            return id.convert(form == null ? Long.parseLong(text) : form.parse(text));
        } catch (IllegalArgumentException noId) {
            // Not why: nobody must learn which of the checks failed.
            return context.handleWeirdStringValue(
                    _valueClass, text, form == null ? "not an id" : "not " + form.inWords());
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
