package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A pool with unknown settings, from which no connection can be derived. */
public final class OpaqueDataSource extends AbstractDataSource {

    private final DataSource pool;

    public OpaqueDataSource(DataSource pool) {
        this.pool = pool;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return pool.getConnection(username, password);
    }
}
