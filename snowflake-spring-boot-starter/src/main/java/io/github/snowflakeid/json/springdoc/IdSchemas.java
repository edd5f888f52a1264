package io.github.snowflakeid.json.springdoc;

import com.fasterxml.jackson.databind.JavaType;
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
import io.swagger.v3.oas.models.media.StringSchema;
import java.lang.annotation.Annotation;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Describes IDs as the strings or numbers that clients see in JSON and in requests. Without it, springdoc describes
 * their Java types.
 */
record IdSchemas(JsonIds ids) implements ModelConverter {

    @Override
    @SuppressWarnings("rawtypes") // The overridden method uses the raw type.
    public @Nullable Schema resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> others) {
        Annotation[] own = type.getCtxAnnotations();
        AnnotationLookup annotations =
                AnnotatedElementUtils.forAnnotations(own == null ? new Annotation[0] : own)::getAnnotation;
        JavaType java = Json.mapper().constructType(type.getType());
        JavaType element = java;
        while (element.getContentType() != null) {
            element = element.getContentType();
        }
        JsonId id = ids.of(element.getRawClass(), annotations);
        if (!others.hasNext()) {
            return null;
        }
        if (id == null || java.getContentType() != null) {
            Schema schema = others.next().resolve(type, context, others);
            return id == null || schema == null ? schema : withElements(schema, id.form());
        }
        boolean isNumber = id.form().equals(IdTextCodec.NUMBER);
        AnnotatedType described =
                new AnnotatedType(isNumber ? id.type().plainType() : String.class).ctxAnnotations(own);
        return text(others.next().resolve(described, context, others), id.form());
    }

    /** Replaces the elements or values of a container. Other containers may share the schema of their elements. */
    private static Schema<?> withElements(Schema<?> schema, IdTextCodec form) {
        if (schema.getItems() != null) {
            return schema.items(withElements(schema.getItems(), form));
        }
        if (schema.getAdditionalProperties() instanceof Schema<?> values) {
            return schema.additionalProperties(withElements(values, form));
        }
        return form.equals(IdTextCodec.NUMBER) ? schema : text(new StringSchema().types(Set.of("string")), form);
    }

    private static Schema<?> text(Schema<?> schema, IdTextCodec form) {
        if (!form.isPlain()) {
            // 0 is never the ID of a row.
            schema.pattern(form.pattern()).example(schema.getExample() == null ? form.format(0) : schema.getExample());
        }
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
                && ("string".equals(schema.getType())
                        || (schema.getTypes() != null && schema.getTypes().contains("string")));
    }
}
