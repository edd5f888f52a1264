package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * An open connection.
 *
 * @param resource what has given the connection and is closed with it, if it is from a JTA transaction manager
 */
record OpenConnection(
        Connection connection, Match match, @Nullable XAConnection resource) implements AutoCloseable {

    /** Whether a table's name means the same table on this connection and on new connections of the application. */
    enum Match {
        /** There is no pool: the {@code DataSource} itself opens a connection for each call. */
        NO_POOL,
        /** It was opened as the pool opens its connections. */
        EXACT,
        /** It was opened as the pool does, but a wrapper around the pool may change connections. */
        WRAPPED,
        /** It was opened with the pool's URL and login, but without what the pool does to its connections. */
        DERIVED,
        /** The pool itself has given the connection, which others may have changed. */
        POOL;

        /** Returns whether the application's connections may find another table or have other rights. */
        boolean mayDiffer() {
            return this == WRAPPED || this == DERIVED;
        }
    }

    /** Returns whether the connection stays open as long as possible, because a database in memory may end with it. */
    boolean isKept() {
        try {
            return Dialect.isInMemory(String.valueOf(connection.getMetaData().getURL()));
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() {
        JdbcUtils.closeConnection(connection);
        if (resource != null) {
            try {
                resource.close();
            } catch (SQLException e) {
                // The connection is broken.
            }
        }
    }
}
