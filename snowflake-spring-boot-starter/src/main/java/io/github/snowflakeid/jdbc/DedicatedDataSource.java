package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
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
        setUrl(settings.url());
        if (settings.username() != null) {
            setUsername(settings.username());
        }
        if (settings.password() != null) {
            setPassword(settings.password());
        }
        setConnectionProperties(timeoutProperties(settings.url(), timeouts));
    }

    ConnectionSettings settings() {
        return settings;
    }

    /** Not by the superclass, which logs the URL, and with it a password that the URL has. */
    @Override
    protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
        String url = settings.url();
        if (!isAccepted(url)) {
            // DriverManager does not know drivers that a servlet container loads for one application until they are
            // loaded.
            ServiceLoader.load(Driver.class, DedicatedDataSource.class.getClassLoader())
                    .forEach(Driver::getMajorVersion);
            if (!isAccepted(url)) {
                throw new NoDriverException();
            }
        }
        Connection connection = getConnectionFromDriverManager(url, properties);
        keepDatabaseOf(url, properties);
        return connection;
    }

    private static boolean isAccepted(String url) {
        return DriverManager.drivers().anyMatch(driver -> {
            try {
                return driver.acceptsURL(url);
            } catch (SQLException e) {
                return false;
            }
        });
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

    /** What precedes the first statement has no other limit. Properties in the URL take precedence. */
    private static Properties timeoutProperties(String url, Timeouts timeouts) {
        int connectMillis = timeouts.statementSeconds() * 1000;
        Properties properties = new Properties();
        if (url.startsWith("jdbc:postgresql:")) {
            set(properties, url, "connectTimeout", timeouts.statementSeconds());
            set(properties, url, "socketTimeout", Math.max(1, timeouts.networkMillis() / 1000));
        } else if (url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:")) {
            set(properties, url, "connectTimeout", connectMillis);
            set(properties, url, "socketTimeout", timeouts.networkMillis());
        } else if (url.startsWith("jdbc:sqlserver:")) {
            set(properties, url, "loginTimeout", timeouts.statementSeconds());
            set(properties, url, "socketTimeout", timeouts.networkMillis());
        } else if (url.startsWith("jdbc:oracle:")) {
            set(properties, url, "oracle.net.CONNECT_TIMEOUT", connectMillis);
            set(properties, url, "oracle.jdbc.ReadTimeout", timeouts.networkMillis());
        }
        return properties;
    }

    private static void set(Properties properties, String url, String name, int value) {
        if (!url.contains(name)) {
            properties.setProperty(name, Integer.toString(value));
        }
    }

    /** No driver accepts the URL. */
    static final class NoDriverException extends SQLException {

        private static final long serialVersionUID = 1L;

        NoDriverException() {
            super("no driver takes such a url");
        }
    }
}
