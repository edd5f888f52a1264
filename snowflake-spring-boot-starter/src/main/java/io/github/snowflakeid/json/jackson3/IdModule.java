package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.json.JacksonModuleRegistrar;
import io.github.snowflakeid.internal.json.JsonIds;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** The Jackson module that writes and reads IDs as {@link JsonIds} determines. */
final class IdModule extends JacksonModule implements JacksonModuleRegistrar {

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
        context.addSerializerModifier(new IdSerializerModifier(ids));
        context.addDeserializerModifier(new IdDeserializerModifier(ids));
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
}
