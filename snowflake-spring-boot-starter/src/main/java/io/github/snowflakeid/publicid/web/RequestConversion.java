package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.publicid.PublicIdFailure;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import io.github.snowflakeid.text.InvalidPublicIdException;
import io.github.snowflakeid.text.PublicIds;
import java.util.Collection;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Converts what requests are bound to, as Spring does it, but for the errors of ids.
 *
 * <p>When a converter fails, Spring tries a property editor next. That would take the bare number for a public id. Only what is no
 * {@link ConversionFailedException} keeps it from doing so. A {@link ResponseStatusException} moreover passes through all of
 * Spring, and is answered as if the controller had thrown it.
 */
final class RequestConversion implements ConversionService {

    private static final Log log = LogFactory.getLog(PublicIds.class);

    private final ConversionService spring;
    private final IdTextConverter ids;

    RequestConversion(ConversionService spring, IdTextConverter ids) {
        this.spring = spring;
        this.ids = ids;
    }

    @Override
    public boolean canConvert(@Nullable Class<?> from, Class<?> to) {
        return spring.canConvert(from, to);
    }

    @Override
    public boolean canConvert(@Nullable TypeDescriptor from, TypeDescriptor to) {
        return ids.formOf(to) != null || spring.canConvert(from, to);
    }

    @Override
    public <T> @Nullable T convert(@Nullable Object value, Class<T> to) {
        return spring.convert(value, to);
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, @Nullable TypeDescriptor from, TypeDescriptor to) {
        TextForm form = ids.formOf(to);
        if (form == null) {
            return spring.convert(value, from, to);
        }
        requireIds(form, to.getResolvableType(), "a parameter");
        try {
            return spring.convert(value, from, to);
        } catch (ConversionFailedException failed) {
            throw answer(failed.getCause(), form);
        }
    }

    private static RuntimeException answer(@Nullable Throwable cause, TextForm form) {
        if (cause instanceof InvalidPublicIdException invalid) {
            // The answer must not tell which of the checks failed, nor the log by default.
            log.debug("Not found: " + invalid.getMessage());
            return new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return cause instanceof PublicIdFailure failure
                ? failure
                : new IllegalArgumentException("not " + form.inWords(), cause);
    }

    /** @throws PublicIdFailure if it is neither an id nor several */
    static void requireIds(TextForm form, ResolvableType type, String where) {
        Class<?> id = elementOf(type);
        if (TextForms.numberOf(id) == null) {
            throw PublicIdFailure.noId(form, where, id.getTypeName());
        }
    }

    private static Class<?> elementOf(ResolvableType type) {
        if (type.isArray()) {
            return elementOf(type.getComponentType());
        }
        Class<?> container = type.resolve(Object.class);
        return container == Optional.class || Collection.class.isAssignableFrom(container)
                ? elementOf(type.as(container == Optional.class ? Optional.class : Collection.class)
                        .getGeneric())
                : container;
    }
}
