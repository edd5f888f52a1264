package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Opens connections outside of any pool, so that other parts of the application cannot exhaust them. */
final class DedicatedDataSource extends DriverManagerDataSource {

    private final ConnectionSettings settings;

    static {
        // In a servlet container, DriverManager does not know the drivers of an application until they are loaded.
        try {
            ServiceLoader.load(Driver.class, DedicatedDataSource.class.getClassLoader())
                    .forEach(Driver::getMajorVersion);
        } catch (ServiceConfigurationError | LinkageError e) {
            // A broken driver. If no other driver accepts the URL, opening a connection fails and reports it.
        }
    }

    DedicatedDataSource(ConnectionSettings settings, Timeouts timeouts) {
        this.settings = settings;
        setUrl(settings.url());
        setUsername(settings.username());
        setPassword(settings.password());
        setConnectionProperties(timeoutProperties(settings.url(), timeouts));
    }

    ConnectionSettings settings() {
        return settings;
    }

    /** Does not call the superclass, which logs the URL together with any password in it. */
    @Override
    protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
        return getConnectionFromDriverManager(settings.url(), properties);
    }

    /**
     * Returns timeouts for connecting and logging in, which no statement timeout covers. Properties in the URL take
     * precedence.
     */
    static Properties timeoutProperties(String url, Timeouts timeouts) {
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
