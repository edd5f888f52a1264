package io.github.snowflakeid.json.springdoc;

import io.github.snowflakeid.json.JsonIds;
import io.github.snowflakeid.publicid.AnnotationLookup;
import io.github.snowflakeid.publicid.PlainForm;
import io.github.snowflakeid.publicid.TextForm;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.ParameterCustomizer;
import org.springdoc.core.customizers.PropertyCustomizer;
import org.springframework.core.MethodParameter;

/**
 * Makes strings of integers in the schemas of ids, and says what these look like: springdoc looks at the type of an attribute or a
 * parameter, not at its format.
 */
final class IdSchemas implements PropertyCustomizer, ParameterCustomizer {

    private static final String INTEGER = "integer";
    private static final String STRING = "string";

    private final JsonIds ids;

    IdSchemas(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    @SuppressWarnings("rawtypes") // As springdoc has it.
    public Schema customize(Schema attribute, AnnotatedType type) {
        if (type.getCtxAnnotations() != null) {
            describe(attribute, ids.formOf(AnnotationLookup.of(type.getCtxAnnotations())));
        }
        return attribute;
    }

    @Override
    public @Nullable Parameter customize(@Nullable Parameter model, MethodParameter parameter) {
        if (model != null && model.getSchema() != null) {
            describe(model.getSchema(), ids.formOf(parameter::getParameterAnnotation));
        }
        return model;
    }

    private static void describe(Schema<?> schema, @Nullable TextForm form) {
        if (form == null || form == PlainForm.NUMBER) {
            return;
        }
        Set<String> types = schema.getTypes() == null ? Set.of() : schema.getTypes();
        boolean isInteger = false;
        if (INTEGER.equals(schema.getType())) {
            schema.type(STRING);
            isInteger = true;
        }
        if (types.contains(INTEGER)) {
            Set<String> withString = new LinkedHashSet<>(types);
            withString.remove(INTEGER);
            withString.add(STRING);
            schema.types(withString);
            isInteger = true;
        }
        if (isInteger) {
            schema.format(null);
            if (form != PlainForm.STRING) {
                // No row has it.
                schema.pattern(form.pattern()).example(form.format(0));
            }
        }
        if (schema.getItems() != null) {
            describe(schema.getItems(), form);
        }
        if (schema.getAdditionalProperties() instanceof Schema<?> values) {
            describe(values, form);
        }
    }
}
