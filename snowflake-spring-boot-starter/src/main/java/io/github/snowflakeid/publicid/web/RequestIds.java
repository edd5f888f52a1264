package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextCodecs;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PlainIdCodec;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import io.github.snowflakeid.text.PublicIds;
import java.lang.annotation.Annotation;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyAccessException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.validation.BindingErrorProcessor;
import org.springframework.validation.BindingResult;
import org.springframework.validation.DefaultBindingErrorProcessor;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.MatrixVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ResponseStatusException;

/** Supports IDs in controller parameters. Contains the parts that Spring MVC and WebFlux have in common. */
final class RequestIds {

    private static final List<Class<? extends Annotation>> WITH_DEFAULTS =
            List.of(RequestParam.class, RequestHeader.class, CookieValue.class, MatrixVariable.class);

    private final ObjectProvider<PublicIds> publicIds;
    private final IdTextCodecs forms;
    private final IdTextConverter converter;

    /** The initializer of the application, if it does not support conversion services; null otherwise. */
    private @Nullable WebBindingInitializer unsupported;

    /**
     * Whether any parameter has a text form. Either this or {@link #unsupported} may be known first, depending on the order in which Spring
     * creates beans.
     */
    private boolean isNeeded;

    RequestIds(ObjectProvider<PublicIds> publicIds) {
        this.publicIds = publicIds;
        forms = new IdTextCodecs(publicIds::getIfAvailable);
        converter = new IdTextConverter(forms);
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
     * @throws ConfigurationException if the initializer does not support conversion services, and parameters have text forms
     */
    WebBindingInitializer binding(@Nullable WebBindingInitializer initializer) {
        WebBindingInitializer bound = initializer == null ? new ConfigurableWebBindingInitializer() : initializer;
        if (bound instanceof ConfigurableWebBindingInitializer configurable) {
            configurable.setConversionService(conversion(configurable.getConversionService()));
            BindingErrorProcessor errors = configurable.getBindingErrorProcessor();
            configurable.setBindingErrorProcessor(
                    new UnwrappedErrors(errors == null ? new DefaultBindingErrorProcessor() : errors));
        } else {
            unsupported = bound;
            isNeeded |= publicIds.getIfAvailable() != null;
            rejectUnsupported();
        }
        return bound;
    }

    /**
     * @param others null if the application relies on property editors; the empty service used instead converts nothing, so they still
     *     apply
     */
    private RequestConversion conversion(@Nullable ConversionService others) {
        return new RequestConversion(others == null ? new GenericConversionService() : others, converter);
    }

    /** @throws ConfigurationException if an annotation on a controller method or its parameters cannot have an effect */
    void check(Collection<HandlerMethod> handlers) {
        for (HandlerMethod handler : handlers) {
            IdTextCodec ofMethod = forms.of(handler::getMethodAnnotation);
            if (ofMethod != null) {
                throw PublicIdErrors.misplaced(
                        ofMethod, handler.toString(), "is on a method, so it would not change the result");
            }
            checkValueClasses(handler);
            for (MethodParameter parameter : handler.getMethodParameters()) {
                check(handler, parameter);
            }
        }
        rejectUnsupported();
    }

    private void rejectUnsupported() {
        if (unsupported != null && isNeeded) {
            throw PublicIdErrors.notBound(unsupported);
        }
    }

    private void checkValueClasses(HandlerMethod handler) {
        if (!KotlinDetector.isKotlinReflectPresent() || !KotlinDetector.isKotlinType(handler.getBeanType())) {
            return;
        }
        for (Class<?> type : KotlinValueClasses.in(handler.getMethod())) {
            IdType id = IdTextCodecs.idType(type);
            IdTextCodec form = id == null || !id.isTyped() ? null : forms.of(id::annotation);
            if (form != null) {
                throw PublicIdErrors.misplaced(
                        form,
                        handler.toString(),
                        "is on value class %s, which Spring treats as the number that it wraps: use a data class instead"
                                .formatted(type.getName()));
            }
        }
    }

    private void check(HandlerMethod handler, MethodParameter parameter) {
        String where = "parameter %s of %s".formatted(parameter.getParameterIndex() + 1, handler);
        if (parameter.hasParameterAnnotation(RequestBody.class)
                || parameter.hasParameterAnnotation(RequestPart.class)) {
            IdTextCodec ofBody = forms.of(parameter::getParameterAnnotation);
            if (ofBody != null) {
                throw PublicIdErrors.misplaced(ofBody, where, "is on a request body, so it would not change the body");
            }
            return;
        }
        IdTextCodec form = converter.formOf(new TypeDescriptor(parameter));
        if (form == null || form instanceof PlainIdCodec) {
            return;
        }
        RequestConversion.requireIds(form, ResolvableType.forMethodParameter(parameter), where);
        // Fails if no key is configured, or if the type is empty or too long.
        form.format(0);
        checkDefault(form, parameter, where);
        isNeeded = true;
    }

    /** Rejects an invalid default, which would cause an error for every request without the parameter. */
    private void checkDefault(IdTextCodec form, MethodParameter parameter, String where) {
        MergedAnnotations annotations = MergedAnnotations.from(parameter.getParameterAnnotations());
        for (Class<? extends Annotation> each : WITH_DEFAULTS) {
            String text =
                    annotations.get(each).getValue("defaultValue", String.class).orElse(ValueConstants.DEFAULT_NONE);
            boolean isComputed = text.contains("${") || text.contains("#{");
            if (!text.equals(ValueConstants.DEFAULT_NONE) && !isComputed) {
                try {
                    conversion(null).convert(text, TypeDescriptor.valueOf(String.class), new TypeDescriptor(parameter));
                } catch (RuntimeException e) {
                    throw PublicIdErrors.badDefault(form, where, text);
                }
            }
        }
    }

    /**
     * Rethrows the exceptions of {@link RequestConversion} for attributes with setters. Spring would turn them into field errors that
     * contain the text.
     */
    private record UnwrappedErrors(BindingErrorProcessor usual) implements BindingErrorProcessor {

        @Override
        public void processMissingFieldError(String field, BindingResult result) {
            usual.processMissingFieldError(field, result);
        }

        @Override
        public void processPropertyAccessException(PropertyAccessException error, BindingResult result) {
            if (error.getCause() instanceof ResponseStatusException answer) {
                throw answer;
            }
            if (error.getCause() instanceof ConfigurationException failure) {
                throw failure;
            }
            usual.processPropertyAccessException(error, result);
        }
    }
}
