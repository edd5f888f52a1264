package io.github.snowflakeid.jdbc;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases in a database.
 *
 * @param url JDBC URL of the database that stores the leases, for a dedicated connection outside of the application's
 *     pool. By default, connections come from the DataSource.
 * @param username User name for a dedicated connection.
 * @param password Password for a dedicated connection.
 * @param tableName Name of the table that stores the leases, optionally with a schema and a dot before it.
 * @param initializeSchema When to create the table of leases if it does not exist.
 * @param singleProcess Whether no other process writes to the same tables, so that leases may be stored inside this
 *     process although other processes can reach a database of the application.
 */
@ConfigurationProperties("snowflake.worker.jdbc")
record JdbcProperties(
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue(JdbcWorkerRegistry.DEFAULT_TABLE) String tableName,
        @DefaultValue("embedded") InitializeSchema initializeSchema,
        @DefaultValue("false") boolean singleProcess) {}
