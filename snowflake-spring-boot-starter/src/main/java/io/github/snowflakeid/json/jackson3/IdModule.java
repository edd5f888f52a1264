package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.json.JacksonModuleRegistrar;
import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.ser.jackson.JsonValueSerializer;

/** The Jackson module that writes and reads IDs as {@link JsonIds} determines. */
@SuppressWarnings("serial") // Mappers with this module are not meant to be serialized.
final class IdModule extends SimpleModule implements JacksonModuleRegistrar {

    private final JsonIds ids;

    IdModule(JsonIds ids) {
        this.ids = ids;
        setSerializerModifier(new Serializers());
        setDeserializerModifier(new Deserializers());
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.insertAnnotationIntrospector(new IdIntrospector(ids));
    }

    @Override
    public @Nullable Object register(Object mapper) {
        if (!(mapper instanceof ObjectMapper jackson)
                || jackson.registeredModules().stream().anyMatch(IdModule.class::isInstance)) {
            return mapper;
        }
        return jackson instanceof JsonMapper
                ? null
                : jackson.rebuild().addModule(this).build();
    }

    /**
     * Writes typed IDs as the IDs that they wrap. A serializer of the application, or one that an annotation of Jackson
     * specifies, takes precedence.
     */
    private final class Serializers extends ValueSerializerModifier {

        @Override
        public ValueSerializer<?> modifySerializer(
                SerializationConfig config, BeanDescription.Supplier type, ValueSerializer<?> serializer) {
            boolean isValue = serializer instanceof JsonValueSerializer;
            JsonId id = ids.ofType(
                    type.getBeanClass(),
                    type.getClassInfo()::getAnnotation,
                    serializer,
                    isValue || serializer instanceof BeanSerializerBase || serializer instanceof UnknownSerializer,
                    isValue ? "@JsonValue" : null);
            return id == null ? serializer : new IdSerializer(id, false);
        }

        @Override
        public ValueSerializer<?> modifyKeySerializer(
                SerializationConfig config,
                JavaType key,
                BeanDescription.Supplier type,
                ValueSerializer<?> serializer) {
            JsonId id = ids.ofType(key.getRawClass(), type.getClassInfo()::getAnnotation, serializer, false, null);
            return id == null ? serializer : new IdSerializer(id, true);
        }
    }

    /**
     * Reads typed IDs from the IDs that they wrap. A deserializer of the application, or one that an annotation of
     * Jackson specifies, takes precedence.
     */
    private final class Deserializers extends ValueDeserializerModifier {

        @Override
        public BeanDeserializerBuilder updateBuilder(
                DeserializationConfig config, BeanDescription.Supplier type, BeanDeserializerBuilder builder) {
            // Stops Jackson from calling a constructor that takes only a number. Kotlin's instantiator is left
            // alone, because it handles default arguments.
            if (builder.getValueInstantiator() instanceof StdValueInstantiator creators
                    && (creators.canCreateFromInt()
                            || creators.canCreateFromLong()
                            || creators.canCreateFromBigInteger())
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
            boolean isDelegating = deserializer instanceof BeanDeserializerBase bean
                    && (bean.getValueInstantiator().canCreateUsingDelegate()
                            || bean.getValueInstantiator().canCreateUsingArrayDelegate());
            JsonId id = ids.ofType(
                    type.getBeanClass(),
                    type.getClassInfo()::getAnnotation,
                    deserializer,
                    deserializer instanceof BeanDeserializerBase,
                    isDelegating ? "a delegating creator" : null);
            return id == null ? deserializer : new IdDeserializer(id.javaType(), id);
        }
    }
}
