package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.publicid.TextForm;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.AnnotatedWithParams;

/**
 * Makes objects of a class that has ids with a form. Jackson would make one of any number if a creator takes a number alone. This
 * gives it the number that a text stands for, if its parameter has a form, and refuses numbers in any case.
 */
final class IdInstantiator extends ValueInstantiator.Delegating {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Mappers of Jackson 3 are not serialized with their caches.
    private final @Nullable IdDeserializer reader;

    private final @Nullable JavaType delegate;
    private final @Nullable JavaType arrayDelegate;

    private IdInstantiator(
            ValueInstantiator usual,
            @Nullable IdDeserializer reader,
            @Nullable JavaType delegate,
            @Nullable JavaType arrayDelegate) {
        super(usual);
        this.reader = reader;
        this.delegate = delegate;
        this.arrayDelegate = arrayDelegate;
    }

    /** One in place of the usual one, which it is where there is nothing to do. */
    static ValueInstantiator of(
            ValueInstantiator usual,
            IdAnnotations annotations,
            DeserializationConfig config,
            BeanDescription.Supplier type) {
        TextForm form = annotations.formIn(type.getClassInfo());
        if (form == null || !(usual instanceof StdValueInstantiator found)) {
            return usual;
        }
        List<AnnotatedWithParams> ofNumbers = new Creators(found).ofNumbers();
        JavaType delegate = usual.getDelegateType(config);
        JavaType arrayDelegate = usual.getArrayDelegateType(config);
        if (ofNumbers.isEmpty() && delegate == null && arrayDelegate == null) {
            return usual;
        }
        IdDeserializer reader = null;
        for (AnnotatedWithParams creator : ofNumbers) {
            reader = reader == null ? reader(creator, form, annotations, config, type) : reader;
        }
        return new IdInstantiator(
                usual,
                reader,
                withTexts(delegate, usual.getDelegateCreator(), annotations, config),
                withTexts(arrayDelegate, usual.getArrayDelegateCreator(), annotations, config));
    }

    private static @Nullable IdDeserializer reader(
            AnnotatedWithParams creator,
            TextForm ofClass,
            IdAnnotations annotations,
            DeserializationConfig config,
            BeanDescription.Supplier type) {
        AnnotatedParameter id = creator.getParameter(0);
        TextForm form = annotations.ownFormOf(id);
        if (form != null) {
            return new IdDeserializer(id.getType(), form, null);
        }
        boolean isMeant = type.get().findJsonValueAccessor() != null
                || config.getAnnotationIntrospector().findCreatorAnnotation(config, creator) != null;
        return isMeant
                ? new IdDeserializer(
                        id.getType(),
                        ofClass,
                        "does not stand on the parameter of the creator of %s: annotate that as well"
                                .formatted(type.getBeanClass().getSimpleName()))
                : null;
    }

    private static @Nullable JavaType withTexts(
            @Nullable JavaType ids,
            @Nullable AnnotatedWithParams creator,
            IdAnnotations annotations,
            DeserializationConfig config) {
        if (ids == null || creator == null) {
            return ids;
        }
        for (int i = 0; i < creator.getParameterCount(); i++) {
            Object content = annotations.findContentDeserializer(config, creator.getParameter(i));
            if (content != null) {
                return ids.withContentValueHandler(content);
            }
        }
        return ids;
    }

    @Override
    public @Nullable JavaType getDelegateType(DeserializationConfig config) {
        return delegate;
    }

    @Override
    public @Nullable JavaType getArrayDelegateType(DeserializationConfig config) {
        return arrayDelegate;
    }

    @Override
    public boolean canCreateFromString() {
        return reader != null || delegate().canCreateFromString();
    }

    @Override
    public boolean canCreateFromInt() {
        return false;
    }

    @Override
    public boolean canCreateFromLong() {
        return false;
    }

    @Override
    public boolean canCreateFromBigInteger() {
        return false;
    }

    @Override
    public boolean canCreateFromBigDecimal() {
        return delegate().canCreateFromBigDecimal();
    }

    @Override
    public @Nullable Object createUsingDefaultOrWithoutArguments(DeserializationContext context) {
        return delegate().createUsingDefaultOrWithoutArguments(context);
    }

    @Override
    public @Nullable Object createFromString(DeserializationContext context, String text) {
        return reader == null
                ? delegate().createFromString(context, text)
                : created(reader.idOf(text, context), context);
    }

    @Override
    public @Nullable Object createFromInt(DeserializationContext context, int number) {
        return ofNumber(context);
    }

    @Override
    public @Nullable Object createFromLong(DeserializationContext context, long number) {
        return ofNumber(context);
    }

    @Override
    public @Nullable Object createFromBigInteger(DeserializationContext context, BigInteger number) {
        return ofNumber(context);
    }

    /** Refuses it, as it is refused for an attribute. */
    private @Nullable Object ofNumber(DeserializationContext context) {
        return reader == null
                ? context.handleUnexpectedToken(getValueClass(), context.getParser())
                : created(reader.deserialize(context.getParser(), context), context);
    }

    private @Nullable Object created(@Nullable Object id, DeserializationContext context) {
        if (id instanceof Integer number) {
            return delegate().createFromInt(context, number);
        }
        if (id instanceof BigInteger number) {
            return delegate().createFromBigInteger(context, number);
        }
        return id == null ? null : delegate().createFromLong(context, (Long) id);
    }

    /** Which creators Jackson has found, as it tells to subclasses only. */
    private static final class Creators extends StdValueInstantiator {

        private static final long serialVersionUID = 1L;

        Creators(StdValueInstantiator found) {
            super(found);
        }

        List<AnnotatedWithParams> ofNumbers() {
            return Stream.of(_fromLongCreator, _fromBigIntegerCreator, _fromIntCreator)
                    .filter(Objects::nonNull)
                    .toList();
        }
    }
}
