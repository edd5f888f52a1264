package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.NoSuchIdException;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import io.github.snowflakeid.text.PublicIds;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * The conversion service for request binding. It converts annotated IDs itself and delegates all other conversions to
 * the conversion service of the application.
 *
 * <p>IDs are never delegated, because a conversion service of the application may ignore the annotation and accept a
 * plain number as a public ID. For the same reason an invalid text must not lead to a
 * {@link ConversionFailedException}, after which Spring would try a property editor. A {@link ResponseStatusException}
 * passes through Spring unchanged and is handled as if the controller had thrown it.
 */
final class RequestConversion implements ConversionService {

    private static final Log log = LogFactory.getLog(PublicIds.class);

    private final ConversionService others;
    private final IdTextConverter ids;
    private final ConversionService annotated;

    /** @param others converts all values without an annotated ID */
    RequestConversion(ConversionService others, IdTextConverter ids) {
        this.others = others;
        this.ids = ids;
        DefaultConversionService containers = new DefaultConversionService();
        containers.addConverter(ids);
        annotated = containers;
    }

    @Override
    public boolean canConvert(@Nullable Class<?> from, Class<?> to) {
        return others.canConvert(from, to);
    }

    @Override
    public boolean canConvert(@Nullable TypeDescriptor from, TypeDescriptor to) {
        return ids.formOf(to) != null || formOfOwner(to) != null || isWritten(from, to) || others.canConvert(from, to);
    }

    @Override
    public <T> @Nullable T convert(@Nullable Object value, Class<T> to) {
        return others.convert(value, to);
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, @Nullable TypeDescriptor from, TypeDescriptor to) {
        IdTextCodec owner = formOfOwner(to);
        if (owner != null) {
            throw toResponse(new IllegalArgumentException("the number of an ID that has a text form"), owner);
        }
        IdTextCodec form = ids.formOf(to);
        if (form != null && form.isPlain() && others.canConvert(from, to)) {
            form = null;
        }
        if (form != null) {
            requireIds(form, to.getResolvableType(), "a parameter");
        }
        try {
            return form != null || isWritten(from, to)
                    ? annotated.convert(value, from, ids.complete(to))
                    : others.convert(value, from, to);
        } catch (ConversionFailedException e) {
            if (form != null) {
                throw toResponse(e.getCause(), form);
            }
            throw e.getCause() instanceof NoSuchIdException ? new ResponseStatusException(HttpStatus.NOT_FOUND) : e;
        }
    }

    /**
     * Returns the form of the typed ID whose component is converted. For {@code id.value=42}, Spring passes the
     * parameter of the constructor, which has no annotation.
     */
    private @Nullable IdTextCodec formOfOwner(TypeDescriptor to) {
        IdTextCodec form = to.getSource() instanceof MethodParameter parameter && parameter.getParameterIndex() >= 0
                ? ids.formOf(TypeDescriptor.valueOf(parameter.getDeclaringClass()))
                : null;
        return form != null && form.isPlain() ? null : form;
    }

    /** Returns whether an ID is converted to text, for example for a form that is displayed again. */
    private boolean isWritten(@Nullable TypeDescriptor from, TypeDescriptor to) {
        return from != null && to.getType() == String.class && ids.formOf(from) != null;
    }

    private static RuntimeException toResponse(@Nullable Throwable cause, IdTextCodec form) {
        if (cause instanceof IllegalArgumentException invalid && form.isSecret()) {
            // Neither the response nor, by default, the log must reveal which check failed.
            if (log.isDebugEnabled()) {
                log.debug("Responding with 404: " + invalid.getMessage());
            }
            return new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return cause instanceof ConfigurationException failure
                ? failure
                : new IllegalArgumentException("not " + form.inWords(), cause);
    }

    /**
     * @throws ConfigurationException if the type is neither an ID nor an array, a collection or an
     *     {@link java.util.Optional} of IDs
     */
    static void requireIds(IdTextCodec form, ResolvableType type, String where) {
        IdType id = IdTextConverter.idTypeIn(type);
        if (id == null || (id.isText() && !form.isPlain())) {
            throw PublicIdErrors.noId(form, where, type.toString());
        }
    }
}
