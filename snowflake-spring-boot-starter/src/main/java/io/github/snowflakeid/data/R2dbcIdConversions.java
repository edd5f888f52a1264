package io.github.snowflakeid.data;

import io.github.snowflakeid.internal.mapping.IdType;
import io.r2dbc.spi.Row;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.data.convert.ConverterBuilder;
import org.springframework.data.convert.PropertyValueConversions;
import org.springframework.data.r2dbc.convert.R2dbcCustomConversions;

/** The conversions of the application, extended by conversions of typed IDs. The application takes precedence. */
final class R2dbcIdConversions extends R2dbcCustomConversions {

    private final R2dbcCustomConversions application;

    R2dbcIdConversions(R2dbcCustomConversions application, List<IdType> typedIds) {
        super(
                StoreConversions.of(application.getSimpleTypeHolder()),
                typedIds.stream().flatMap(R2dbcIdConversions::converters).toList());
        this.application = application;
    }

    /** A query may select an ID alone, which Spring Data would read as an object with attributes. */
    @SuppressWarnings("unchecked") // All values are instances of the type.
    private static Stream<GenericConverter> converters(IdType type) {
        return Stream.concat(
                TypedIds.converters(type),
                ConverterBuilder.reading(Row.class, (Class<Object>) type.javaType(), row -> read(type, row))
                        .getConverters()
                        .stream());
    }

    private static @Nullable Object read(IdType type, Row row) {
        Object value = row.get(0);
        return value == null ? null : TypedIds.wrap(type, value);
    }

    /** Registers the converters of the application last, because the last registration wins. */
    @Override
    public void registerConvertersIn(ConverterRegistry registry) {
        super.registerConvertersIn(registry);
        application.registerConvertersIn(registry);
    }

    @Override
    public Optional<Class<?>> getCustomWriteTarget(Class<?> source) {
        return application.getCustomWriteTarget(source).or(() -> super.getCustomWriteTarget(source));
    }

    @Override
    public Optional<Class<?>> getCustomWriteTarget(Class<?> source, Class<?> target) {
        return application.getCustomWriteTarget(source, target).or(() -> super.getCustomWriteTarget(source, target));
    }

    @Override
    public boolean hasCustomReadTarget(Class<?> source, Class<?> target) {
        return application.hasCustomReadTarget(source, target) || super.hasCustomReadTarget(source, target);
    }

    @Override
    public @Nullable PropertyValueConversions getPropertyValueConversions() {
        return application.getPropertyValueConversions();
    }
}
