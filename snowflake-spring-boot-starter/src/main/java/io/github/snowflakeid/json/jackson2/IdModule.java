package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import io.github.snowflakeid.json.JsonProperties;

/** Adds what Jackson does not do by {@code @JsonFormat} alone. */
final class IdModule extends Module {

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
