package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import io.github.snowflakeid.mybatis.IdAttributes.IdAttribute;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.builder.IncompleteElementException;
import org.apache.ibatis.executor.keygen.Jdbc3KeyGenerator;
import org.apache.ibatis.executor.keygen.KeyGenerator;
import org.apache.ibatis.executor.keygen.SelectKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * Checks at startup whether the {@code INSERT} statements of a configuration insert the IDs of their declared
 * parameters.
 */
record StatementCheck(Configuration configuration, IdAttributes attributes) {

    /** @throws ConfigurationException if an attribute could not get IDs, or would not keep them */
    void check() {
        Collection<?> statements;
        try {
            statements = configuration.getMappedStatements();
        } catch (IncompleteElementException e) {
            // MyBatis reports it when the statement is used.
            return;
        }
        // MyBatis keeps a marker of another type for two statements with the same short name.
        for (Object each : List.copyOf(statements)) {
            if (each instanceof MappedStatement statement && statement.getSqlCommandType() == SqlCommandType.INSERT) {
                check(statement);
            }
        }
    }

    private void check(MappedStatement statement) {
        check(statement, ResolvableType.forClass(statement.getParameterMap().getType()), "");
        for (Class<?> mapper : configuration.getMapperRegistry().getMappers()) {
            if (statement.getId().startsWith(mapper.getName() + ".")) {
                for (Method method : mapper.getMethods()) {
                    boolean isStatement = statement.getId().equals(mapper.getName() + "." + method.getName());
                    if (isStatement && !method.isDefault() && !method.isBridge()) {
                        check(statement, method, mapper);
                    }
                }
            }
        }
    }

    private void check(MappedStatement statement, Method method, Class<?> mapper) {
        for (int i = 0; i < method.getParameterCount(); i++) {
            Param name = method.getParameters()[i].getAnnotation(Param.class);
            check(
                    statement,
                    ResolvableType.forMethodParameter(method, i, mapper),
                    name == null || method.getParameterCount() == 1 ? "" : name.value());
        }
    }

    /** @param name the name of the parameter; empty if a key property may refer to it by any name */
    private void check(MappedStatement statement, ResolvableType parameter, String name) {
        // The attributes of a generic class have no type before it is extended.
        SnowflakeIdMembers.classesIn(parameter)
                .filter(type -> type.getTypeParameters().length == 0)
                .forEach(type -> attributes
                        .in(type, configuration)
                        .forEach(attribute -> rejectKey(statement, name, type, attribute)));
    }

    /**
     * A key that the database generates would replace the ID.
     *
     * @param name the name of the parameter; empty if a key property may refer to it by any name
     * @throws ConfigurationException if the statement sets the attribute to such a key
     */
    static void rejectKey(MappedStatement statement, String name, Class<?> type, IdAttribute attribute) {
        String @Nullable [] properties = statement.getKeyProperties();
        KeyGenerator keys = statement.getKeyGenerator();
        if (properties == null || !(keys instanceof Jdbc3KeyGenerator || keys instanceof SelectKeyGenerator)) {
            return;
        }
        for (String property : properties) {
            if (property.equals(attribute.name())
                    || (property.endsWith("." + attribute.name())
                            && (name.isEmpty() || property.startsWith(name + ".")))) {
                throw Problem.TWO_ORIGINS.exception(
                        "Attribute '%s' of %s gets Snowflake IDs, but statement %s sets it to a key that the database generates"
                                .formatted(attribute.name(), type.getName(), statement.getId()),
                        """
                        Keep one of the two: let the statement insert #{%s}, without useGeneratedKeys, keyProperty and selectKey, or remove %s.""".formatted(attribute.name(), attribute.annotation()));
            }
        }
    }
}
