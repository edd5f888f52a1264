package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import com.zaxxer.hikari.util.PropertyElf;
import com.zaxxer.hikari.util.UtilityElf;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.util.StringUtils;

/**
 * Opens connections as an application's {@link DataSource} does, but outside of its pool. It is derived from the
 * settings of the pool for each connection, so that changed passwords and new tokens apply.
 *
 * @param opener opens a connection for each call
 * @param login the URL, the user name and the password, to recognize a login that was rejected before
 * @param match whether the connections equal the pool's connections
 */
record UnpooledSource(Opener opener, List<@Nullable Object> login, Match match) {

    /**
     * Whether connections are in the database and schema, and have the rights, that new connections of the pool have.
     */
    enum Match {
        /** There is no pool: the {@code DataSource} itself opens a connection for each call. */
        NO_POOL,
        /** They are opened as the pool opens its connections. */
        EXACT,
        /** They are opened as the pool opens its connections, but the pool was not started yet. */
        EXACT_BUT_NOT_STARTED,
        /** A comparison must show it. */
        UNKNOWN
    }

    /** Opens a connection. */
    @FunctionalInterface
    interface Opener {
        Connection open() throws SQLException;
    }

    /** An in-memory database of H2 without a name: each connection has a separate one. */
    private static final String PRIVATE_DATABASE = "jdbc:h2:mem:(;.*)?";

    /** Returns a source for the connections of a {@code DataSource}; null if its settings are unknown. */
    static @Nullable UnpooledSource of(DataSource dataSource, Timeouts timeouts) {
        if (dataSource instanceof EmbeddedDatabase
                || (dataSource instanceof AbstractDriverBasedDataSource
                        && !(dataSource instanceof SingleConnectionDataSource))) {
            return new UnpooledSource(dataSource::getConnection, List.of(), Match.NO_POOL);
        }
        try {
            if (PoolSettings.isHikari(dataSource)) {
                return OfHikari.of(dataSource, timeouts);
            }
            UnpooledSource ofXa = ofXa(dataSource);
            return ofXa != null ? ofXa : ofProperties(dataSource, timeouts);
        } catch (SQLException | RuntimeException | LinkageError e) {
            // An unknown kind of pool, another version of HikariCP, or no current target of a DataSource that routes.
            return null;
        }
    }

    private static @Nullable UnpooledSource derived(
            Opener opener, @Nullable String url, @Nullable Object user, @Nullable Object password, Match match) {
        return url != null && url.matches(PRIVATE_DATABASE)
                ? null
                : new UnpooledSource(opener, Arrays.asList(url, user, password), match);
    }

    /**
     * Returns a source for the {@code DataSource} of a JTA transaction manager, such as Atomikos, which may reject
     * statements outside of its transactions. Its resource also opens connections with local transactions.
     */
    private static @Nullable UnpooledSource ofXa(DataSource dataSource) {
        if (!(PoolSettings.property(PoolSettings.target(dataSource), "xaDataSource") instanceof XADataSource xa)) {
            return null;
        }
        Opener opener = () -> {
            XAConnection connection = xa.getXAConnection();
            connection.addConnectionEventListener(new ClosedWithItsHandle(connection));
            return connection.getConnection();
        };
        return new UnpooledSource(opener, List.of(xa), Match.EXACT);
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

    /**
     * Returns a source for a pool with the usual properties, such as DBCP2, Druid or Tomcat's pool, which hides its
     * password.
     */
    private static @Nullable UnpooledSource ofProperties(DataSource dataSource, Timeouts timeouts) throws SQLException {
        String url = PoolSettings.urlOf(dataSource);
        DataSource pool = PoolSettings.target(dataSource);
        String path = PoolSettings.has(pool, "poolProperties.password") ? "poolProperties.password" : "password";
        if (url == null || !PoolSettings.has(pool, path)) {
            return null;
        }
        Object user = PoolSettings.property(pool, PoolSettings.has(pool, "username") ? "username" : "user");
        Object password = PoolSettings.property(pool, path);
        DriverManagerDataSource source = new DriverManagerDataSource();
        if (PoolSettings.property(pool, "driverClassName") instanceof String driver) {
            source.setDriverClassName(driver);
        }
        source.setUrl(url);
        source.setUsername(user instanceof String name ? name : null);
        source.setPassword(password instanceof String secret ? secret : null);
        source.setConnectionProperties(DedicatedDataSource.timeoutProperties(url, timeouts));
        return derived(source::getConnection, url, user, password, Match.UNKNOWN);
    }

    /** As HikariCP opens connections for its pool. Loaded only if HikariCP is on the class path. */
    private static final class OfHikari {

        static @Nullable UnpooledSource of(DataSource dataSource, Timeouts timeouts) throws SQLException {
            HikariDataSource pool = dataSource.unwrap(HikariDataSource.class);
            var login = pool.getCredentials();
            String user = login.getUsername();
            String password = login.getPassword();
            DataSource target = target(pool, timeouts, user, password);
            if (target == null) {
                return null;
            }
            Opener opener =
                    () -> prepared(user == null ? target.getConnection() : target.getConnection(user, password), pool);
            Match match = !dataSource.equals(pool) || changesConnections(pool)
                    ? Match.UNKNOWN
                    : pool.isRunning() ? Match.EXACT : Match.EXACT_BUT_NOT_STARTED;
            return derived(opener, pool.getJdbcUrl(), user, password, match);
        }

        private static @Nullable DataSource target(
                HikariConfig pool, Timeouts timeouts, @Nullable String user, @Nullable String password) {
            DataSource target = pool.getDataSource();
            String type = pool.getDataSourceClassName();
            String url = pool.getJdbcUrl();
            if (target == null && type != null) {
                target = UtilityElf.createInstance(type, DataSource.class);
                PropertyElf.setTargetFromProperties(target, pool.getDataSourceProperties());
            } else if (target == null && url != null) {
                Properties properties = DedicatedDataSource.timeoutProperties(url, timeouts);
                properties.putAll(pool.getDataSourceProperties());
                target = new DriverDataSource(url, pool.getDriverClassName(), properties, user, password);
            }
            return target;
        }

        private static Connection prepared(Connection connection, HikariConfig pool) throws SQLException {
            try {
                connection.setReadOnly(pool.isReadOnly());
                connection.setAutoCommit(pool.isAutoCommit());
                if (pool.getCatalog() != null) {
                    connection.setCatalog(pool.getCatalog());
                }
                if (pool.getSchema() != null) {
                    connection.setSchema(pool.getSchema());
                }
                String sql = pool.getConnectionInitSql();
                if (StringUtils.hasText(sql)) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                    // Otherwise the pool leaves it to the first transaction to commit the settings or roll them back.
                    if (pool.isIsolateInternalQueries() && !pool.isAutoCommit()) {
                        connection.commit();
                    }
                }
                return connection;
            } catch (SQLException | RuntimeException e) {
                JdbcUtils.closeConnection(connection);
                throw e;
            }
        }

        /** Returns whether a subclass of the application may change each connection. */
        private static boolean changesConnections(HikariDataSource pool) {
            try {
                return !pool.getClass()
                        .getMethod("getConnection")
                        .getDeclaringClass()
                        .equals(HikariDataSource.class);
            } catch (NoSuchMethodException e) {
                return true;
            }
        }
    }
}
