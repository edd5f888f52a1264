package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** The settings of a pool, read from the properties of its {@link DataSource}, whose names differ between pools. */
final class PoolSettings {

    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolSettings.class.getClassLoader());

    private static final int DEFAULT_TIMEOUT = 30_000;

    private final DataSource pool;
    private final PropertyAccessor properties;

    /** @param dataSource the pool, or a wrapper around it */
    PoolSettings(DataSource dataSource) {
        pool = target(dataSource);
        properties = PropertyAccessorFactory.forBeanPropertyAccess(pool);
    }

    private static DataSource target(DataSource dataSource) {
        try {
            if (HIKARI && dataSource.isWrapperFor(HikariDataSource.class)) {
                return dataSource.unwrap(HikariDataSource.class);
            }
        } catch (SQLException | RuntimeException e) {
            // The settings of the wrapper are the best that is known.
        }
        DataSource target = dataSource instanceof DelegatingDataSource wrapper ? wrapper.getTargetDataSource() : null;
        return target == null ? dataSource : target(target);
    }

    /** Returns whether there is no pool: each call of the {@code DataSource} opens a connection. */
    boolean isNone() {
        return pool instanceof EmbeddedDatabase
                || (pool instanceof AbstractDriverBasedDataSource && !(pool instanceof SingleConnectionDataSource));
    }

    boolean isHikari() {
        return HIKARI && pool instanceof HikariDataSource;
    }

    /** Returns whether a {@code DataSource} is a pool of HikariCP itself, without a subclass that changes connections. */
    static boolean isPlainHikari(DataSource dataSource) {
        return HIKARI && dataSource.getClass().equals(HikariDataSource.class);
    }

    @Nullable
    String url() {
        return text("jdbcUrl", "url", "URL");
    }

    /** Returns the URL and the login; the URL is empty if it is unknown. */
    ConnectionSettings login() {
        Object ofDriver = property("connectProperties");
        if (ofDriver != null && properties.isWritableProperty("passwordCallback.properties")) {
            // As Druid does before each login: a callback may decrypt a password in these properties.
            properties.setPropertyValue("passwordCallback.properties", ofDriver);
        }
        // A subclass of HikariCP's pool may have other credentials for each connection. The property "password" of
        // Tomcat's pool does not show it.
        return new ConnectionSettings(
                Objects.requireNonNullElse(url(), ""),
                text("credentials.username", "userCallback.name", "username", "user"),
                text("credentials.password", "passwordCallback.password", "poolProperties.password", "password"));
    }

    /** Returns how long the pool waits for a connection, which it also waits for a login. */
    int connectionTimeout() {
        return property("connectionTimeout") instanceof Long millis ? Math.toIntExact(millis) : DEFAULT_TIMEOUT;
    }

    /** Otherwise HikariCP leaves it to the first transaction to commit the initial SQL or roll it back. */
    boolean commitsInitialSql() {
        return !Boolean.FALSE.equals(property("autoCommit")) || Boolean.TRUE.equals(property("isolateInternalQueries"));
    }

    boolean has(String name) {
        return properties.isReadableProperty(name);
    }

    /** Returns the value of a property; null if there is none or it cannot be read. */
    @Nullable
    Object property(String name) {
        try {
            return has(name) ? properties.getPropertyValue(name) : null;
        } catch (BeansException e) {
            return null;
        }
    }

    /** Returns the first of several properties that has a text; null if none has. */
    @Nullable
    String text(String... names) {
        for (String name : names) {
            Object value = property(name) instanceof char[] characters ? new String(characters) : property(name);
            if (value instanceof String text && StringUtils.hasText(text)) {
                return text;
            }
        }
        return null;
    }
}
