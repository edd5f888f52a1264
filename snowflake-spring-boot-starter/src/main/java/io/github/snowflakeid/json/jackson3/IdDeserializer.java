package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.mapping.IdType;
import io.github.snowflakeid.publicid.PublicIdFailure;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads an id from text of its form. Without one, reads it from a string of digits or a whole number, also where Jackson is told
 * to take no string for a number, and refuses what Jackson would round, or take for nothing.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

    /** Null if none is to be read: that is an error. */
    private final @Nullable IdType number;

    private final String type;

    private final @Nullable TextForm form;

    IdDeserializer(JavaType type, @Nullable TextForm form) {
        super(type);
        number = TextForms.numberOf(type.getRawClass());
        this.type = type.toCanonical();
        this.form = form;
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
        IdType id = number;
        if (id == null) {
            throw PublicIdFailure.noId(Objects.requireNonNull(form), "an attribute", type);
        }
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parse(id, parser.getString(), context);
            case VALUE_NUMBER_INT ->
                form == null ? id.convert(parser.getLongValue()) : context.handleUnexpectedToken(_valueClass, parser);
            case VALUE_NUMBER_FLOAT ->
                context.handleWeirdNumberValue(_valueClass, parser.getNumberValue(), "an id is a whole number");
            default -> usual().deserialize(parser, context);
        };
    }

    private @Nullable Object parse(IdType id, String text, DeserializationContext context) {
        try {
            return id.convert(form == null ? Long.parseLong(text) : form.parse(text));
        } catch (IllegalArgumentException noId) {
            // Not why: nobody must learn which of the checks failed.
            return context.handleWeirdStringValue(
                    _valueClass, text, form == null ? "not an id" : "not " + form.inWords());
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
