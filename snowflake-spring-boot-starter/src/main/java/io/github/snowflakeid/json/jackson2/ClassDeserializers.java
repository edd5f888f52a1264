package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.SettableAnyProperty;
import com.fasterxml.jackson.databind.deser.impl.ObjectIdReader;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.github.snowflakeid.publicid.TextForm;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads text where Jackson reads an id as what stands for its object, or refuses to read. */
final class ClassDeserializers extends BeanDeserializerModifier {

    private static final long serialVersionUID = 1L;

    private final IdAnnotations annotations;

    ClassDeserializers(IdAnnotations annotations) {
        this.annotations = annotations;
    }

    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription type, BeanDeserializerBuilder builder) {
        builder.setValueInstantiator(IdInstantiator.of(builder.getValueInstantiator(), annotations, config, type));
        rejectAnySetter(builder);
        ObjectIdReader usual = builder.getObjectIdReader();
        if (usual != null
                && usual.idProperty != null
                && config.getAnnotationIntrospector().findDeserializer(usual.idProperty.getMember())
                        instanceof IdDeserializer own) {
            builder.setObjectIdReader(ObjectIdReader.construct(
                    usual.getIdType(), usual.propertyName, usual.generator, own, usual.idProperty, usual.resolver));
        }
        return builder;
    }

    /** Jackson asks for a reader of the values of some any-setters only. */
    private void rejectAnySetter(BeanDeserializerBuilder builder) {
        SettableAnyProperty setter = builder.getAnySetter();
        TextForm form =
                setter == null ? null : annotations.formOf(setter.getProperty().getMember());
        if (setter != null && form != null) {
            builder.setAnySetter(null);
            builder.setAnySetter(setter.withValueDeserializer(new IdDeserializer(
                    setter.getType(), form, "stands on an any-setter: declare an attribute for the id, or a map")));
        }
    }

    @Override
    public JsonDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription type, JsonDeserializer<?> deserializer) {
        if (!(deserializer instanceof BeanDeserializerBase || deserializer instanceof AbstractDeserializer)) {
            return deserializer;
        }
        Map<String, TextForm> forms = new HashMap<>();
        for (BeanPropertyDefinition attribute : type.findProperties()) {
            AnnotatedMember member = attribute.getPrimaryMember();
            @Nullable TextForm form = member == null ? null : annotations.formOf(member);
            if (form != null) {
                forms.put(attribute.getName(), form);
            }
        }
        if (forms.isEmpty()) {
            return deserializer;
        }
        return deserializer.getClass() == BeanDeserializer.class
                ? new IdentityDeserializer((BeanDeserializer) deserializer, forms)
                : new AbstractIdentityDeserializer(deserializer, type.getType(), forms);
    }
}
