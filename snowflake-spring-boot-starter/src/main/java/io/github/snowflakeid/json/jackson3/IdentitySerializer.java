package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.publicid.TextForm;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.BeanSerializer;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/**
 * Looks at the attribute that refers to an object before it is written: with {@code @JsonIdentityInfo} there, Jackson would
 * write the number. Is what modifiers of the application expect, and all else is done by the usual one.
 */
final class IdentitySerializer extends BeanSerializer {

    private final BeanSerializerBase usual;

    private final Map<String, TextForm> forms;

    /** @param forms those of the attributes, by name */
    IdentitySerializer(BeanSerializerBase usual, Map<String, TextForm> forms) {
        super(usual);
        this.usual = usual;
        this.forms = forms;
    }

    @Override
    public ValueSerializer<?> createContextual(SerializationContext provider, @Nullable BeanProperty attribute) {
        AnnotatedMember member = attribute == null ? null : attribute.getMember();
        String id = IdReferences.idOf(provider.getConfig(), member);
        TextForm form = id == null ? null : forms.get(id);
        return member == null || form == null
                ? usual.createContextual(provider, attribute)
                : new IdSerializer(form, IdReferences.UNKNOWN.formatted(IdAnnotations.name(member)));
    }

    @Override
    public void resolve(SerializationContext provider) {
        usual.resolve(provider);
    }

    @Override
    public void serializeWithType(
            Object object, JsonGenerator json, SerializationContext provider, TypeSerializer type) {
        usual.serializeWithType(object, json, provider, type);
    }
}
