package io.github.snowflakeid.json.springdoc;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.json.JsonProperties;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.lang.annotation.Annotation;
import java.util.LinkedHashSet;
import java.util.List;
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

    private final JsonProperties properties;
    private final TextForms forms;

    IdSchemas(JsonProperties properties, TextForms forms) {
        this.properties = properties;
        this.forms = forms;
    }

    @Override
    @SuppressWarnings("rawtypes") // As springdoc has it.
    public Schema customize(Schema attribute, AnnotatedType type) {
        Annotation @Nullable [] annotations = type.getCtxAnnotations();
        if (annotations != null) {
            @Nullable TextForm form = forms.of(find(PublicId.class, annotations), find(IdText.class, annotations));
            if (form != null || isString(List.of(annotations))) {
                describe(attribute, form);
            }
        }
        return attribute;
    }

    @Override
    public @Nullable Parameter customize(@Nullable Parameter model, MethodParameter parameter) {
        @Nullable
        TextForm form = forms.of(
                parameter.getParameterAnnotation(PublicId.class), parameter.getParameterAnnotation(IdText.class));
        if (form != null && model != null && model.getSchema() != null) {
            describe(model.getSchema(), form);
        }
        return model;
    }

    private static <A extends Annotation> @Nullable A find(Class<A> type, Annotation[] annotations) {
        for (Annotation each : annotations) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return null;
    }

    /** As the modules for Jackson decide it: a format beside {@link SnowflakeId} comes first. */
    private boolean isString(List<Annotation> annotations) {
        boolean isId = false;
        for (Annotation each : annotations) {
            if (each instanceof IdAsString) {
                return true;
            }
            if (each instanceof JsonFormat format && format.shape() != Shape.ANY && format.shape() != Shape.STRING) {
                return false;
            }
            isId |= properties.idsAsStrings() && each instanceof SnowflakeId;
        }
        return isId;
    }

    private static void describe(Schema<?> schema, @Nullable TextForm form) {
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
            if (form != null) {
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
