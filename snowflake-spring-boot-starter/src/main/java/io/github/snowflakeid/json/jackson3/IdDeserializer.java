package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.publicid.PublicIdErrors;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.jsontype.TypeDeserializer;

/**
 * Reads an id from text of its form. Without one, reads it from a string of digits or a whole number, also where Jackson is told
 * to take no string for a number, and refuses what Jackson would round, or take for nothing.
 */
final class IdDeserializer extends StdScalarDeserializer<Object> {

    private final @Nullable TextForm form;

    private final @Nullable String problem;

    /** @param problem why there is none to read, or null */
    IdDeserializer(JavaType type, @Nullable TextForm form, @Nullable String problem) {
        super(type);
        this.form = form;
        this.problem = problem;
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
        if (form == null) {
            return withoutForm(parser, context);
        }
        return problem != null || parser.hasToken(JsonToken.VALUE_STRING)
                ? idOf(parser.getString(), context)
                : context.handleUnexpectedToken(_valueClass, parser);
    }

    /** Does not look for the name of a type before it says what the problem is. */
    @Override
    public @Nullable Object deserializeWithType(
            JsonParser parser, DeserializationContext context, TypeDeserializer type) {
        return problem == null ? super.deserializeWithType(parser, context, type) : deserialize(parser, context);
    }

    /** The id that a text stands for. */
    @Nullable
    Object idOf(String text, DeserializationContext context) {
        try {
            if (form != null && problem != null) {
                throw PublicIdErrors.misplaced(form, "an attribute", problem);
            }
            return parse(text, context);
        } catch (ConfigurationException failure) {
            // As it is, it would be taken for a fault of whoever sent the JSON.
            InvalidDefinitionException fault =
                    InvalidDefinitionException.from(context.getParser(), failure.getMessage(), getValueType(context));
            fault.initCause(failure);
            throw fault;
        }
    }

    private @Nullable Object withoutForm(JsonParser parser, DeserializationContext context) {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parse(parser.getString(), context);
            case VALUE_NUMBER_INT -> converted(number().isInteger() ? parser.getIntValue() : parser.getLongValue());
            case VALUE_NUMBER_FLOAT ->
                context.handleWeirdNumberValue(_valueClass, parser.getNumberValue(), "an id is a whole number");
            default -> usual().deserialize(parser, context);
        };
    }

    private Object converted(long id) {
        return number().convert(id);
    }

    private IdType number() {
        return Objects.requireNonNull(TextForms.numberOf(_valueClass));
    }

    private @Nullable Object parse(String text, DeserializationContext context) {
        try {
            return converted(form == null ? Long.parseLong(text) : form.parse(text));
        } catch (IllegalArgumentException noId) {
            // Not why: nobody must learn which of the checks failed.
            return context.handleWeirdStringValue(
                    _valueClass, text, form == null ? "not an id" : "not " + form.inWords());
        }
    }

    @Override
    public @Nullable Object getNullValue(DeserializationContext context) {
        return problem == null ? usual().getNullValue(context) : null;
    }

    private ValueDeserializer<?> usual() {
        return NumberDeserializers.find(_valueClass);
    }
}
