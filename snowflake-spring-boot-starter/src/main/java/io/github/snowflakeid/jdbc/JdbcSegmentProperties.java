package io.github.snowflakeid.jdbc;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Counters in a database, as {@code application.yml} describes them.
 *
 * @param dataSources Names of the DataSource beans that share the numbers, in an order that is the same in all processes. By default
 *     one DataSource has them all.
 * @param urls JDBC url of the database that counters are kept in, for a dedicated connection outside of the application's pool;
 *     several urls share the numbers, in an order that is the same in all processes. By default, connections come from the
 *     DataSource.
 * @param username User name for dedicated connections.
 * @param password Password for dedicated connections.
 * @param tableName Name of the table that counters are kept in, after a schema and a dot if need be.
 * @param initializeSchema When to create the table of counters if it is missing.
 */
@ConfigurationProperties("snowflake.segment.jdbc")
record JdbcSegmentProperties(
        @DefaultValue List<String> dataSources,
        @DefaultValue List<String> urls,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue(JdbcSegmentStore.DEFAULT_TABLE) String tableName,
        @DefaultValue("embedded") InitializeSchema initializeSchema) {

    /** A URL with several hosts has commas, by which Spring Boot separates the elements of a list. */
    JdbcSegmentProperties {
        urls = urls.stream().filter(url -> !url.isBlank()).toList();
        urls = urls.isEmpty() ? urls : List.of(String.join(",", urls).split(",(?=jdbc:)"));
    }
}
