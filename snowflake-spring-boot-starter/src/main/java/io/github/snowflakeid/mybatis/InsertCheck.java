package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdMappingException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.builder.IncompleteElementException;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.reflection.TypeParameterResolver;
import org.apache.ibatis.session.Configuration;

/** Looks for what cannot get ids in the statements of a configuration, as far as those tell what they insert. */
final class InsertCheck {

    private final Configuration configuration;
    private final FilledAttributes attributes;

    InsertCheck(Configuration configuration, FilledAttributes attributes) {
        this.configuration = configuration;
        this.attributes = attributes;
    }

    /** @throws IdMappingException if something would get no id */
    void check() {
        Collection<?> statements;
        try {
            statements = configuration.getMappedStatements();
        } catch (IncompleteElementException toldWhenAStatementIsUsed) {
            return;
        }
        // Two statements of one short name are there as something else.
        for (Object each : List.copyOf(statements)) {
            if (each instanceof MappedStatement statement && statement.getSqlCommandType() == SqlCommandType.INSERT) {
                check(statement);
            }
        }
    }

    private void check(MappedStatement statement) {
        check(statement, statement.getParameterMap().getType(), "", true);
        int dot = statement.getId().lastIndexOf('.');
        String mapperName = statement.getId().substring(0, Math.max(0, dot));
        String methodName = statement.getId().substring(dot + 1);
        for (Class<?> mapper : configuration.getMapperRegistry().getMappers()) {
            if (mapper.getName().equals(mapperName)) {
                for (Method method : mapper.getMethods()) {
                    if (method.getName().equals(methodName) && !method.isDefault() && !method.isBridge()) {
                        check(statement, method, mapper);
                    }
                }
            }
        }
    }

    private void check(MappedStatement statement, Method method, Class<?> mapper) {
        Type[] types = TypeParameterResolver.resolveParamTypes(method, mapper);
        for (int i = 0; i < types.length; i++) {
            Param name = method.getParameters()[i].getAnnotation(Param.class);
            check(statement, types[i], name == null ? "" : name.value(), types.length == 1);
        }
    }

    /** @param only whether it is that however it is called */
    private void check(MappedStatement statement, Type parameter, String name, boolean only) {
        for (Class<?> type : classesIn(parameter, new ArrayList<>())) {
            // What extends a generic one says what its attributes are.
            if (type.getTypeParameters().length == 0
                    && !attributes.in(type, configuration).isEmpty()) {
                GeneratedKeys.forEach(statement, (owner, key) -> {
                    if (only || owner.equals(name)) {
                        GeneratedKeys.refuse(statement, key, type, attributes);
                    }
                });
            }
        }
    }

    private static List<Class<?>> classesIn(Type type, List<Class<?>> classes) {
        if (type instanceof Class<?> array && array.isArray()) {
            classesIn(array.getComponentType(), classes);
        } else if (type instanceof Class<?> known) {
            classes.add(known);
        } else if (type instanceof GenericArrayType array) {
            classesIn(array.getGenericComponentType(), classes);
        } else if (type instanceof WildcardType wildcard) {
            classesIn(wildcard.getUpperBounds()[0], classes);
        } else if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            if (Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw)) {
                for (Type argument : generic.getActualTypeArguments()) {
                    classesIn(argument, classes);
                }
            }
        }
        return classes;
    }
}
