package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.publicid.TextForm;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializer;

/**
 * Looks at the attribute that refers to an object before it is read: with {@code @JsonIdentityInfo} there, Jackson would take a
 * number. Is what modifiers of the application expect, and all else is done by the usual one.
 */
final class IdentityDeserializer extends BeanDeserializer {

    private final BeanDeserializer usual;

    private final Map<String, TextForm> forms;

    /** @param forms those of the attributes, by name */
    IdentityDeserializer(BeanDeserializer usual, Map<String, TextForm> forms) {
        super(usual);
        this.usual = usual;
        this.forms = forms;
    }

    @Override
    public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
        ValueDeserializer<?> refusal = IdReferences.refusal(context, attribute, getValueType(), forms);
        return refusal == null ? usual.createContextual(context, attribute) : refusal;
    }

    @Override
    public void resolve(DeserializationContext context) {
        usual.resolve(context);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
        return usual.deserialize(parser, context);
    }
}
