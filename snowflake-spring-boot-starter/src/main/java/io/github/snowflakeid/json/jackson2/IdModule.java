package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.StdValueInstantiator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.databind.ser.std.JsonValueSerializer;
import io.github.snowflakeid.internal.json.JacksonModuleRegistrar;
import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;

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
    public Object register(Object mapper) {
        return mapper instanceof ObjectMapper jackson ? jackson.registerModule(this) : mapper;
    }

    /**
     * Writes typed IDs as the IDs that they wrap. A serializer of the application, or one that an annotation of Jackson
     * specifies, takes precedence.
     */
    private final class Serializers extends BeanSerializerModifier {

        @Override
        public JsonSerializer<?> modifySerializer(
                SerializationConfig config, BeanDescription type, JsonSerializer<?> serializer) {
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
        public JsonSerializer<?> modifyKeySerializer(
                SerializationConfig config, JavaType key, BeanDescription type, JsonSerializer<?> serializer) {
            JsonId id = ids.ofType(key.getRawClass(), type.getClassInfo()::getAnnotation, serializer, false, null);
            return id == null ? serializer : new IdSerializer(id, true);
        }
    }

    /**
     * Reads typed IDs from the IDs that they wrap. A deserializer of the application, or one that an annotation of
     * Jackson specifies, takes precedence.
     */
    private final class Deserializers extends BeanDeserializerModifier {

        @Override
        public BeanDeserializerBuilder updateBuilder(
                DeserializationConfig config, BeanDescription type, BeanDeserializerBuilder builder) {
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
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription type, JsonDeserializer<?> deserializer) {
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
