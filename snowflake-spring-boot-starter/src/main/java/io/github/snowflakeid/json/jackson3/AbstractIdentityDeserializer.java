package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.publicid.TextForm;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/** As {@link IdentityDeserializer}, for a class without objects of its own, or one that a builder makes. */
final class AbstractIdentityDeserializer extends DelegatingDeserializer {

    private final JavaType type;

    private final Map<String, TextForm> forms;

    /** @param forms those of the attributes, by name */
    AbstractIdentityDeserializer(ValueDeserializer<?> usual, JavaType type, Map<String, TextForm> forms) {
        super(usual);
        this.type = type;
        this.forms = forms;
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> usual) {
        return new AbstractIdentityDeserializer(usual, type, forms);
    }

    @Override
    public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
        ValueDeserializer<?> refusal = IdReferences.refusal(context, attribute, type, forms);
        return refusal == null ? _delegatee.createContextual(context, attribute) : refusal;
    }
}
