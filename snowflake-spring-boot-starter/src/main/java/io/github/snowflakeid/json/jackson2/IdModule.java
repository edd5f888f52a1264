package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.snowflakeid.json.JacksonModuleRegistrar;
import io.github.snowflakeid.json.JsonProperties;
import io.github.snowflakeid.publicid.TextForms;

/** Adds ids that are text, and what Jackson does not do by {@code @JsonFormat} alone. */
final class IdModule extends Module implements JacksonModuleRegistrar {

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
        context.addBeanSerializerModifier(new ClassSerializers(annotations));
        context.addBeanDeserializerModifier(new ClassDeserializers(annotations));
    }

    @Override
    public Object register(Object mapper) {
        return mapper instanceof ObjectMapper jackson ? jackson.registerModule(this) : mapper;
    }
}
