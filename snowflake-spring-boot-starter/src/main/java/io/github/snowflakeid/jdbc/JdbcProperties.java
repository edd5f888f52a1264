package io.github.snowflakeid.jdbc;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Leases in a database, as {@code application.yml} describes them.
 *
 * @param url JDBC url of the database that leases are kept in, for a dedicated connection outside of the application's pool. By
 *     default, connections come from the DataSource.
 * @param username User name for a dedicated connection.
 * @param password Password for a dedicated connection.
 * @param tableName Name of the table that leases are kept in, after a schema and a dot if need be.
 * @param initializeSchema When to create the table of leases if it is missing.
 */
@ConfigurationProperties("snowflake.worker.jdbc")
record JdbcProperties(
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue(JdbcWorkerRegistry.DEFAULT_TABLE) String tableName,
        @DefaultValue("embedded") InitializeSchema initializeSchema) {}
