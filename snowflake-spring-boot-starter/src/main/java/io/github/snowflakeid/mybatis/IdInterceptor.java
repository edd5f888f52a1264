package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.Elements;
import io.github.snowflakeid.mybatis.IdAttributes.IdAttribute;
import io.github.snowflakeid.mybatis.OmittedIdCheck.AssignedId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * Sets IDs in the parameters of an {@code INSERT}, and in the elements of collections, arrays and maps among them. If
 * none of them is a row, it sets IDs in {@link EnclosedRows}. It does not visit other objects that an attribute of a
 * parameter refers to: they may be rows that are saved later.
 */
@Intercepts(
        @Signature(
                type = Executor.class,
                method = "update",
                args = {MappedStatement.class, Object.class}))
final class IdInterceptor implements Interceptor {

    private final IdAttributes attributes;
    private final EnclosedRows enclosed;
    private final OmittedIdCheck omitted = new OmittedIdCheck();

    IdInterceptor(IdAttributes attributes) {
        this.attributes = attributes;
        enclosed = new EnclosedRows(attributes);
    }

    @Override
    public Object intercept(Invocation invocation) throws Throwable {
        MappedStatement statement = (MappedStatement) invocation.getArgs()[0];
        @Nullable Object parameter = invocation.getArgs()[1];
        if (statement.getSqlCommandType() == SqlCommandType.INSERT && parameter != null) {
            assign(statement, parameter);
        }
        return invocation.proceed();
    }

    /** Restores the objects if the statement is rejected. */
    private void assign(MappedStatement statement, Object parameter) {
        Configuration configuration = statement.getConfiguration();
        Map<?, ?> named = parameter instanceof Map<?, ?> several ? several : Map.of("", parameter);
        List<Object> objects = new ArrayList<>();
        named.forEach((name, value) -> Elements.replace(value, object -> {
            rejectKeys(statement, String.valueOf(name), object);
            objects.add(object);
            return object;
        }));
        List<AssignedId> assigned = new ArrayList<>();
        try {
            boolean rowsFound = false;
            boolean mayEncloseRows = false;
            for (Object object : objects) {
                if (!attributes.in(object.getClass(), configuration).isEmpty()) {
                    rowsFound = true;
                    assignAttributes(object, configuration, assigned);
                } else {
                    mayEncloseRows |= attributes.mayEncloseRows(object.getClass(), configuration);
                }
            }
            if (!isOfMybatisFlex(parameter)) {
                if (mayEncloseRows && !rowsFound) {
                    for (Object row : enclosed.in(statement, parameter)) {
                        rejectKeys(statement, "", row);
                        assignAttributes(row, configuration, assigned);
                    }
                }
                omitted.check(statement, parameter, assigned);
            }
        } catch (ConfigurationException e) {
            assigned.forEach(AssignedId::revert);
            throw e;
        }
    }

    /** The mapper may declare another type than it inserts, so the check at startup may not know the class. */
    private void rejectKeys(MappedStatement statement, String name, Object row) {
        for (IdAttribute attribute : attributes.in(row.getClass(), statement.getConfiguration())) {
            StatementCheck.rejectKey(statement, name, row.getClass(), attribute);
        }
    }

    /** MyBatis-Flex inserts all columns of an entity, and calls the entity's listeners each time it creates the SQL. */
    private static boolean isOfMybatisFlex(Object parameter) {
        return parameter instanceof Map<?, ?> map && (map.containsKey("$$entity") || map.containsKey("$$entities"));
    }

    private void assignAttributes(Object object, Configuration configuration, List<AssignedId> assigned) {
        for (IdAttribute attribute : attributes.in(object.getClass(), configuration)) {
            MetaObject meta = configuration.newMetaObject(object);
            @Nullable Object before = meta.getValue(attribute.name());
            if (!attribute.type().isSet(before)) {
                if (attribute.notSettable() != null) {
                    throw IdAttributes.cannotBeSet(attribute.name(), object.getClass(), attribute.notSettable());
                }
                long id = attribute.ids().nextId();
                meta.setValue(attribute.name(), attribute.type().convert(id));
                assigned.add(new AssignedId(meta, attribute, before, id));
            }
        }
    }
}
