package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.JdbcProperties.InitializeSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Counters in a database, as {@code application.yml} describes them. */
@ConfigurationProperties("snowflake.segment.jdbc")
final class JdbcSegmentProperties {

    /** Names of the DataSource beans that share the numbers, in an order that is the same in all processes. By default one
     * DataSource has them all. */
    private List<String> dataSources = new ArrayList<>();

    /** JDBC url of the database that counters are kept in, for a connection outside of the application's pool; several
     * urls share the numbers, in an order that is the same in all processes. By default, connections come from the
     * DataSource. */
    private List<String> urls = new ArrayList<>();

    /** User name for connections of the counters' own. */
    private @Nullable String username;

    /** Password for connections of the counters' own. */
    private @Nullable String password;

    /** Name of the table that counters are kept in, after a schema and a dot if need be. */
    private String tableName = JdbcSegmentStore.DEFAULT_TABLE;

    /** When to create the table of counters, if there is none. */
    private InitializeSchema initializeSchema = InitializeSchema.EMBEDDED;

    public List<String> getDataSources() {
        return dataSources;
    }

    public void setDataSources(List<String> dataSources) {
        this.dataSources = dataSources;
    }

    public List<String> getUrls() {
        return urls;
    }

    public void setUrls(List<String> urls) {
        this.urls = urls;
    }

    public @Nullable String getUsername() {
        return username;
    }

    public void setUsername(@Nullable String username) {
        this.username = username;
    }

    public @Nullable String getPassword() {
        return password;
    }

    public void setPassword(@Nullable String password) {
        this.password = password;
    }

    public String getTableName() {
        return tableName;
    }

    public void setTableName(String tableName) {
        this.tableName = tableName;
    }

    public InitializeSchema getInitializeSchema() {
        return initializeSchema;
    }

    public void setInitializeSchema(InitializeSchema initializeSchema) {
        this.initializeSchema = initializeSchema;
    }
}
