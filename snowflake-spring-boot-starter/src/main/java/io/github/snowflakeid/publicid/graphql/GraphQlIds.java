package io.github.snowflakeid.publicid.graphql;

import graphql.execution.DataFetcherResult;
import graphql.execution.instrumentation.InstrumentationState;
import graphql.execution.instrumentation.SimplePerformantInstrumentation;
import graphql.execution.instrumentation.parameters.InstrumentationFieldFetchParameters;
import graphql.schema.DataFetcher;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.Arguments;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;
import org.springframework.util.ReflectionUtils.MethodFilter;
import reactor.core.publisher.Flux;

/**
 * Writes IDs in results in their text form. A scalar of the schema sees a value without the annotations of its
 * attribute, hence the instrumentation. Rejects annotated numbers in arguments, because Spring for GraphQL converts
 * arguments without these annotations.
 */
final class GraphQlIds extends SimplePerformantInstrumentation implements SmartInitializingSingleton {

    private final ListableBeanFactory beans;
    private final IdTextConverter converter;

    GraphQlIds(ListableBeanFactory beans, IdTextConverter converter) {
        this.beans = beans;
        this.converter = converter;
    }

    @Override
    public DataFetcher<?> instrumentDataFetcher(
            DataFetcher<?> fetcher, InstrumentationFieldFetchParameters parameters, InstrumentationState state) {
        GraphQLType type =
                GraphQLTypeUtil.unwrapNonNull(parameters.getExecutionStepInfo().getType());
        if (!(GraphQLTypeUtil.unwrapAll(type) instanceof GraphQLScalarType)) {
            return fetcher;
        }
        return field -> {
            Object owner = field.getSource() == null ? this : field.getSource();
            String attribute = field.getFieldDefinition().getName();
            return written(
                    fetcher.get(field),
                    value -> converter.write(GraphQLTypeUtil.isList(type) ? list(value) : value, owner, attribute));
        };
    }

    private static @Nullable Object written(@Nullable Object fetched, Function<Object, @Nullable Object> write) {
        if (fetched instanceof CompletionStage<?> later) {
            return later.thenApply(done -> written(done, write));
        }
        if (fetched instanceof DataFetcherResult<?> result) {
            return result.map(data -> written(data, write));
        }
        if (fetched instanceof Publisher<?> events) {
            return Flux.from(events).mapNotNull(event -> written(event, write));
        }
        return fetched == null ? null : write.apply(fetched);
    }

    /** Returns the elements of anything that may be the value of a list. */
    private static Object list(Object value) {
        if (value instanceof Stream<?> elements) {
            return elements.toList();
        }
        return value instanceof Iterable<?> elements
                ? StreamSupport.stream(elements.spliterator(), false).toList()
                : value;
    }

    /**
     * @throws io.github.snowflakeid.failure.ConfigurationException if an annotation in a controller cannot
     *     have an effect
     */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForAnnotation(Controller.class)) {
            for (Method method : MethodIntrospector.selectMethods(
                    Objects.requireNonNull(beans.getType(name)), (MethodFilter) GraphQlIds::isMapped)) {
                AnnotatedMethod handler = new AnnotatedMethod(method);
                converter.reject(
                        handler::getMethodAnnotation,
                        method.toString(),
                        "is on a method, so it would not change the result");
                for (MethodParameter parameter : handler.getMethodParameters()) {
                    if (parameter.hasParameterAnnotation(Argument.class)
                            || parameter.hasParameterAnnotation(Arguments.class)) {
                        converter.visit(new TypeDescriptor(parameter), method.toString(), this::check);
                    }
                }
            }
        }
    }

    private static boolean isMapped(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, SchemaMapping.class)
                || AnnotatedElementUtils.hasAnnotation(method, BatchMapping.class);
    }

    private void check(TypeDescriptor type, String where) {
        IdType id = IdTextConverter.idTypeIn(type.getResolvableType());
        IdTextCodec form = converter.formOf(type);
        if (form != null && (id == null || !id.isMarked())) {
            throw PublicIdErrors.needsType("Spring for GraphQL", form, where);
        }
    }
}
