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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

/**
 * Opens connections like those of an application's {@link DataSource}, but outside of its pool. It is derived from the settings of the pool
 * for each connection, so that changed passwords and new tokens apply.
 *
 * @param opener opens a connection for each call
 * @param login the URL, the user name and the password, to recognize a login that was rejected before
 * @param likeness whether the connections are like those of the pool
 */
record UnpooledSource(Opener opener, List<@Nullable Object> login, Likeness likeness) {

    /** Whether connections are in the database and schema, and have the rights, that new connections of the pool have. */
    enum Likeness {
        /** The {@code DataSource} itself opens the connections, because it is no pool. */
        SAME,
        /** They are opened as the pool opens its connections. */
        EQUAL,
        /** They are opened as the pool opens its connections, but the pool was not started yet. */
        EQUAL_BUT_NOT_STARTED,
        /** A comparison must show it. */
        UNKNOWN
    }

    /** Opens a connection. */
    @FunctionalInterface
    interface Opener {
        Connection open() throws SQLException;
    }

    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", UnpooledSource.class.getClassLoader());

    private static final List<String> SCHEMA_SETTINGS = List.of(
            "schema",
            "catalog",
            "connectionInitSql",
            "connectionInitSqls",
            "defaultSchema",
            "defaultCatalog",
            "initSQL");

    /** An in-memory database of H2 without a name: each connection has its own. */
    private static final String PRIVATE_DATABASE = "jdbc:h2:mem:(;.*)?";

    /** Returns a source for the connections of a {@code DataSource}; null if its settings are unknown. */
    static @Nullable UnpooledSource of(DataSource dataSource, Timeouts timeouts) {
        if (dataSource instanceof EmbeddedDatabase
                || (dataSource instanceof AbstractDriverBasedDataSource
                        && !(dataSource instanceof SingleConnectionDataSource))) {
            return new UnpooledSource(dataSource::getConnection, List.of(), Likeness.SAME);
        }
        try {
            if (isHikari(dataSource)) {
                return OfHikari.of(dataSource, timeouts);
            }
            UnpooledSource ofXa = ofXa(dataSource);
            return ofXa != null ? ofXa : OfBuilder.of(dataSource, timeouts);
        } catch (SQLException | RuntimeException | LinkageError e) {
            // An unknown kind of pool, another version of HikariCP, no DataSourceBuilder, or no current target of a
            // DataSource that routes.
            return null;
        }
    }

    /**
     * Returns a source for the {@code DataSource} of a JTA transaction manager, such as Atomikos, which may reject statements outside of its
     * transactions. Its resource also opens connections with transactions of their own.
     */
    private static @Nullable UnpooledSource ofXa(DataSource dataSource) {
        List<Object> resource = settings(dataSource, List.of("xaDataSource"));
        if (resource.isEmpty() || !(resource.get(0) instanceof XADataSource xa)) {
            return null;
        }
        Opener opener = () -> {
            XAConnection connection = xa.getXAConnection();
            connection.addConnectionEventListener(new ClosedWithItsHandle(connection));
            return connection.getConnection();
        };
        return new UnpooledSource(opener, List.of(xa), Likeness.EQUAL);
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

    /** Returns the URL in the settings of a {@code DataSource}; null if it is unknown. */
    static @Nullable String urlOf(DataSource dataSource) {
        return settings(dataSource, List.of("jdbcUrl", "url", "URL")).stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the settings of a pool select a schema for its connections. */
    static boolean selectsSchema(DataSource dataSource) {
        return !settings(dataSource, SCHEMA_SETTINGS).isEmpty();
    }

    /** Returns the values of those properties that a pool has and that are not empty. */
    private static List<Object> settings(DataSource dataSource, List<String> names) {
        try {
            if (isHikari(dataSource)) {
                return OfHikari.settings(dataSource.unwrap(HikariDataSource.class), names);
            }
        } catch (SQLException | RuntimeException e) {
            // The settings of the wrapper are the best that is known.
        }
        BeanWrapper settings = PropertyAccessorFactory.forBeanPropertyAccess(dataSource);
        return names.stream()
                .filter(settings::isReadableProperty)
                .map(settings::getPropertyValue)
                .filter(value -> !ObjectUtils.isEmpty(value))
                .map(Objects::requireNonNull)
                .toList();
    }

    private static boolean isHikari(DataSource dataSource) throws SQLException {
        return HIKARI && dataSource.isWrapperFor(HikariDataSource.class);
    }

    private static @Nullable UnpooledSource derived(
            Opener opener, @Nullable String url, @Nullable Object user, @Nullable Object password, Likeness likeness) {
        return url != null && url.matches(PRIVATE_DATABASE)
                ? null
                : new UnpooledSource(opener, Arrays.asList(url, user, password), likeness);
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
            Likeness likeness = !dataSource.equals(pool) || changesConnections(pool)
                    ? Likeness.UNKNOWN
                    : pool.isRunning() ? Likeness.EQUAL : Likeness.EQUAL_BUT_NOT_STARTED;
            return derived(opener, pool.getJdbcUrl(), user, password, likeness);
        }

        /** Does not use reflection, which would need hints in a native image. */
        static List<Object> settings(HikariConfig pool, List<String> names) {
            Map<String, @Nullable String> known = new HashMap<>();
            known.put("jdbcUrl", pool.getJdbcUrl());
            known.put("schema", pool.getSchema());
            known.put("catalog", pool.getCatalog());
            known.put("connectionInitSql", pool.getConnectionInitSql());
            return names.stream()
                    .map(known::get)
                    .filter(StringUtils::hasText)
                    .<Object>map(Objects::requireNonNull)
                    .toList();
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
                    if (!connection.getAutoCommit()) {
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

    /** As Spring Boot derives the connections of migrations. Loaded only if Spring Boot's JDBC module is on the class path. */
    private static final class OfBuilder {

        static @Nullable UnpooledSource of(DataSource dataSource, Timeouts timeouts) {
            SimpleDriverDataSource source = DataSourceBuilder.derivedFrom(dataSource)
                    .type(SimpleDriverDataSource.class)
                    .build();
            String url = source.getUrl();
            if (url == null) {
                return null;
            }
            source.setConnectionProperties(DedicatedDataSource.timeoutProperties(url, timeouts));
            return derived(source::getConnection, url, source.getUsername(), source.getPassword(), Likeness.UNKNOWN);
        }
    }
}
