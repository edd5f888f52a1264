package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.BeanDeserializer;
import io.github.snowflakeid.publicid.TextForm;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the attribute that refers to an object before it is read: with {@code @JsonIdentityInfo} there, Jackson would take a
 * number. Is what modifiers of the application expect, and all else is done by the usual one.
 */
final class IdentityDeserializer extends BeanDeserializer {

    private static final long serialVersionUID = 1L;

    private final BeanDeserializer usual;

    @SuppressWarnings("serial") // As with that of its mapper.
    private final Map<String, TextForm> forms;

    /** @param forms those of the attributes, by name */
    IdentityDeserializer(BeanDeserializer usual, Map<String, TextForm> forms) {
        super(usual);
        this.usual = usual;
        this.forms = forms;
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        JsonDeserializer<?> refusal = IdReferences.refusal(context, attribute, getValueType(), forms);
        return refusal == null ? usual.createContextual(context, attribute) : refusal;
    }

    @Override
    public void resolve(DeserializationContext context) throws JsonMappingException {
        usual.resolve(context);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return usual.deserialize(parser, context);
    }
}
