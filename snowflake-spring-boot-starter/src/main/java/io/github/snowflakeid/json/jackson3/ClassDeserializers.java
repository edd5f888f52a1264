package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.publicid.TextForm;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.ObjectIdReader;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;

/** Reads text where Jackson reads an id as what stands for its object, or refuses to read. */
final class ClassDeserializers extends ValueDeserializerModifier {

    private static final long serialVersionUID = 1L;

    private final IdAnnotations annotations;

    ClassDeserializers(IdAnnotations annotations) {
        this.annotations = annotations;
    }

    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription.Supplier type, BeanDeserializerBuilder builder) {
        builder.setValueInstantiator(IdInstantiator.of(builder.getValueInstantiator(), annotations, config, type));
        ObjectIdReader usual = builder.getObjectIdReader();
        if (usual != null
                && usual.idProperty != null
                && config.getAnnotationIntrospector().findDeserializer(config, usual.idProperty.getMember())
                        instanceof IdDeserializer own) {
            builder.setObjectIdReader(ObjectIdReader.construct(
                    usual.getIdType(), usual.propertyName, usual.generator, own, usual.idProperty, usual.resolver));
        }
        return builder;
    }

    @Override
    public ValueDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription.Supplier type, ValueDeserializer<?> deserializer) {
        if (!(deserializer instanceof BeanDeserializerBase || deserializer instanceof AbstractDeserializer)) {
            return deserializer;
        }
        Map<String, TextForm> forms = new HashMap<>();
        for (BeanPropertyDefinition attribute : type.get().findProperties()) {
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
