package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.BeanSerializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import io.github.snowflakeid.publicid.TextForm;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the attribute that refers to an object before it is written: with {@code @JsonIdentityInfo} there, Jackson would
 * write the number. Is what modifiers of the application expect, and all else is done by the usual one.
 */
final class IdentitySerializer extends BeanSerializer {

    private static final long serialVersionUID = 1L;

    private final BeanSerializerBase usual;

    @SuppressWarnings("serial") // As with that of its mapper.
    private final Map<String, TextForm> forms;

    /** @param forms those of the attributes, by name */
    IdentitySerializer(BeanSerializerBase usual, Map<String, TextForm> forms) {
        super(usual);
        this.usual = usual;
        this.forms = forms;
    }

    @Override
    public JsonSerializer<?> createContextual(SerializerProvider provider, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        AnnotatedMember member = attribute == null ? null : attribute.getMember();
        String id = IdReferences.idOf(provider.getAnnotationIntrospector(), member);
        TextForm form = id == null ? null : forms.get(id);
        return member == null || form == null
                ? usual.createContextual(provider, attribute)
                : new IdSerializer(form, IdReferences.UNKNOWN.formatted(IdAnnotations.name(member)));
    }

    @Override
    public void resolve(SerializerProvider provider) throws JsonMappingException {
        usual.resolve(provider);
    }

    @Override
    public void serializeWithType(Object object, JsonGenerator json, SerializerProvider provider, TypeSerializer type)
            throws IOException {
        usual.serializeWithType(object, json, provider, type);
    }
}
