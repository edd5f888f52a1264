package io.github.snowflakeid.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The settings of a pool that select the schema of its connections.
 *
 * @param schema the schema; null if the pool selects none
 * @param catalog the catalog; null if the pool selects none
 * @param initSql the statements that the pool executes on a new connection
 */
record PoolSettings(@Nullable String schema, @Nullable String catalog, List<String> initSql) {

    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolSettings.class.getClassLoader());

    static PoolSettings of(DataSource dataSource) {
        DataSource pool = target(dataSource);
        if (HIKARI && OfHikari.is(pool)) {
            return OfHikari.settings(pool);
        }
        List<String> initSql = new ArrayList<>();
        for (String name : new String[] {"initSQL", "connectionInitSql", "connectionInitSqls"}) {
            Object value = property(pool, name);
            if (value instanceof String sql && StringUtils.hasText(sql)) {
                initSql.add(sql);
            } else if (value instanceof Collection<?> several) {
                several.forEach(sql -> initSql.add(String.valueOf(sql)));
            }
        }
        return new PoolSettings(text(pool, "defaultSchema"), text(pool, "defaultCatalog"), List.copyOf(initSql));
    }

    /** Returns whether a {@code DataSource} is a pool of HikariCP, or wraps one. */
    static boolean isHikari(DataSource dataSource) throws SQLException {
        return HIKARI && dataSource.isWrapperFor(HikariDataSource.class);
    }

    /** Returns the object that has the settings of a pool: the {@code DataSource} itself, or the pool that it wraps. */
    static DataSource target(DataSource dataSource) {
        try {
            if (isHikari(dataSource)) {
                return dataSource.unwrap(HikariDataSource.class);
            }
        } catch (SQLException | RuntimeException e) {
            // The settings of the wrapper are the best that is known.
        }
        DataSource target = dataSource instanceof DelegatingDataSource wrapper ? wrapper.getTargetDataSource() : null;
        return target == null ? dataSource : target(target);
    }

    /** Returns the URL in the settings of a {@code DataSource}; null if it is unknown. */
    static @Nullable String urlOf(DataSource dataSource) {
        DataSource pool = target(dataSource);
        if (HIKARI && OfHikari.is(pool)) {
            return OfHikari.url(pool);
        }
        for (String name : new String[] {"jdbcUrl", "url", "URL"}) {
            String url = text(pool, name);
            if (url != null) {
                return url;
            }
        }
        return null;
    }

    private static @Nullable String text(DataSource pool, String name) {
        return property(pool, name) instanceof String text && StringUtils.hasText(text) ? text : null;
    }

    static boolean has(DataSource pool, String name) {
        try {
            return PropertyAccessorFactory.forBeanPropertyAccess(pool).isReadableProperty(name);
        } catch (BeansException e) {
            return false;
        }
    }

    /** Returns the value of a property; null if there is none or it cannot be read. */
    static @Nullable Object property(DataSource pool, String name) {
        try {
            return has(pool, name)
                    ? PropertyAccessorFactory.forBeanPropertyAccess(pool).getPropertyValue(name)
                    : null;
        } catch (BeansException e) {
            return null;
        }
    }

    /** Loaded only if HikariCP is on the class path. Uses no reflection, which would need hints in a native image. */
    private static final class OfHikari {

        static boolean is(DataSource pool) {
            return pool instanceof HikariDataSource;
        }

        static PoolSettings settings(DataSource pool) {
            HikariDataSource hikari = (HikariDataSource) pool;
            String sql = hikari.getConnectionInitSql();
            return new PoolSettings(
                    hikari.getSchema(), hikari.getCatalog(), StringUtils.hasText(sql) ? List.of(sql) : List.of());
        }

        static @Nullable String url(DataSource pool) {
            return ((HikariDataSource) pool).getJdbcUrl();
        }
    }
}
