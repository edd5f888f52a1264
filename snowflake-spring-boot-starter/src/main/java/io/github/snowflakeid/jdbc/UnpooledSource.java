package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.OpenConnection.Match;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.util.ClassUtils;

/**
 * Opens a connection as an application's {@link DataSource} does, but outside of its pool. It is derived from the
 * current settings of the pool, so that changed passwords and new tokens apply.
 *
 * @param login the URL, the user name and the password, to recognize a login that was rejected before
 */
record UnpooledSource(Callable<OpenConnection> opener, ConnectionSettings login, Match match) {

    /** An in-memory database of H2 without a name: each connection has a separate one. */
    private static final String PRIVATE_DATABASE = "jdbc:h2:mem:(;.*)?";

    /** A database, or a container that a driver starts, that ends with its last connection. */
    private static final String TRANSIENT_DATABASE = "jdbc:(h2:mem|tc):.*";

    /**
     * Returns the source for a {@code DataSource}; null if its settings are unknown.
     *
     * @param loginMillis limits the time of a login
     */
    static @Nullable UnpooledSource of(DataSource dataSource, int loginMillis) {
        if (dataSource instanceof DedicatedDataSource dedicated) {
            return of(() -> dedicated.open(loginMillis, new Properties()), dedicated.settings(), Match.NO_POOL);
        }
        PoolSettings pool = new PoolSettings(dataSource);
        if (pool.isNone()) {
            // A wrapper may add the login.
            return of(() -> ask(dataSource), new ConnectionSettings("", null, null), Match.NO_POOL);
        }
        try {
            ConnectionSettings login = pool.login();
            if (pool.property("xaDataSource") instanceof XADataSource xa) {
                return new UnpooledSource(() -> open(xa), login, Match.EXACT);
            }
            Callable<Connection> opener = opener(pool, login, loginMillis);
            if (opener == null || login.url().matches(PRIVATE_DATABASE)) {
                return null;
            }
            // To find the table also starts the pool, so that the database outlives the connection outside of the pool.
            boolean mayEnd = login.url().matches(TRANSIENT_DATABASE) && !Boolean.TRUE.equals(pool.property("running"));
            Match ofHikari = PoolSettings.isPlainHikari(dataSource) && !mayEnd ? Match.EXACT : Match.WRAPPED;
            return pool.isHikari()
                    ? of(() -> prepared(opener.call(), pool), login, ofHikari)
                    : of(opener, login, Match.DERIVED);
        } catch (RuntimeException e) {
            // The settings cannot be used.
            return null;
        }
    }

    static Connection ask(DataSource dataSource) throws SQLException {
        Connection opened = dataSource.getConnection();
        // A proxy may be about to choose the connection of a transaction: in this thread there is none.
        opened.getAutoCommit();
        return opened;
    }

    private static UnpooledSource of(Callable<Connection> opener, ConnectionSettings login, Match match) {
        return new UnpooledSource(() -> new OpenConnection(opener.call(), match, null), login, match);
    }

    /** Returns what opens physical connections; null if the settings do not suffice. */
    private static @Nullable Callable<Connection> opener(PoolSettings pool, ConnectionSettings login, int loginMillis) {
        Object ofDriver = pool.property(pool.isHikari() ? "dataSourceProperties" : "connectProperties");
        Properties properties = ofDriver instanceof Properties set ? set : new Properties();
        String type = pool.text("dataSourceClassName");
        // A wrapper may have a property with this name that is the pool.
        DataSource given = pool.isHikari() && pool.property("dataSource") instanceof DataSource source ? source : null;
        if (given == null && type != null) {
            given = (DataSource) instance(type);
            PropertyAccessorFactory.forBeanPropertyAccess(given).setPropertyValues(properties);
        }
        if (given != null) {
            DataSource source = given;
            String user = login.username();
            return () -> user == null ? source.getConnection() : source.getConnection(user, login.password());
        }
        String driver = pool.text("driverClassName");
        DedicatedDataSource derived = new DedicatedDataSource(login, driver == null ? null : (Driver) instance(driver));
        return login.url().isEmpty() || !pool.has("password") ? null : () -> derived.open(loginMillis, properties);
    }

    private static Object instance(String type) {
        return BeanUtils.instantiateClass(ClassUtils.resolveClassName(type, UnpooledSource.class.getClassLoader()));
    }

    /** Prepares a connection as HikariCP does. */
    private static Connection prepared(Connection connection, PoolSettings pool) throws SQLException {
        try {
            String catalog = pool.text("catalog");
            if (catalog != null) {
                connection.setCatalog(catalog);
            }
            String schema = pool.text("schema");
            if (schema != null) {
                connection.setSchema(schema);
            }
            connection.setAutoCommit(pool.commitsInitialSql());
            String sql = pool.text("connectionInitSql");
            if (sql != null) {
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
    private static OpenConnection open(XADataSource resource) throws SQLException {
        XAConnection connection = resource.getXAConnection();
        try {
            return new OpenConnection(connection.getConnection(), Match.EXACT, connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }
}
