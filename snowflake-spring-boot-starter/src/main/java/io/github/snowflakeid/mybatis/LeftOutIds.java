package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdMappingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.ibatis.builder.StaticSqlSource;
import org.apache.ibatis.executor.keygen.Jdbc3KeyGenerator;
import org.apache.ibatis.executor.keygen.KeyGenerator;
import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.mapping.ParameterMode;
import org.apache.ibatis.mapping.SqlSource;
import org.apache.ibatis.scripting.defaults.RawSqlSource;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a statement does not insert, although its objects have got them. The database would give such a row another one,
 * by an identity or a default, and nobody would be told. Refuses only where the statement is sure not to depend on an id.
 */
final class LeftOutIds {

    /** How MyBatis calls the object of a round of {@code foreach}, and each parameter by its position. */
    private static final Pattern ROUND = Pattern.compile("__frch_(.+)_\\d+");

    private static final Pattern POSITION = Pattern.compile("(param|arg)\\d+");

    private final MappedStatement statement;
    private final Configuration configuration;
    private final Object parameter;
    private final List<FilledValue> filled;

    private LeftOutIds(MappedStatement statement, Object parameter, List<FilledValue> filled) {
        this.statement = statement;
        this.configuration = statement.getConfiguration();
        this.parameter = parameter;
        this.filled = filled;
    }

    /**
     * Refuses what a statement is about to insert.
     *
     * @param filled what its objects have got for it
     * @throws IdMappingException if some of that does not reach the database
     */
    static void refuse(MappedStatement statement, Object parameter, List<FilledValue> filled) {
        LeftOutIds ids = new LeftOutIds(statement, parameter, filled);
        if (!filled.isEmpty() && ids.isKnownBefore()) {
            ids.refuse();
        }
    }

    /** A key that is asked for first may change what dynamic SQL says. */
    private boolean isKnownBefore() {
        KeyGenerator keys = statement.getKeyGenerator();
        return isStatic() || keys instanceof NoKeyGenerator || keys instanceof Jdbc3KeyGenerator;
    }

    private boolean isStatic() {
        SqlSource source = statement.getSqlSource();
        return source instanceof RawSqlSource || source instanceof StaticSqlSource;
    }

    @SuppressWarnings("ReferenceEquality") // The parameter itself has nothing to leave out.
    private void refuse() {
        List<FilledValue> open = new ArrayList<>();
        for (FilledValue value : filled) {
            if (!hasOneLike(value, open)) {
                open.add(value);
            }
        }
        if (!isStatic()) {
            Object fewer = OneOfEach.of(parameter);
            if (fewer != parameter) {
                removeNamed(open, fewer);
            }
        }
        if (!open.isEmpty()) {
            refuse(open);
        }
    }

    private static boolean hasOneLike(FilledValue value, List<FilledValue> values) {
        for (FilledValue each : values) {
            if (each.isLike(value)) {
                return true;
            }
        }
        return false;
    }

    private void removeNamed(List<FilledValue> open, Object fewer) {
        try {
            BoundSql sql = statement.getBoundSql(fewer);
            open.removeIf(value -> isNamed(value, sql));
        } catch (RuntimeException needsAll) {
            // Those that remain are looked for with all of them.
        }
    }

    private void refuse(List<FilledValue> open) {
        BoundSql sql;
        try {
            sql = statement.getBoundSql(parameter);
        } catch (RuntimeException toldWhenItIsExecuted) {
            return;
        }
        for (FilledValue value : open) {
            if (!mayUse(value, sql)) {
                throw leftOut(value, sql);
            }
        }
    }

    private boolean mayUse(FilledValue value, BoundSql sql) {
        try {
            return isNamed(value, sql) || mayDependOn(value, sql);
        } catch (RuntimeException cannotBeKnown) {
            return true;
        }
    }

    /** Another object may have an attribute of the same name. */
    private boolean isNamed(FilledValue value, BoundSql sql) {
        for (ParameterMapping mapping : sql.getParameterMappings()) {
            String property = mapping.getProperty();
            int dot = property.lastIndexOf('.');
            if (property.substring(dot + 1).equals(value.attribute().name())
                    && value.isIn(dot < 0 ? sql.getParameterObject() : valueOf(property.substring(0, dot), sql))) {
                return true;
            }
        }
        return false;
    }

    /** Ids may be in the text of the SQL, in its variables, and in what objects and type handlers make of them. */
    private boolean mayDependOn(FilledValue value, BoundSql sql) {
        List<FilledValue> values = filled.stream().filter(value::isLike).toList();
        List<@Nullable Object> sent = sent(sql);
        return holds(sent, values) || !Objects.deepEquals(sent.toArray(), sentWithout(values));
    }

    private @Nullable Object[] sentWithout(List<FilledValue> values) {
        try {
            values.forEach(FilledValue::takeBack);
            return sent(statement.getBoundSql(parameter)).toArray();
        } finally {
            values.forEach(FilledValue::give);
        }
    }

    private List<@Nullable Object> sent(BoundSql sql) {
        List<@Nullable Object> sent = new ArrayList<>();
        sent.add(sql.getSql());
        for (ParameterMapping mapping : sql.getParameterMappings()) {
            if (mapping.getMode() != ParameterMode.OUT) {
                sent.add(valueOf(mapping.getProperty(), sql));
            }
        }
        return sent;
    }

    /** As MyBatis does. */
    private @Nullable Object valueOf(String property, BoundSql sql) {
        if (sql.hasAdditionalParameter(property)) {
            return sql.getAdditionalParameter(property);
        }
        Object parameters = sql.getParameterObject();
        return configuration.getTypeHandlerRegistry().hasTypeHandler(parameters.getClass())
                ? parameters
                : configuration.newMetaObject(parameters).getValue(property);
    }

    private static boolean holds(@Nullable Object sent, List<FilledValue> values) {
        if (sent instanceof Map<?, ?> map) {
            return holds(map.values(), values);
        }
        if (sent instanceof Object[] array) {
            return holds(Arrays.asList(array), values);
        }
        if (sent instanceof Collection<?> collection) {
            return collection.stream().anyMatch(each -> holds(each, values));
        }
        return sent != null && values.stream().anyMatch(value -> value.isIn(sent));
    }

    private IdMappingException leftOut(FilledValue value, BoundSql sql) {
        String name = value.attribute().name();
        return new IdMappingException(
                "Attribute '%s' of %s is to get Snowflake ids, but statement %s does not insert it: the row would have another value than the object"
                        .formatted(
                                name,
                                value.object().getOriginalObject().getClass().getName(),
                                statement.getId()),
                """
                Insert it, in the column that holds it:

                insert into ... (%s, ...) values (#{%s}, ...)

                or, if the database makes it, remove %s from the attribute.""".formatted(name, pathTo(value, sql) + name, value.attribute().annotation()));
    }

    /** As the statement says it for other attributes of the object. */
    private String pathTo(FilledValue value, BoundSql sql) {
        for (ParameterMapping mapping : sql.getParameterMappings()) {
            String property = mapping.getProperty();
            int dot = property.lastIndexOf('.');
            if (dot > 0 && value.isIn(valueOf(property.substring(0, dot), sql))) {
                return ROUND.matcher(property.substring(0, dot)).replaceFirst("$1") + ".";
            }
        }
        if (parameter instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> each : map.entrySet()) {
                String key = String.valueOf(each.getKey());
                if (value.isIn(each.getValue()) && !POSITION.matcher(key).matches()) {
                    return key + ".";
                }
            }
        }
        return "";
    }
}
