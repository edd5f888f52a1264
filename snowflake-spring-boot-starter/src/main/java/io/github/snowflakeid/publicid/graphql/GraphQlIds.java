package io.github.snowflakeid.publicid.graphql;

import graphql.execution.DataFetcherResult;
import graphql.execution.instrumentation.InstrumentationState;
import graphql.execution.instrumentation.SimplePerformantInstrumentation;
import graphql.execution.instrumentation.parameters.InstrumentationFieldFetchParameters;
import graphql.schema.DataFetcher;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLTypeUtil;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import java.beans.PropertyDescriptor;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.convert.Property;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.graphql.data.ArgumentValue;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.Arguments;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.CollectionUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Writes IDs in results in their text form. A scalar of the schema sees a value without the annotations of its attribute, hence the
 * instrumentation. Rejects annotated numbers in arguments, because Spring for GraphQL converts arguments without these annotations.
 */
final class GraphQlIds extends SimplePerformantInstrumentation implements SmartInitializingSingleton {

    private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

    private final ListableBeanFactory beans;
    private final IdTextConverter converter;

    GraphQlIds(ListableBeanFactory beans, IdTextConverter converter) {
        this.beans = beans;
        this.converter = converter;
    }

    @Override
    public DataFetcher<?> instrumentDataFetcher(
            DataFetcher<?> fetcher, InstrumentationFieldFetchParameters parameters, InstrumentationState state) {
        boolean isScalar =
                GraphQLTypeUtil.unwrapAll(parameters.getExecutionStepInfo().getType()) instanceof GraphQLScalarType;
        return !isScalar
                ? fetcher
                : field -> written(
                        fetcher.get(field),
                        field.getSource(),
                        field.getFieldDefinition().getName());
    }

    private @Nullable Object written(@Nullable Object fetched, @Nullable Object source, String attribute) {
        Object value = ObjectUtils.unwrapOptional(fetched);
        if (value instanceof CompletionStage<?> later) {
            return later.thenApply(done -> written(done, source, attribute));
        }
        if (value instanceof DataFetcherResult<?> result) {
            return result.map(data -> written(data, source, attribute));
        }
        if (value instanceof Collection<?> || ObjectUtils.isArray(value)) {
            return CollectionUtils.arrayToList(value instanceof Collection<?> several ? several.toArray() : value)
                    .stream()
                    .map(each -> written(each, source, attribute))
                    .toList();
        }
        if (value == null) {
            return null;
        }
        TypeDescriptor type =
                new TypeDescriptor(ResolvableType.forInstance(value), null, annotations(source, attribute));
        return converter.matches(type, TEXT) ? converter.convert(value, type, TEXT) : value;
    }

    private static Annotation[] annotations(@Nullable Object source, String attribute) {
        Class<?> owner = source == null ? Object.class : source.getClass();
        PropertyDescriptor property = BeanUtils.getPropertyDescriptor(owner, attribute);
        if (property != null && property.getReadMethod() != null) {
            return new TypeDescriptor(
                            new Property(owner, property.getReadMethod(), property.getWriteMethod(), attribute))
                    .getAnnotations();
        }
        Field field = ReflectionUtils.findField(owner, attribute);
        return field == null ? new Annotation[0] : field.getAnnotations();
    }

    /** @throws io.github.snowflakeid.internal.failure.ConfigurationException if an annotation in a controller cannot have an effect */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForAnnotation(Controller.class)) {
            Class<?> controller = ClassUtils.getUserClass(Objects.requireNonNull(beans.getType(name)));
            for (Method method : ReflectionUtils.getUniqueDeclaredMethods(controller)) {
                checkMethod(method);
                for (int i = 0; i < method.getParameterCount(); i++) {
                    MethodParameter parameter = new MethodParameter(method, i);
                    if (parameter.hasParameterAnnotation(Argument.class)
                            || parameter.hasParameterAnnotation(Arguments.class)) {
                        check(new TypeDescriptor(parameter), method.toString(), new HashSet<>());
                    }
                }
            }
        }
    }

    private void checkMethod(Method method) {
        IdTextCodec form = converter.formOf(
                new TypeDescriptor(ResolvableType.forClass(Object.class), null, method.getAnnotations()));
        if (form != null
                && (AnnotatedElementUtils.hasAnnotation(method, SchemaMapping.class)
                        || AnnotatedElementUtils.hasAnnotation(method, BatchMapping.class))) {
            throw PublicIdErrors.misplaced(
                    form, method.toString(), "is on a method, so it would not change the result");
        }
    }

    private void check(TypeDescriptor type, String where, Set<Class<?>> checked) {
        ResolvableType held = type.getResolvableType();
        Class<?> owner = type.getType();
        if (owner == ArgumentValue.class || owner == Optional.class) {
            check(new TypeDescriptor(held.getGeneric(), null, type.getAnnotations()), where, checked);
            return;
        }
        IdType id = IdTextConverter.idTypeIn(held);
        IdTextCodec form = converter.formOf(type);
        if (form != null && (id == null || !id.isTyped())) {
            throw PublicIdErrors.needsType(form, where);
        }
        TypeDescriptor element = type.getElementTypeDescriptor();
        if (element != null) {
            check(element, where, checked);
        } else if (id == null && !owner.getName().startsWith("java.") && checked.add(owner)) {
            ReflectionUtils.doWithFields(owner, field -> check(new TypeDescriptor(field), field.toString(), checked));
        }
    }
}
