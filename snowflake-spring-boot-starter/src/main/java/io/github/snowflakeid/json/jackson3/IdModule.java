package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.json.JsonProperties;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/** Adds what Jackson does not do by {@code @JsonFormat} alone. */
final class IdModule extends JacksonModule {

    private final JsonProperties properties;

    IdModule(JsonProperties properties) {
        this.properties = properties;
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
        context.appendAnnotationIntrospector(new IdAnnotations(properties.idsAsStrings()));
    }
}
