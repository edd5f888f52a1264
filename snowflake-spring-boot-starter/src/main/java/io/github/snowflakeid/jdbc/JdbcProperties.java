package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.properties.UnsetGroup;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * The properties of leases in a database.
 *
 * @param url JDBC URL of the database that stores the leases, for a dedicated connection. By default, the connection is
 *     derived from the DataSource.
 * @param username User name for a dedicated connection.
 * @param password Password for a dedicated connection.
 * @param tableName Name of the table that stores the leases, optionally with a schema.
 * @param initializeSchema When to create the table of leases if it does not exist; by default only in a database in
 *     memory.
 * @param singleProcess Whether leases may be stored inside this process, because no other process writes to the same
 *     tables.
 * @param platform Supported database whose SQL the database of the leases understands.
 */
@ConfigurationProperties("snowflake.worker.jdbc")
record JdbcProperties(
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue(JdbcWorkerRegistry.DEFAULT_TABLE) String tableName,
        @DefaultValue("embedded") InitializeSchema initializeSchema,
        @DefaultValue("false") boolean singleProcess,
        @Nullable Dialect platform)
        implements LoginProperties {

    static JdbcProperties defaults() {
        return new JdbcProperties(
                null, null, null, JdbcWorkerRegistry.DEFAULT_TABLE, InitializeSchema.EMBEDDED, false, null);
    }

    /** Creates this group if none of its properties is set. */
    static final class Unset extends UnsetGroup<JdbcProperties> {

        Unset(Environment environment) {
            super(environment, JdbcProperties.class, JdbcProperties::defaults);
        }
    }

    /** Written by hand because Spring calls it for each bean: to generate the method would add 6 ms to startup. */
    @Override
    public int hashCode() {
        return tableName.hashCode();
    }
}
