package io.github.snowflakeid.json.springdoc;

import com.fasterxml.jackson.databind.node.NumericNode;
import io.github.snowflakeid.internal.json.JsonId;
import io.github.snowflakeid.internal.json.JsonIds;
import io.github.snowflakeid.internal.text.AnnotationLookup;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.annotation.Annotation;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Describes IDs as the strings or numbers that clients see in JSON and in requests. Without it, springdoc describes
 * their Java types.
 */
final class IdSchemas implements ModelConverter {

    private static final String INTEGER = "integer";
    private static final String STRING = "string";

    private final JsonIds ids;

    IdSchemas(JsonIds ids) {
        this.ids = ids;
    }

    @Override
    @SuppressWarnings("rawtypes") // The overridden method uses the raw type.
    public @Nullable Schema resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> others) {
        Annotation[] own = type.getCtxAnnotations();
        AnnotationLookup annotations =
                AnnotatedElementUtils.forAnnotations(own == null ? new Annotation[0] : own)::getAnnotation;
        JsonId id = ids.of(Json.mapper().constructType(type.getType()).getRawClass(), annotations);
        if (!others.hasNext()) {
            return null;
        }
        AnnotatedType described =
                id != null && id.type().isTyped() ? new AnnotatedType(id.type().plainType()).ctxAnnotations(own) : type;
        Schema schema = others.next().resolve(described, context, others);
        describe(schema, id == null ? ids.formOf(annotations) : id.form());
        return schema;
    }

    /** Makes examples of strings texts. They were read as numbers, because springdoc considers the Java type. */
    static void correctExamples(OpenAPI api) {
        if (api.getComponents() != null && api.getComponents().getSchemas() != null) {
            api.getComponents().getSchemas().values().forEach(IdSchemas::correctExamples);
        }
        api.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .flatMap(operation ->
                        Stream.ofNullable(operation.getParameters()).flatMap(List::stream))
                .filter(parameter -> isText(parameter.getSchema(), parameter.getExample()))
                .forEach(
                        parameter -> parameter.setExample(parameter.getExample().toString()));
    }

    private static void correctExamples(Schema<?> schema) {
        if (isText(schema, schema.getExample())) {
            schema.setExample(schema.getExample().toString());
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(IdSchemas::correctExamples);
        }
    }

    private static boolean isText(@Nullable Schema<?> schema, @Nullable Object example) {
        return (example instanceof Number || example instanceof NumericNode)
                && schema != null
                && (STRING.equals(schema.getType())
                        || (schema.getTypes() != null && schema.getTypes().contains(STRING)));
    }

    private static void describe(@Nullable Schema<?> schema, @Nullable IdTextCodec form) {
        if (schema == null || form == null || form.equals(IdTextCodec.NUMBER)) {
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
            if (!form.equals(IdTextCodec.STRING)) {
                // 0 is never the ID of a row.
                schema.pattern(form.pattern())
                        .example(schema.getExample() == null ? form.format(0) : schema.getExample());
            }
        }
        describe(schema.getItems(), form);
        if (schema.getAdditionalProperties() instanceof Schema<?> values) {
            describe(values, form);
        }
    }
}
