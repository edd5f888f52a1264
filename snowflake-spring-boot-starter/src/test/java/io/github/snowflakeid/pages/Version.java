package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * How a version of the application saves purchases with their lines: the columns that it knows, and the source of its
 * IDs.
 *
 * @param ids null if the database generates them
 */
record Version(
        String name,
        String purchaseKey,
        String lineKey,
        String reference,
        @Nullable Ids ids) {

    /** The source of IDs that the application assigns. */
    @FunctionalInterface
    interface Ids {
        Object next(Connection connection, String table) throws SQLException;
    }

    static Version of(String name, @Nullable Ids ids) {
        return new Version(name, "id", "id", "purchase_id", ids);
    }

    /**
     * Reserves numbers in ranges, as Hibernate and Leaf do; here for each connection.
     *
     * @param sql statements, the last of which returns the first number of a range
     */
    static Version inRanges(String name, int length, String... sql) {
        Map<List<Object>, Deque<Object>> reserved = new ConcurrentHashMap<>();
        return of(name, (connection, table) -> {
            Deque<Object> numbers = reserved.computeIfAbsent(List.of(connection, table), range -> new ArrayDeque<>());
            if (numbers.isEmpty()) {
                long first = first(connection, table, sql);
                LongStream.range(first, first + length).forEach(numbers::add);
            }
            return numbers.remove();
        });
    }

    private static long first(Connection connection, String table, String... sql) throws SQLException {
        long first = 0;
        try (Statement statement = connection.createStatement()) {
            for (String line : sql) {
                if (statement.execute(line.formatted(table))) {
                    ResultSet rows = statement.getResultSet();
                    rows.next();
                    first = rows.getLong(1);
                }
            }
        }
        return first;
    }

    /** Saves a purchase and two lines in one transaction. Returns their IDs by name. */
    Map<String, Object> save(Connection connection, String customer) throws SQLException {
        Map<String, Object> saved = new HashMap<>();
        Object purchase = insert(connection, "purchase", purchaseKey, Map.of("customer", customer));
        saved.put(customer, purchase);
        for (int line = 1; line <= 2; line++) {
            String product = customer + " line " + line;
            Map<String, Object> values = Map.of(reference, purchase, "product", product);
            saved.put(product, insert(connection, "purchase_line", lineKey, values));
        }
        assertThat(customerOf(connection, purchase)).isEqualTo(customer);
        connection.commit();
        return saved;
    }

    private Object insert(Connection connection, String table, String key, Map<String, Object> values)
            throws SQLException {
        Map<String, Object> row = new LinkedHashMap<>(values);
        if (ids != null) {
            row.put(key, ids.next(connection, table));
        }
        String sql = "INSERT INTO %s (%s) VALUES (%s)"
                .formatted(
                        table,
                        String.join(", ", row.keySet()),
                        String.join(", ", Collections.nCopies(row.size(), "?")));
        try (PreparedStatement insert =
                ids == null ? connection.prepareStatement(sql, new String[] {key}) : connection.prepareStatement(sql)) {
            int parameter = 1;
            for (Object value : row.values()) {
                insert.setObject(parameter++, value);
            }
            insert.executeUpdate();
            return ids == null ? generatedKey(insert) : row.get(key);
        }
    }

    private static long generatedKey(PreparedStatement insert) throws SQLException {
        try (ResultSet keys = insert.getGeneratedKeys()) {
            assertThat(keys.next()).isTrue();
            return keys.getLong(1);
        }
    }

    private String customerOf(Connection connection, Object purchase) throws SQLException {
        String sql = "SELECT customer FROM purchase WHERE %s = ?".formatted(purchaseKey);
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setObject(1, purchase);
            try (ResultSet rows = query.executeQuery()) {
                assertThat(rows.next()).isTrue();
                return rows.getString(1);
            }
        }
    }
}
