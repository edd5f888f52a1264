package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextCodecs;
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

/** Ids in parameters of controllers, in what Spring MVC and WebFlux have in common. */
final class RequestIds {

    private static final List<Class<? extends Annotation>> WITH_DEFAULTS =
            List.of(RequestParam.class, RequestHeader.class, CookieValue.class, MatrixVariable.class);

    private final ObjectProvider<PublicIds> publicIds;
    private final IdTextCodecs forms;
    private final IdTextConverter converter;

    /** The initializer of the application that cannot have the conversion; null if there is none. */
    private @Nullable WebBindingInitializer foreign;

    /** Whether there are texts to convert. Which of the two is known first is up to Spring. */
    private boolean isNeeded;

    RequestIds(ObjectProvider<PublicIds> publicIds) {
        this.publicIds = publicIds;
        forms = new IdTextCodecs(publicIds::getIfAvailable);
        converter = new IdTextConverter(forms);
    }

    /** Lets links to controllers have ids as text. */
    void addConverter(ConverterRegistry registry) {
        registry.addConverter(converter);
    }

    /**
     * Lets parameters be bound to ids.
     *
     * @param initializer that of the adapter that calls controllers
     * @return the one that it should have
     * @throws ConfigurationException if it cannot have the conversion, and there are texts to convert
     */
    WebBindingInitializer binding(@Nullable WebBindingInitializer initializer) {
        WebBindingInitializer bound = initializer == null ? new ConfigurableWebBindingInitializer() : initializer;
        if (bound instanceof ConfigurableWebBindingInitializer configurable) {
            configurable.setConversionService(conversion(configurable.getConversionService()));
            BindingErrorProcessor errors = configurable.getBindingErrorProcessor();
            configurable.setBindingErrorProcessor(
                    new UnwrappedErrors(errors == null ? new DefaultBindingErrorProcessor() : errors));
        } else {
            foreign = bound;
            isNeeded |= publicIds.getIfAvailable() != null;
            rejectForeign();
        }
        return bound;
    }

    /** @param others null if all else is up to property editors; a service that can do nothing leaves it so */
    private RequestConversion conversion(@Nullable ConversionService others) {
        return new RequestConversion(others == null ? new GenericConversionService() : others, converter);
    }

    /** @throws ConfigurationException if an annotation on one of these could not do what it promises */
    void check(Collection<HandlerMethod> handlers) {
        for (HandlerMethod handler : handlers) {
            IdTextCodec ofMethod = forms.of(handler::getMethodAnnotation);
            if (ofMethod != null) {
                throw PublicIdErrors.misplaced(
                        ofMethod, handler.toString(), "stands on a method, and so would not change its result");
            }
            checkValueClasses(handler);
            for (MethodParameter parameter : handler.getMethodParameters()) {
                check(handler, parameter);
            }
        }
        rejectForeign();
    }

    private void rejectForeign() {
        if (foreign != null && isNeeded) {
            throw PublicIdErrors.notBound(foreign);
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
                        "is on value class %s, which Spring takes for the number it wraps: let it be a data class"
                                .formatted(type.getName()));
            }
        }
    }

    private void check(HandlerMethod handler, MethodParameter parameter) {
        String where = "parameter %d of %s".formatted(parameter.getParameterIndex() + 1, handler);
        if (parameter.hasParameterAnnotation(RequestBody.class)
                || parameter.hasParameterAnnotation(RequestPart.class)) {
            IdTextCodec ofBody = forms.of(parameter::getParameterAnnotation);
            if (ofBody != null) {
                throw PublicIdErrors.misplaced(ofBody, where, "stands on a body, and so would not change it");
            }
            return;
        }
        IdTextCodec form = converter.formOf(new TypeDescriptor(parameter));
        if (form == null || form instanceof PlainIdCodec) {
            return;
        }
        RequestConversion.requireIds(form, ResolvableType.forMethodParameter(parameter), where);
        // Needs a key, and a type that is neither empty nor too long.
        form.format(0);
        checkDefault(form, parameter, where);
        isNeeded = true;
    }

    /** Else each request without the parameter would have the answer to a bad text. */
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

    /** Throws what {@link RequestConversion} throws also for attributes with setters. Spring would report a field error, with the text. */
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
