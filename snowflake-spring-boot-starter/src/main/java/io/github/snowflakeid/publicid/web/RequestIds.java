package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.publicid.PublicIdFailure;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import io.github.snowflakeid.text.PublicIds;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;
import org.springframework.web.method.HandlerMethod;

/** Ids in parameters of controllers, in what Spring MVC and WebFlux have in common. */
final class RequestIds {

    private final TextForms forms;
    private final IdTextConverter converter;

    RequestIds(ObjectProvider<PublicIds> publicIds) {
        forms = new TextForms(publicIds::getIfAvailable);
        converter = new IdTextConverter(forms);
    }

    void addConverter(FormatterRegistry registry) {
        registry.addConverter(converter);
    }

    /** @param initializer that of the adapter that calls controllers */
    void answerErrors(@Nullable WebBindingInitializer initializer) {
        if (initializer instanceof ConfigurableWebBindingInitializer configurable
                && configurable.getConversionService() != null) {
            configurable.setConversionService(new RequestConversion(configurable.getConversionService(), converter));
        }
    }

    /** @throws PublicIdFailure if an annotation on one of these could not do what it promises */
    void check(Collection<HandlerMethod> handlers) {
        for (HandlerMethod handler : handlers) {
            TextForm ofMethod =
                    forms.of(handler.getMethodAnnotation(PublicId.class), handler.getMethodAnnotation(IdText.class));
            if (ofMethod != null) {
                throw PublicIdFailure.misplaced(
                        ofMethod, handler.toString(), "stands on a method, and so would not change its result");
            }
            for (MethodParameter parameter : handler.getMethodParameters()) {
                check(handler, parameter);
            }
        }
    }

    private void check(HandlerMethod handler, MethodParameter parameter) {
        TextForm form = forms.of(
                parameter.getParameterAnnotation(PublicId.class), parameter.getParameterAnnotation(IdText.class));
        if (form == null) {
            return;
        }
        String where = "parameter %d of %s".formatted(parameter.getParameterIndex() + 1, handler);
        if (parameter.hasParameterAnnotation(RequestBody.class)) {
            throw PublicIdFailure.misplaced(form, where, "stands on a body, and so would not change it");
        }
        RequestConversion.requireIds(form, ResolvableType.forMethodParameter(parameter), where);
        // Needs a key, and a type that is neither empty nor too long.
        form.format(0);
    }
}
