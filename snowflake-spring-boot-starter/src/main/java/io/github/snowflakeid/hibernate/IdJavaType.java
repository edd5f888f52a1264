package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.mapping.IdType;
import java.io.Serializable;
import java.util.Comparator;
import java.util.Objects;
import org.hibernate.SharedSessionContract;
import org.hibernate.dialect.Dialect;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.hibernate.type.spi.TypeConfiguration;
import org.jspecify.annotations.Nullable;

/** Maps a typed ID as a basic attribute, with the same column as its component would have. */
final class IdJavaType extends AbstractClassJavaType<Object> {

    private static final long serialVersionUID = 1L;

    private final transient IdType type;
    private final transient JavaType<Object> plain;

    @SuppressWarnings("unchecked") // All values are instances of type.javaType().
    IdJavaType(IdType type, TypeConfiguration types) {
        super((Class<Object>) type.javaType(), new CachedAsComponent(type), (one, other) -> compare(type, one, other));
        this.type = type;
        this.plain =
                (JavaType<Object>) (JavaType<?>) types.getJavaTypeRegistry().getDescriptor(type.plainType());
    }

    /** Compares the components. Hibernate orders updates by ID. */
    @SuppressWarnings("unchecked") // Both components are of the same class, a number or a String.
    private static int compare(IdType type, Object one, Object other) {
        return Objects.compare(
                (Comparable<Object>) type.unwrap(one),
                (Comparable<Object>) type.unwrap(other),
                Comparator.nullsFirst(Comparator.naturalOrder()));
    }

    /** Caches the component in the second-level cache, because the typed ID need not be serializable. */
    private static final class CachedAsComponent extends ImmutableMutabilityPlan<Object> {

        private static final long serialVersionUID = 1L;

        private final transient IdType type;

        CachedAsComponent(IdType type) {
            this.type = type;
        }

        @Override
        public @Nullable Serializable disassemble(@Nullable Object id, SharedSessionContract session) {
            return (Serializable) type.unwrap(id);
        }

        @Override
        public @Nullable Object assemble(@Nullable Serializable component, SharedSessionContract session) {
            return component == null ? null : type.wrap(component);
        }
    }

    @Override
    public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
        return NullBinder.accepting(plain.getRecommendedJdbcType(indicators));
    }

    @Override
    public int getDefaultSqlPrecision(Dialect dialect, JdbcType jdbcType) {
        return plain.getDefaultSqlPrecision(dialect, jdbcType);
    }

    @Override
    public int getDefaultSqlScale(Dialect dialect, JdbcType jdbcType) {
        return plain.getDefaultSqlScale(dialect, jdbcType);
    }

    @Override
    public <X> @Nullable X unwrap(@Nullable Object value, Class<X> plainType, WrapperOptions options) {
        return plainType.isInstance(value)
                ? plainType.cast(value)
                : plain.unwrap(type.unwrap(value), plainType, options);
    }

    @Override
    public <X> @Nullable Object wrap(@Nullable X value, WrapperOptions options) {
        return value == null || type.javaType().isInstance(value) ? value : type.wrap(plain.wrap(value, options));
    }

    @Override
    public @Nullable Object fromString(CharSequence text) {
        return type.wrap(plain.fromString(text));
    }
}
