package io.github.snowflakeid.mongodb;

import io.github.snowflakeid.internal.mapping.IdType;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.data.convert.PropertyValueConversions;
import org.springframework.data.mapping.model.SimpleTypeHolder;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.util.ClassUtils;

/**
 * The conversions of the application, extended by conversions of all types that are annotated as IDs. The application
 * takes precedence. A typed ID is stored as its component; as a {@code long} if that is a {@link BigInteger}, which
 * MongoDB does not have.
 */
final class TypedIdConversions extends MongoCustomConversions implements ConditionalGenericConverter {

    private final MongoCustomConversions application;
    private final Map<Class<?>, Optional<IdType>> types = new ConcurrentHashMap<>();

    TypedIdConversions(MongoCustomConversions application) {
        super(List.of());
        this.application = application;
    }

    private Optional<IdType> typedId(Class<?> type) {
        return types.computeIfAbsent(
                type, each -> Optional.ofNullable(IdType.of(each)).filter(id -> id.isTyped() && id.isMarked()));
    }

    private Optional<Class<?>> storedAs(Class<?> type) {
        return typedId(type)
                .map(id -> ClassUtils.resolvePrimitiveIfNecessary(id.plainType()))
                .map(plain -> plain == BigInteger.class ? Long.class : plain);
    }

    @Override
    public SimpleTypeHolder getSimpleTypeHolder() {
        return new SimpleTypeHolder(Set.of(), application.getSimpleTypeHolder()) {
            @Override
            public boolean isSimpleType(Class<?> type) {
                return typedId(type).isPresent() || super.isSimpleType(type);
            }
        };
    }

    @Override
    public boolean isSimpleType(Class<?> type) {
        return typedId(type).isPresent() || application.isSimpleType(type);
    }

    /** Registers the converters of the application last, because the last registration wins. */
    @Override
    public void registerConvertersIn(ConverterRegistry registry) {
        registry.addConverter(this);
        application.registerConvertersIn(registry);
    }

    @Override
    public Optional<Class<?>> getCustomWriteTarget(Class<?> source) {
        return application.getCustomWriteTarget(source).or(() -> storedAs(source));
    }

    @Override
    public Optional<Class<?>> getCustomWriteTarget(Class<?> source, Class<?> target) {
        return application
                .getCustomWriteTarget(source, target)
                .or(() -> storedAs(source).filter(target::isAssignableFrom));
    }

    @Override
    public boolean hasCustomReadTarget(Class<?> source, Class<?> target) {
        return application.hasCustomReadTarget(source, target)
                || (typedId(target).isPresent() && (source == String.class || Number.class.isAssignableFrom(source)));
    }

    @Override
    public @Nullable PropertyValueConversions getPropertyValueConversions() {
        return application.getPropertyValueConversions();
    }

    @Override
    public @Nullable Set<ConvertiblePair> getConvertibleTypes() {
        return null;
    }

    @Override
    public boolean matches(TypeDescriptor source, TypeDescriptor target) {
        return hasCustomReadTarget(source.getObjectType(), target.getType())
                || getCustomWriteTarget(source.getType(), target.getObjectType())
                        .isPresent();
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, TypeDescriptor source, TypeDescriptor target) {
        Optional<IdType> read = typedId(target.getType());
        Object plain = typedId(source.getType()).map(type -> type.unwrap(value)).orElse(value);
        Class<?> to = read.<Class<?>>map(IdType::plainType).orElse(target.getObjectType());
        Object converted = DefaultConversionService.getSharedInstance().convert(plain, to);
        return converted == null || read.isEmpty() ? converted : read.get().wrap(converted);
    }
}
