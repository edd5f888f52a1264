package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdMappingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Fills the annotated attributes of what is inserted, before anything else looks at it: dynamic SQL may leave out columns
 * without a value. Fills parameters, and what is in those that are collections, arrays and maps; no attributes of other
 * attributes, since those may be rows of their own that are saved later. Refuses an id that the SQL leaves out.
 */
@Intercepts(
        @Signature(
                type = Executor.class,
                method = "update",
                args = {MappedStatement.class, Object.class}))
final class InsertedIds implements Interceptor {

    private final FilledAttributes attributes;

    InsertedIds(FilledAttributes attributes) {
        this.attributes = attributes;
    }

    @Override
    public Object intercept(Invocation invocation) throws Throwable {
        MappedStatement statement = (MappedStatement) invocation.getArgs()[0];
        @Nullable Object parameter = invocation.getArgs()[1];
        if (statement.getSqlCommandType() == SqlCommandType.INSERT && parameter != null) {
            GeneratedKeys.refuse(statement, parameter, attributes);
            fill(statement, parameter);
        }
        return invocation.proceed();
    }

    /** Leaves objects as they were, if they are refused. */
    private void fill(MappedStatement statement, Object parameter) {
        List<FilledValue> filled = new ArrayList<>();
        try {
            fill(parameter, statement.getConfiguration(), filled);
            LeftOutIds.refuse(statement, parameter, filled);
        } catch (IdMappingException refused) {
            takeBack(filled, refused);
            throw refused;
        }
    }

    private static void takeBack(List<FilledValue> filled, IdMappingException refused) {
        try {
            filled.forEach(FilledValue::takeBack);
        } catch (RuntimeException setterTakesNoNull) {
            refused.addSuppressed(setterTakesNoNull);
        }
    }

    private void fill(@Nullable Object value, Configuration configuration, List<FilledValue> filled) {
        if (value instanceof Map<?, ?> map) {
            // MyBatis has one parameter under several names.
            Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
            for (Object each : map.values()) {
                if (distinct.add(each)) {
                    fill(each, configuration, filled);
                }
            }
        } else if (value instanceof Collection<?> collection) {
            for (Object each : collection) {
                fill(each, configuration, filled);
            }
        } else if (value instanceof Object[] array) {
            for (Object each : array) {
                fill(each, configuration, filled);
            }
        } else if (value != null) {
            fillAttributes(value, configuration, filled);
        }
    }

    private void fillAttributes(Object object, Configuration configuration, List<FilledValue> filled) {
        List<FilledAttribute> its = attributes.in(object.getClass(), configuration);
        if (!its.isEmpty()) {
            MetaObject meta = configuration.newMetaObject(object);
            for (FilledAttribute attribute : its) {
                @Nullable FilledValue value = attribute.fill(meta);
                if (value != null) {
                    filled.add(value);
                }
            }
        }
    }
}
