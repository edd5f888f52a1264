package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;

/** Opens connections outside of any pool, so that other parts of the application cannot exhaust them. */
final class DedicatedDataSource extends AbstractDriverBasedDataSource {

    private final ConnectionSettings settings;
    private final @Nullable Driver driver;

    static {
        // In a servlet container, DriverManager does not know the drivers of an application until they are loaded.
        try {
            ServiceLoader.load(Driver.class, DedicatedDataSource.class.getClassLoader())
                    .forEach(Driver::getMajorVersion);
        } catch (ServiceConfigurationError | LinkageError e) {
            // A broken driver. If no other driver accepts the URL, opening a connection fails and reports it.
        }
    }

    /** @param driver the driver, because several may accept the URL; null for the first one that does */
    DedicatedDataSource(ConnectionSettings settings, @Nullable Driver driver) {
        this.settings = settings;
        this.driver = driver;
        setUrl(settings.url());
        setUsername(settings.username());
        setPassword(settings.password());
    }

    /**
     * Opens a connection.
     *
     * @param loginMillis limits the time of the login, which no statement timeout covers; properties in the URL take
     *     precedence
     * @param properties the properties of the driver, without a user and a password
     */
    Connection open(int loginMillis, Properties properties) throws SQLException {
        Properties all = timeoutProperties(settings.url(), loginMillis);
        all.putAll(properties);
        setConnectionProperties(all);
        return getConnection();
    }

    ConnectionSettings settings() {
        return settings;
    }

    @Override
    protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
        return driver == null
                ? DriverManager.getConnection(settings.url(), properties)
                : Objects.requireNonNull(driver.connect(settings.url(), properties), "the driver rejects the URL");
    }

    static Properties timeoutProperties(String url, int millis) {
        int seconds = Math.max(1, millis / 1000);
        Map<String, Integer> limits = switch ((url + "::").split(":", 3)[1]) {
            case "postgresql" -> Map.of("connectTimeout", seconds, "socketTimeout", seconds);
            case "mysql", "mariadb" -> Map.of("connectTimeout", millis, "socketTimeout", millis);
            case "sqlserver" -> Map.of("loginTimeout", seconds, "socketTimeout", millis);
            case "oracle" -> Map.of("oracle.net.CONNECT_TIMEOUT", millis, "oracle.jdbc.ReadTimeout", millis);
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
