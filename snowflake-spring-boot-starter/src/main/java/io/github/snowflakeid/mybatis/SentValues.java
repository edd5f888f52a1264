package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.failure.ConfigurationException;
import java.util.List;
import java.util.function.Function;
import org.apache.ibatis.executor.keygen.SelectKeyGenerator;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The values that a statement sends to the database.
 *
 * @param sql the statement, for its parameters
 * @param configuration the configuration that resolves properties of the parameters
 */
record SentValues(BoundSql sql, Configuration configuration) {

    /**
     * Examines the values of a statement.
     *
     * @param unknown the result if the values are not known before the statement is executed
     * @param examination returns the result
     */
    static <T> T examine(MappedStatement statement, Object parameter, T unknown, Function<SentValues, T> examination) {
        // Dynamic SQL may depend on the key that is selected first.
        if (statement.getKeyGenerator() instanceof SelectKeyGenerator) {
            return unknown;
        }
        try {
            return examination.apply(new SentValues(statement.getBoundSql(parameter), statement.getConfiguration()));
        } catch (ConfigurationException e) {
            throw e;
        } catch (RuntimeException e) {
            // MyBatis reports it when it executes the statement.
            return unknown;
        }
    }

    List<String> properties() {
        return sql.getParameterMappings().stream()
                .map(ParameterMapping::getProperty)
                .toList();
    }

    /** Resolves a property as {@code DefaultParameterHandler} of MyBatis does. */
    @Nullable
    Object valueOf(String property) {
        if (sql.hasAdditionalParameter(property)) {
            return sql.getAdditionalParameter(property);
        }
        Object parameters = sql.getParameterObject();
        return configuration.getTypeHandlerRegistry().hasTypeHandler(parameters.getClass())
                ? parameters
                : configuration.newMetaObject(parameters).getValue(property);
    }
}
