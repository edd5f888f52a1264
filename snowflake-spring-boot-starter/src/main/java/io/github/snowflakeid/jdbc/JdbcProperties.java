package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Leases in a database, as {@code application.yml} describes them. */
@ConfigurationProperties("snowflake.worker.jdbc")
final class JdbcProperties {

    /** JDBC url of the database that leases are kept in, for a connection outside of the application's pool. By
     * default, connections come from the DataSource. */
    private @Nullable String url;

    /** User name for a connection of the leases' own. */
    private @Nullable String username;

    /** Password for a connection of the leases' own. */
    private @Nullable String password;

    /** Name of the table that leases are kept in, after a schema and a dot if need be. */
    private String tableName = JdbcWorkerRegistry.DEFAULT_TABLE;

    /** When to create the table, if there is none. */
    private InitializeSchema initializeSchema = InitializeSchema.EMBEDDED;

    public @Nullable String getUrl() {
        return url;
    }

    public void setUrl(@Nullable String url) {
        this.url = url;
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

    /** When to create the table of worker ids. */
    enum InitializeSchema {

        /** In a database that lives in the memory of this process. */
        EMBEDDED,

        /** In every database. */
        ALWAYS,

        /** Never, since it is there. */
        NEVER
    }

    /** An empty value, as of an environment variable that is there for all, is none. */
    static @Nullable String set(@Nullable String value) {
        return value == null || value.isEmpty() ? null : value;
    }

    /** @param group of the property, in which there is no url */
    static void refuseWithoutEffect(String group, String name, @Nullable String value) {
        if (set(value) != null) {
            String url = group.contains("segment") ? "urls" : "url";
            throw Problem.PROPERTY_WITHOUT_EFFECT.exception(
                    "Property '%s.%s' is set, but without effect: '%1$s.%3$s' is not set".formatted(group, name, url),
                    """
                    Remove '%s.%s', or say where the database is:

                    %1$s.%3$s: jdbc:postgresql://localhost/shop""".formatted(group, name, url),
                    null);
        }
    }
}
