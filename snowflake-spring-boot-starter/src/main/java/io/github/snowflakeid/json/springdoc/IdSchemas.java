package io.github.snowflakeid.json.springdoc;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.json.JsonProperties;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.annotation.Annotation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.PropertyCustomizer;

/** Makes strings of integers in the schemas of ids: springdoc looks at the type of an attribute, not at its format. */
final class IdSchemas implements PropertyCustomizer {

    private static final String INTEGER = "integer";
    private static final String STRING = "string";

    private final JsonProperties properties;

    IdSchemas(JsonProperties properties) {
        this.properties = properties;
    }

    @Override
    @SuppressWarnings("rawtypes") // As springdoc has it.
    public Schema customize(Schema attribute, AnnotatedType type) {
        Annotation @Nullable [] annotations = type.getCtxAnnotations();
        if (annotations != null && isString(List.of(annotations))) {
            describe(attribute);
        }
        return attribute;
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

    private static void describe(Schema<?> schema) {
        Set<String> types = schema.getTypes() == null ? Set.of() : schema.getTypes();
        if (INTEGER.equals(schema.getType())) {
            schema.type(STRING).format(null);
        }
        if (types.contains(INTEGER)) {
            Set<String> withString = new LinkedHashSet<>(types);
            withString.remove(INTEGER);
            withString.add(STRING);
            schema.types(withString).format(null);
        }
        if (schema.getItems() != null) {
            describe(schema.getItems());
        }
        if (schema.getAdditionalProperties() instanceof Schema<?> values) {
            describe(values);
        }
    }
}
