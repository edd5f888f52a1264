package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import io.github.snowflakeid.publicid.TextForm;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** As {@link IdentityDeserializer}, for a class without objects of its own, or one that a builder makes. */
final class AbstractIdentityDeserializer extends DelegatingDeserializer {

    private static final long serialVersionUID = 1L;

    private final JavaType type;

    @SuppressWarnings("serial") // As with that of its mapper.
    private final Map<String, TextForm> forms;

    /** @param forms those of the attributes, by name */
    AbstractIdentityDeserializer(JsonDeserializer<?> usual, JavaType type, Map<String, TextForm> forms) {
        super(usual);
        this.type = type;
        this.forms = forms;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> usual) {
        return new AbstractIdentityDeserializer(usual, type, forms);
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        JsonDeserializer<?> refusal = IdReferences.refusal(context, attribute, type, forms);
        if (refusal != null) {
            return refusal;
        }
        return _delegatee instanceof ContextualDeserializer contextual
                ? contextual.createContextual(context, attribute)
                : _delegatee;
    }
}
