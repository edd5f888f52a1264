package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.AnnotationLookup;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextCodecs;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.KotlinValueClasses;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import io.github.snowflakeid.text.PublicIds;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyAccessException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.http.HttpEntity;
import org.springframework.validation.BindingResult;
import org.springframework.validation.DefaultBindingErrorProcessor;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ResponseStatusException;

/** Supports IDs in controller parameters. Contains the parts that Spring MVC and WebFlux have in common. */
final class RequestIds {

    private final ObjectProvider<PublicIds> publicIds;
    private final IdTextConverter converter;

    RequestIds(ObjectProvider<PublicIds> publicIds) {
        this.publicIds = publicIds;
        converter = new IdTextConverter(new IdTextCodecs(publicIds::getIfAvailable));
    }

    /** Makes links to controllers contain IDs in their text form. */
    void addConverter(ConverterRegistry registry) {
        registry.addConverter(converter);
    }

    /**
     * Makes parameters of controllers accept IDs in their text form.
     *
     * @param initializer the initializer of the adapter that calls controllers
     * @return the initializer that the adapter should use
     * @throws ConfigurationException if the initializer does not support conversion services, and there are public IDs
     */
    WebBindingInitializer binding(@Nullable WebBindingInitializer initializer) {
        WebBindingInitializer bound = initializer == null ? new ConfigurableWebBindingInitializer() : initializer;
        if (bound instanceof ConfigurableWebBindingInitializer configurable) {
            ConversionService others = configurable.getConversionService();
            // An empty service converts nothing, so the property editors of the application still apply.
            configurable.setConversionService(
                    new RequestConversion(others == null ? new GenericConversionService() : others, converter));
            if (configurable.getBindingErrorProcessor() == null) {
                configurable.setBindingErrorProcessor(new UnwrappedErrors());
            }
        } else if (publicIds.getIfAvailable() != null) {
            throw PublicIdErrors.notBound(bound);
        }
        return bound;
    }

    /**
     * @throws ConfigurationException if an annotation on a controller method or its parameters cannot have an effect
     */
    void check(Collection<HandlerMethod> handlers) {
        for (HandlerMethod handler : handlers) {
            converter.reject(
                    handler::getMethodAnnotation,
                    handler.toString(),
                    "is on a method, so it would not change the result");
            checkValueClasses(handler);
            for (MethodParameter parameter : handler.getMethodParameters()) {
                check(handler, parameter);
            }
        }
    }

    private void checkValueClasses(HandlerMethod handler) {
        for (Class<?> type : KotlinValueClasses.in(handler.getMethod())) {
            converter.reject(
                    AnnotationLookup.of(List.of(type)),
                    handler.toString(),
                    "is on value class %s, which Spring treats as the number that it wraps: use a data class instead"
                            .formatted(type.getName()));
        }
    }

    private void check(HandlerMethod handler, MethodParameter parameter) {
        String where = "parameter %s of %s".formatted(parameter.getParameterIndex() + 1, handler);
        if (isBody(parameter)) {
            converter.reject(
                    parameter::getParameterAnnotation, where, "is on a request body, so it would not change the body");
            return;
        }
        // Without such an annotation, an object is created from several parameters of the request. A continuation is
        // the result.
        if (!isSingle(parameter) && !parameter.getParameterType().getName().startsWith("kotlin.")) {
            converter.visit(new TypeDescriptor(parameter), where, this::checkBound);
        }
        IdTextCodec form = converter.formOf(new TypeDescriptor(parameter));
        if (form != null && !form.isPlain()) {
            RequestConversion.requireIds(form, ResolvableType.forMethodParameter(parameter), where);
            // Fails if no key is configured, or if the type is empty or too long.
            form.format(0);
        }
    }

    static boolean isBody(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(RequestBody.class)
                || parameter.hasParameterAnnotation(RequestPart.class)
                || HttpEntity.class.isAssignableFrom(parameter.getParameterType());
    }

    /**
     * Rejects a class that Spring would create from its only attribute, which has no annotation, for
     * {@code order.value=42}.
     */
    private void checkBound(TypeDescriptor type, String where) {
        IdType id = IdTextConverter.idTypeIn(type.getResolvableType());
        IdTextCodec form = converter.formOf(type);
        if (form != null && !form.isPlain() && id != null && id.isTyped() && !id.isMarked()) {
            throw PublicIdErrors.needsType("Spring", form, where);
        }
    }

    /** Returns whether the parameter of the controller is one parameter of the request. */
    private static boolean isSingle(MethodParameter parameter) {
        return Stream.of(parameter.getParameterAnnotations())
                .anyMatch(each -> !(each instanceof ModelAttribute)
                        && each.annotationType().getPackage().equals(RequestParam.class.getPackage()));
    }

    /**
     * Rethrows the exceptions of {@link RequestConversion} for attributes with setters. Spring would turn them into
     * field errors that contain the text.
     */
    private static final class UnwrappedErrors extends DefaultBindingErrorProcessor {

        @Override
        public void processPropertyAccessException(PropertyAccessException error, BindingResult result) {
            if (error.getCause() instanceof ResponseStatusException answer) {
                throw answer;
            }
            if (error.getCause() instanceof ConfigurationException failure) {
                throw failure;
            }
            super.processPropertyAccessException(error, result);
        }
    }
}
