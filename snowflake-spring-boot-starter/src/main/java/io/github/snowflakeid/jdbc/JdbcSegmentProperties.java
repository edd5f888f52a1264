package io.github.snowflakeid.jdbc;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of counters in a database.
 *
 * @param dataSources Names of the DataSource beans that share the numbers, in the same order in all processes.
 * @param urls JDBC URL of the database that stores the counters, for a dedicated connection, or several URLs that share
 *     the numbers, in the same order in all processes.
 * @param username User name for dedicated connections.
 * @param password Password for dedicated connections.
 * @param tableName Name of the table that stores the counters, optionally with a schema.
 * @param initializeSchema When to create the table of counters if it does not exist; by default only in a database in
 *     memory.
 * @param singleProcess Whether counters may be stored inside this process, because no other process writes to the same
 *     tables.
 * @param platform Supported database whose SQL the database of the counters understands.
 */
@ConfigurationProperties("snowflake.segment.jdbc")
record JdbcSegmentProperties(
        @DefaultValue List<String> dataSources,
        @DefaultValue List<String> urls,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue(JdbcSegmentStore.DEFAULT_TABLE) String tableName,
        @DefaultValue("embedded") InitializeSchema initializeSchema,
        @DefaultValue("false") boolean singleProcess,
        @Nullable Dialect platform)
        implements LoginProperties {

    /** Joins URLs that contain commas: Spring Boot splits a list at commas, and a URL with several hosts has some. */
    JdbcSegmentProperties {
        urls = urls.stream().filter(url -> !url.isBlank()).toList();
        urls = urls.isEmpty() ? urls : List.of(String.join(",", urls).split(",(?=jdbc:)"));
    }
}
