package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.StdValueInstantiator;

/**
 * Reads typed IDs from the IDs that they wrap. A deserializer of the application, or one that an annotation of Jackson specifies, takes
 * precedence.
 */
final class IdDeserializerModifier extends ValueDeserializerModifier {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
    private final JsonIds ids;

    IdDeserializerModifier(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription.Supplier type, BeanDeserializerBuilder builder) {
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
    public ValueDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription.Supplier type, ValueDeserializer<?> deserializer) {
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
