package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.json.JacksonModuleRegistrar;
import io.github.snowflakeid.json.JsonProperties;
import io.github.snowflakeid.publicid.TextForms;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Adds ids that are text, and what Jackson does not do by {@code @JsonFormat} alone. */
final class IdModule extends JacksonModule implements JacksonModuleRegistrar {

    private final JsonProperties properties;
    private final TextForms forms;

    IdModule(JsonProperties properties, TextForms forms) {
        this.properties = properties;
        this.forms = forms;
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
        IdAnnotations annotations = IdAnnotations.inTextForms(forms);
        context.insertAnnotationIntrospector(annotations);
        context.appendAnnotationIntrospector(IdAnnotations.asStrings(properties.idsAsStrings()));
        context.addSerializerModifier(new ClassSerializers(annotations));
        context.addDeserializerModifier(new ClassDeserializers(annotations));
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
