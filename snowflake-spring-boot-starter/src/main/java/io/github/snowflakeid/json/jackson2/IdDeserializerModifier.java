package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.StdValueInstantiator;
import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;

/**
 * Reads typed IDs from the IDs that they wrap. A deserializer of the application, or one that an annotation of Jackson specifies, takes
 * precedence.
 */
final class IdDeserializerModifier extends BeanDeserializerModifier {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
    private final JsonIds ids;

    IdDeserializerModifier(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription type, BeanDeserializerBuilder builder) {
        // Stops Jackson from calling a constructor that takes only a number. Kotlin's instantiator is left
        // alone, because it handles default arguments.
        if (builder.getValueInstantiator() instanceof StdValueInstantiator creators
                && (creators.canCreateFromInt() || creators.canCreateFromLong() || creators.canCreateFromBigInteger())
                && ids.bypassed(type.getBeanClass(), "a constructor") != null) {
            creators.configureFromIntCreator(null);
            creators.configureFromLongCreator(null);
            creators.configureFromBigIntegerCreator(null);
        }
        return builder;
    }

    @Override
    public JsonDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription type, JsonDeserializer<?> deserializer) {
        JsonId id = ids.ofType(
                type.getBeanClass(),
                type.getClassInfo()::getAnnotation,
                deserializer instanceof BeanDeserializerBase || JsonIds.isOfJMolecules(deserializer));
        if (id == null
                && deserializer instanceof BeanDeserializerBase bean
                && (bean.getValueInstantiator().canCreateUsingDelegate()
                        || bean.getValueInstantiator().canCreateUsingArrayDelegate())) {
            id = ids.bypassed(type.getBeanClass(), "a delegating creator");
        }
        return id == null ? deserializer : new IdDeserializer(type.getType(), id);
    }
}
