package io.github.snowflakeid.mybatis;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.ibatis.mapping.MappedStatement;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows inside of parameters that are not rows themselves, such as the statements of MyBatis Dynamic SQL and
 * commands of the application. If a statement reads all its values from one attribute, that attribute holds the row or
 * the rows: {@code #{row.id}, #{row.name}} or {@code #{rows[0].id}, #{rows[0].name}, #{rows[1].id}, #{rows[1].name}}.
 * In any other statement, an object may be a reference to another row, which may be null:
 * {@code #{customer.id}, #{amount}} or {@code #{customer.id}}.
 */
record EnclosedRows(IdAttributes attributes) {

    /** Returns the rows that a statement inserts. */
    Collection<Object> in(MappedStatement statement, Object parameter) {
        return SentValues.examine(statement, parameter, List.of(), this::in);
    }

    private Collection<Object> in(SentValues sent) {
        Map<String, Object> rows = new LinkedHashMap<>();
        boolean readsMoreThanIds = false;
        for (String property : sent.properties()) {
            @Nullable String path = pathToRow(property, sent);
            if (path == null) {
                return List.of();
            }
            Object row = Objects.requireNonNull(sent.valueOf(path));
            rows.put(path, row);
            readsMoreThanIds |= attributes.in(row.getClass(), sent.configuration()).stream()
                    .noneMatch(id -> (property + ".").startsWith(path + "." + id.name() + "."));
        }
        long places = rows.keySet().stream().map(EnclosedRows::place).distinct().count();
        return places == 1 && readsMoreThanIds ? rows.values() : List.of();
    }

    /** Returns the path to the first object on the way to a property that has annotated attributes. */
    private @Nullable String pathToRow(String property, SentValues sent) {
        for (int end = property.indexOf('.'); end > 0; end = property.indexOf('.', end + 1)) {
            String path = property.substring(0, end);
            @Nullable Object object = sent.valueOf(path);
            if (object != null
                    && !attributes.in(object.getClass(), sent.configuration()).isEmpty()) {
                return path;
            }
        }
        return null;
    }

    /**
     * All elements of a collection are in one place: rows[1] and rows[2], or __frch_row_1 and __frch_row_2 in a
     * {@code <foreach>}.
     */
    private static String place(String path) {
        return path.replaceAll("\\[\\d+]", "").replaceAll("^(__frch_\\w+)_\\d+\\b", "$1");
    }
}
