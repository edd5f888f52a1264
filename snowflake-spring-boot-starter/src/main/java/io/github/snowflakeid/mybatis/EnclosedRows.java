package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
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
 * Finds rows inside of parameters that are not rows themselves, such as the statements of MyBatis Dynamic SQL and commands of the
 * application. If a statement reads all its values from one attribute, that attribute holds the row or the rows: {@code #{row.id}, #{row.name}}
 * or {@code #{rows[0].id}, #{rows[1].id}}. In any other statement, an object may be a reference to another row, such as
 * {@code #{customer.id}, #{amount}}.
 */
final class EnclosedRows {

    /** An object, and the part of a property that leads to it. */
    private record Enclosed(String path, Object row) {}

    private final IdAttributes attributes;

    EnclosedRows(IdAttributes attributes) {
        this.attributes = attributes;
    }

    /**
     * Returns the rows that a statement inserts.
     *
     * @throws ConfigurationException if it is unclear whether an object without an ID is a row
     */
    List<Object> in(MappedStatement statement, Object parameter) {
        // Dynamic SQL may depend on the key that is selected first.
        if (statement.getKeyGenerator() instanceof SelectKeyGenerator) {
            return List.of();
        }
        List<Object> rows = new ArrayList<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<String> places = new HashSet<>();
        @Nullable ConfigurationException unclear = null;
        try {
            BoundSql sql = statement.getBoundSql(parameter);
            for (ParameterMapping mapping : sql.getParameterMappings()) {
                @Nullable Enclosed found = enclosedIn(mapping.getProperty(), sql, statement.getConfiguration());
                // All elements of a collection are in one place: rows[1] and rows[2], or __frch_row_1 and __frch_row_2
                // in a <foreach>.
                places.add(found == null ? "" : found.path().replaceAll("\\d", ""));
                if (found != null && seen.add(found.row())) {
                    rows.add(found.row());
                }
                if (found != null && unclear == null) {
                    unclear = withoutId(mapping.getProperty(), found, statement);
                }
            }
        } catch (ConfigurationException e) {
            throw e;
        } catch (RuntimeException e) {
            // MyBatis reports it when it executes the statement.
            return List.of();
        }
        if (places.size() == 1) {
            return rows;
        }
        if (unclear != null) {
            throw unclear;
        }
        return List.of();
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

    private @Nullable ConfigurationException withoutId(String property, Enclosed found, MappedStatement statement) {
        Configuration configuration = statement.getConfiguration();
        Class<?> type = found.row().getClass();
        for (IdAttribute attribute : attributes.in(type, configuration)) {
            if (property.equals(found.path() + "." + attribute.name())
                    && !attribute
                            .type()
                            .isSet(configuration.newMetaObject(found.row()).getValue(attribute.name()))) {
                return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                        "Attribute '%s' of %s is not set in #{%s} of statement %s, and gets no Snowflake ID: the statement also reads other objects, so it may insert a reference to a row that was not inserted"
                                .formatted(attribute.name(), type.getName(), property, statement.getId()),
                        """
                        If it is the row, pass it as a parameter:

                        void insert(@Param("%1$s") %2$s %1$s, ...);

                        If it is another row, insert that row first. If there is no other row, let '%1$s' be null.""".formatted(found.path().substring(found.path().lastIndexOf('.') + 1), type.getSimpleName()));
            }
        }
        return null;
    }
}
