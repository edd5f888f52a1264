package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.snowflakeid.internal.json.JacksonModuleRegistrar;
import io.github.snowflakeid.internal.json.JsonIds;

/** The Jackson module that writes and reads IDs as {@link JsonIds} determines. */
final class IdModule extends Module implements JacksonModuleRegistrar {

    private final JsonIds ids;

    IdModule(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    public String getModuleName() {
        return IdModule.class.getName();
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        context.insertAnnotationIntrospector(new IdIntrospector(ids));
        context.addBeanSerializerModifier(new IdSerializerModifier(ids));
        context.addBeanDeserializerModifier(new IdDeserializerModifier(ids));
    }

    @Override
    public Object register(Object mapper) {
        return mapper instanceof ObjectMapper jackson ? jackson.registerModule(this) : mapper;
    }
}
