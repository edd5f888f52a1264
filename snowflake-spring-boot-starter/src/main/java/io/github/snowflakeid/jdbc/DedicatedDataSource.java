package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Map;
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
        int seconds = timeouts.statementSeconds();
        int millis = timeouts.networkMillis();
        Map<String, Integer> limits = switch ((url + "::").split(":", 3)[1]) {
            case "postgresql" -> Map.of("connectTimeout", seconds, "socketTimeout", Math.max(1, millis / 1000));
            case "mysql", "mariadb" -> Map.of("connectTimeout", seconds * 1000, "socketTimeout", millis);
            case "sqlserver" -> Map.of("loginTimeout", seconds, "socketTimeout", millis);
            case "oracle" -> Map.of("oracle.net.CONNECT_TIMEOUT", seconds * 1000, "oracle.jdbc.ReadTimeout", millis);
            default -> Map.of();
        };
        Properties properties = new Properties();
        limits.forEach((name, limit) -> {
            if (!url.contains(name)) {
                properties.setProperty(name, limit.toString());
            }
        });
        return properties;
    }
}
