package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.util.ClassUtils;

/**
 * Opens connections as an application's {@link DataSource} does, but outside of its pool. It is derived from the
 * settings of the pool for each connection, so that changed passwords and new tokens apply.
 *
 * @param opener opens a connection for each call
 * @param login the URL, the user name and the password, to recognize a login that was rejected before
 * @param match whether the connections equal the pool's connections
 */
record UnpooledSource(Callable<Connection> opener, ConnectionSettings login, Match match) {

    /**
     * Whether connections are in the database and schema, and have the rights, that new connections of the pool have.
     */
    enum Match {
        /** There is no pool: the {@code DataSource} itself opens a connection for each call. */
        NO_POOL,
        /** They are opened as the pool opens its connections. */
        EXACT,
        /** A comparison with a connection of the pool must show it. */
        UNKNOWN
    }

    /** An in-memory database of H2 without a name: each connection has a separate one. */
    private static final String PRIVATE_DATABASE = "jdbc:h2:mem:(;.*)?";

    /** A database, or a container that a driver starts, that ends with its last connection. */
    private static final String TRANSIENT_DATABASE = "jdbc:(h2:mem|tc):.*";

    /** Returns a source for the connections of a {@code DataSource}; null if its settings are unknown. */
    static @Nullable UnpooledSource of(DataSource dataSource, Timeouts timeouts) {
        if (dataSource instanceof EmbeddedDatabase
                || (dataSource instanceof AbstractDriverBasedDataSource
                        && !(dataSource instanceof SingleConnectionDataSource))) {
            return new UnpooledSource(dataSource::getConnection, new ConnectionSettings("", null, null), Match.NO_POOL);
        }
        PoolSettings pool = new PoolSettings(dataSource);
        ConnectionSettings login;
        DataSource source;
        try {
            login = pool.login();
            if (pool.property("xaDataSource") instanceof XADataSource xa) {
                return new UnpooledSource(() -> open(xa), login, Match.EXACT);
            }
            source = source(pool, login, timeouts);
        } catch (RuntimeException e) {
            // The settings cannot be used.
            return null;
        }
        if (source == null || login.url().matches(PRIVATE_DATABASE)) {
            return null;
        }
        // The comparison also starts the pool, so that the database outlives the connection outside of the pool.
        boolean mayEnd = login.url().matches(TRANSIENT_DATABASE) && !Boolean.TRUE.equals(pool.property("running"));
        Match match = PoolSettings.isPlainHikari(dataSource) && !mayEnd ? Match.EXACT : Match.UNKNOWN;
        return new UnpooledSource(() -> open(source, login, pool), login, match);
    }

    /** Returns a source of physical connections; null if the settings do not suffice. */
    private static @Nullable DataSource source(PoolSettings pool, ConnectionSettings login, Timeouts timeouts) {
        // A wrapper may have a property with this name that is the pool.
        if (pool.isHikari() && pool.property("dataSource") instanceof DataSource source) {
            return source;
        }
        Properties properties =
                pool.property("dataSourceProperties") instanceof Properties set ? set : new Properties();
        String type = pool.text("dataSourceClassName");
        if (type != null) {
            DataSource created = (DataSource) instance(type);
            PropertyAccessorFactory.forBeanPropertyAccess(created).setPropertyValues(properties);
            return created;
        }
        if (login.url().isEmpty() || !pool.has("password")) {
            return null;
        }
        String driver = pool.text("driverClassName");
        DedicatedDataSource created =
                new DedicatedDataSource(login, timeouts, driver == null ? null : (Driver) instance(driver));
        Objects.requireNonNull(created.getConnectionProperties()).putAll(properties);
        return created;
    }

    private static Object instance(String type) {
        return BeanUtils.instantiateClass(ClassUtils.resolveClassName(type, UnpooledSource.class.getClassLoader()));
    }

    private static Connection open(DataSource source, ConnectionSettings login, PoolSettings pool) throws SQLException {
        String user = login.username();
        Connection connection = user == null ? source.getConnection() : source.getConnection(user, login.password());
        try {
            String catalog = pool.catalog();
            if (catalog != null) {
                connection.setCatalog(catalog);
            }
            String schema = pool.schema();
            if (schema != null) {
                connection.setSchema(schema);
            }
            // Otherwise HikariCP leaves it to the first transaction to commit the initial SQL or roll it back.
            connection.setAutoCommit(!Boolean.FALSE.equals(pool.property("autoCommit"))
                    || Boolean.TRUE.equals(pool.property("isolateInternalQueries")));
            for (String sql : pool.initSql()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            JdbcUtils.closeConnection(connection);
            throw e;
        }
    }

    /**
     * Opens a connection of the resource of a JTA transaction manager, such as Atomikos, whose pool may reject
     * statements outside of its transactions. The connection has local transactions.
     */
    private static Connection open(XADataSource resource) throws SQLException {
        XAConnection connection = resource.getXAConnection();
        try {
            connection.addConnectionEventListener(new ClosedWithItsHandle(connection));
            return connection.getConnection();
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Closes the connection of a resource when the {@link Connection} that the resource gave is closed. */
    private record ClosedWithItsHandle(XAConnection connection) implements ConnectionEventListener {

        @Override
        public void connectionClosed(ConnectionEvent event) {
            connectionErrorOccurred(event);
        }

        @Override
        public void connectionErrorOccurred(ConnectionEvent event) {
            try {
                connection.close();
            } catch (SQLException e) {
                // The connection is broken.
            }
        }
    }
}
