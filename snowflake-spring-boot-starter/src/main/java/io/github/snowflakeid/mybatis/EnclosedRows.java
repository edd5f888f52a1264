package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.ibatis.executor.keygen.SelectKeyGenerator;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows inside of parameters that are not rows themselves, such as the statements of MyBatis Dynamic SQL and
 * commands of the application. If a statement reads all its values from one attribute, that attribute holds the row or
 * the rows: {@code #{row.id}, #{row.name}} or {@code #{rows[0].id}, #{rows[0].name}, #{rows[1].id}, #{rows[1].name}}.
 * In any other statement, an object may be a reference to another row, which may be null:
 * {@code #{customer.id}, #{amount}} or {@code #{customer.id}}.
 */
final class EnclosedRows {

    /** An object, and the part of a property that leads to it. */
    private record Enclosed(String path, Object row) {

        /**
         * All elements of a collection are in one place: rows[1] and rows[2], or __frch_row_1 and __frch_row_2 in a
         * {@code <foreach>}.
         */
        String place() {
            return path.replaceAll("\\[\\d+]", "").replaceAll("^(__frch_\\w+)_\\d+\\b", "$1");
        }
    }

    private final IdAttributes attributes;

    EnclosedRows(IdAttributes attributes) {
        this.attributes = attributes;
    }

    /** Returns the rows that a statement inserts. */
    List<Object> in(MappedStatement statement, Object parameter) {
        // Dynamic SQL may depend on the key that is selected first.
        if (statement.getKeyGenerator() instanceof SelectKeyGenerator) {
            return List.of();
        }
        Configuration configuration = statement.getConfiguration();
        List<Object> rows = new ArrayList<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<String> places = new HashSet<>();
        boolean readsMoreThanIds = false;
        try {
            BoundSql sql = statement.getBoundSql(parameter);
            for (ParameterMapping mapping : sql.getParameterMappings()) {
                @Nullable Enclosed found = enclosedIn(mapping.getProperty(), sql, configuration);
                if (found == null) {
                    return List.of();
                }
                places.add(found.place());
                readsMoreThanIds |= !isId(mapping.getProperty(), found, configuration);
                if (seen.add(found.row())) {
                    rows.add(found.row());
                }
            }
        } catch (ConfigurationException e) {
            throw e;
        } catch (RuntimeException e) {
            // MyBatis reports it when it executes the statement.
            return List.of();
        }
        return places.size() == 1 && readsMoreThanIds ? rows : List.of();
    }

    private boolean isId(String property, Enclosed found, Configuration configuration) {
        return attributes.in(found.row().getClass(), configuration).stream()
                .anyMatch(attribute -> (property + ".").startsWith(found.path() + "." + attribute.name() + "."));
    }

    /** Returns the first object on the way to a property that has annotated attributes. */
    private @Nullable Enclosed enclosedIn(String property, BoundSql sql, Configuration configuration) {
        for (int end = property.indexOf('.'); end > 0; end = property.indexOf('.', end + 1)) {
            String path = property.substring(0, end);
            @Nullable Object object = OmittedIdCheck.valueOf(path, sql, configuration);
            if (object != null
                    && !attributes.in(object.getClass(), configuration).isEmpty()) {
                return new Enclosed(path, object);
            }
        }
        return null;
    }
}
