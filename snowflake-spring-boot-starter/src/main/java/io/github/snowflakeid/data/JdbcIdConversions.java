package io.github.snowflakeid.data;

import io.github.snowflakeid.internal.mapping.IdType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.data.convert.PropertyValueConversions;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;

/** The conversions of the application, extended by conversions of typed IDs. The application takes precedence. */
final class JdbcIdConversions extends JdbcCustomConversions {

    private final JdbcCustomConversions application;

    JdbcIdConversions(JdbcCustomConversions application, List<IdType> typedIds) {
        super(
                StoreConversions.of(application.getSimpleTypeHolder()),
                typedIds.stream().flatMap(TypedIds::converters).toList());
        this.application = application;
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
