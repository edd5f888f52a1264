package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Opens connections outside of any pool, which no other part of the application can keep busy: one for each transaction. A database
 * that lives in the memory of this process is dropped with its last connection, so one stays open until this is closed.
 */
final class DedicatedDataSource extends DriverManagerDataSource {

    private static final String IN_MEMORY = "jdbc:(h2|hsqldb|derby):(mem|memory):.*";

    private final ConnectionSettings settings;
    private @Nullable Connection keepsDatabase;
    private boolean closed;

    DedicatedDataSource(ConnectionSettings settings, Timeouts timeouts) {
        this.settings = settings;
        // DriverManager does not know drivers that a servlet container loads for one application until they are loaded.
        try {
            ServiceLoader.load(Driver.class, DedicatedDataSource.class.getClassLoader())
                    .forEach(Driver::getMajorVersion);
        } catch (ServiceConfigurationError | LinkageError e) {
            // Another driver is broken; that there is none for the URL is reported when a connection is opened.
        }
        setUrl(settings.url());
        setUsername(settings.username());
        setPassword(settings.password());
        setConnectionProperties(timeoutProperties(settings.url(), timeouts));
    }

    ConnectionSettings settings() {
        return settings;
    }

    /** Not by the superclass, which logs the URL, and with it a password that the URL has. */
    @Override
    protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
        Connection connection = getConnectionFromDriverManager(settings.url(), properties);
        keepDatabaseOf(settings.url(), properties);
        return connection;
    }

    private synchronized void keepDatabaseOf(String url, Properties properties) throws SQLException {
        if (keepsDatabase == null && !closed && url.matches(IN_MEMORY)) {
            keepsDatabase = getConnectionFromDriverManager(url, properties);
        }
    }

    synchronized void close() {
        closed = true;
        JdbcUtils.closeConnection(keepsDatabase);
        keepsDatabase = null;
    }

    /** Limits what precedes the first statement, which has no other limit. Properties in the URL take precedence. */
    private static Properties timeoutProperties(String url, Timeouts timeouts) {
        int connectSeconds = timeouts.statementSeconds();
        int socketMillis = timeouts.networkMillis();
        Properties properties = new Properties();
        if (url.startsWith("jdbc:postgresql:")) {
            set(properties, url, "connectTimeout", connectSeconds, "socketTimeout", Math.max(1, socketMillis / 1000));
        } else if (url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:")) {
            set(properties, url, "connectTimeout", connectSeconds * 1000, "socketTimeout", socketMillis);
        } else if (url.startsWith("jdbc:sqlserver:")) {
            set(properties, url, "loginTimeout", connectSeconds, "socketTimeout", socketMillis);
        } else if (url.startsWith("jdbc:oracle:")) {
            set(
                    properties,
                    url,
                    "oracle.net.CONNECT_TIMEOUT",
                    connectSeconds * 1000,
                    "oracle.jdbc.ReadTimeout",
                    socketMillis);
        }
        return properties;
    }

    private static void set(Properties properties, String url, String connect, int limit, String socket, int longer) {
        properties.setProperty(connect, String.valueOf(limit));
        properties.setProperty(socket, String.valueOf(longer));
        properties.keySet().removeIf(name -> url.contains(String.valueOf(name)));
    }
}
