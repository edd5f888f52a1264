package io.github.snowflakeid.hibernate;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BigIntJdbcType;
import org.hibernate.type.descriptor.jdbc.IntegerJdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcType;

/**
 * Binds a typed ID that holds null as null. Hibernate's types for numbers would throw an exception, because they unbox
 * it.
 *
 * @param <X> the type of the ID
 */
final class NullBinder<X> extends BasicBinder<X> {

    private static final long serialVersionUID = 1L;
    private static final Map<Class<?>, JdbcType> ACCEPTING =
            Map.of(BigIntJdbcType.class, new BigInt(), IntegerJdbcType.class, new Int());

    private final transient ValueBinder<X> plain;

    private NullBinder(JavaType<X> javaType, JdbcType jdbcType, ValueBinder<X> plain) {
        super(javaType, jdbcType);
        this.plain = plain;
    }

    /** Returns a type that accepts null, for a type that Hibernate has chosen for the component of a typed ID. */
    static JdbcType accepting(JdbcType type) {
        return ACCEPTING.getOrDefault(type.getClass(), type);
    }

    private boolean isNull(X id, WrapperOptions options) {
        return getJavaType().unwrap(id, Long.class, options) == null;
    }

    @Override
    protected void doBind(PreparedStatement statement, X id, int index, WrapperOptions options) throws SQLException {
        plain.bind(statement, isNull(id, options) ? null : id, index, options);
    }

    @Override
    protected void doBind(CallableStatement statement, X id, String name, WrapperOptions options) throws SQLException {
        plain.bind(statement, isNull(id, options) ? null : id, name, options);
    }

    private static final class BigInt extends BigIntJdbcType {

        private static final long serialVersionUID = 1L;

        @Override
        public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
            return new NullBinder<>(javaType, this, super.getBinder(javaType));
        }
    }

    private static final class Int extends IntegerJdbcType {

        private static final long serialVersionUID = 1L;

        @Override
        public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
            return new NullBinder<>(javaType, this, super.getBinder(javaType));
        }
    }
}
