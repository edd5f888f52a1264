package io.github.snowflakeid.internal.mapping;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Warns of a column in the database that is too narrow for IDs. Mappers do not read the types of columns, so the first
 * insert would fail.
 *
 * @param attribute the attribute and its class, for the message
 * @param column the column, as it is written in SQL
 * @param table the table, as it is written in SQL
 */
public record NarrowColumn(String attribute, String column, String table) {

    private static final Set<Integer> NARROW = Set.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER);

    /**
     * Returns whether an attribute needs a column for large numbers.
     *
     * @param type the type of the attribute
     * @param ids its generator
     * @return false for text, and for sequential numbers, which may be small
     */
    public static boolean mustBeWide(IdType type, IdGenerator ids) {
        return !type.isInteger() && !type.isText() && !(ids instanceof SegmentIdGenerator);
    }

    /**
     * Logs a warning for each column that is too narrow. Ignores a column that cannot be read: its table may not exist
     * yet, the database may be unavailable, and a {@code DataSource} of the application may fail at startup.
     *
     * @param columns columns of one database
     * @param database the database; null if it is unknown
     */
    public static void warn(List<NarrowColumn> columns, @Nullable DataSource database) {
        if (!columns.isEmpty() && database != null) {
            try (Connection connection = database.getConnection()) {
                // INTEGER has 64 bits there.
                if (!connection.getMetaData().getDatabaseProductName().equals("SQLite")) {
                    for (NarrowColumn column : columns) {
                        column.warn(connection);
                    }
                }
            } catch (SQLException | RuntimeException e) {
                LogFactory.getLog(SnowflakeIdGenerator.class).debug("The columns of IDs were not checked", e);
            }
        }
    }

    private void warn(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("select " + column + " from " + table + " where 1 = 0")) {
            ResultSetMetaData data = none.getMetaData();
            if (NARROW.contains(data.getColumnType(1))) {
                LogFactory.getLog(SnowflakeIdGenerator.class)
                        .warn(
                                "Attribute %s has a column of type %s, which cannot hold Snowflake IDs: change the type of %s in table %s to BIGINT"
                                        .formatted(attribute, data.getColumnTypeName(1), column, table));
            }
        } catch (SQLException e) {
            LogFactory.getLog(SnowflakeIdGenerator.class).debug("A column of IDs was not checked", e);
        }
        // Otherwise, PostgreSQL rejects the next query after a failed one, and the connection returns to the pool with
        // an open transaction.
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }
}
