package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdType;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.apache.ibatis.type.TypeHandler;
import org.apache.ibatis.type.TypeHandlerRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Stores a type that wraps one ID, such as {@code record OrderId(long value)}, as its component. The starter registers
 * a handler for the ID types of all mappers; register it yourself for a {@code SqlSessionFactory} that you build
 * without the mappers being beans. Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class IdTypeHandler extends BaseTypeHandler<Object> {

    private static final TypeHandlerRegistry PLAIN = new TypeHandlerRegistry();

    private final IdType type;
    private final TypeHandler<Object> plain;

    /**
     * Creates a handler.
     *
     * @param javaType a record, a Kotlin value or data class, or another class with one {@code long}, {@link Long},
     *     {@code int}, {@link Integer}, {@link String} or {@link java.math.BigInteger}
     * @throws IllegalArgumentException if the type cannot hold an ID
     */
    @SuppressWarnings("unchecked") // A handler of the plain type gets values of the plain type only.
    public IdTypeHandler(Class<?> javaType) {
        @Nullable IdType idType = IdType.of(javaType);
        if (idType == null) {
            throw new IllegalArgumentException(javaType.getName() + " does not wrap one ID");
        }
        type = idType;
        plain = (TypeHandler<Object>) (TypeHandler<?>) PLAIN.getTypeHandler(idType.plainType());
    }

    @Override
    public void setNonNullParameter(PreparedStatement statement, int index, Object id, @Nullable JdbcType jdbcType)
            throws SQLException {
        plain.setParameter(statement, index, type.unwrap(id), jdbcType == null ? jdbcTypeOfNull() : jdbcType);
    }

    /** An ID whose component is null is stored as null, which JDBC needs a type for. */
    private JdbcType jdbcTypeOfNull() {
        return type.isText() ? JdbcType.VARCHAR : JdbcType.BIGINT;
    }

    @Override
    public @Nullable Object getNullableResult(ResultSet rows, String column) throws SQLException {
        return wrap(plain.getResult(rows, column));
    }

    @Override
    public @Nullable Object getNullableResult(ResultSet rows, int column) throws SQLException {
        return wrap(plain.getResult(rows, column));
    }

    @Override
    public @Nullable Object getNullableResult(CallableStatement statement, int column) throws SQLException {
        return wrap(plain.getResult(statement, column));
    }

    private @Nullable Object wrap(@Nullable Object id) {
        return id == null ? null : type.wrap(id);
    }
}
