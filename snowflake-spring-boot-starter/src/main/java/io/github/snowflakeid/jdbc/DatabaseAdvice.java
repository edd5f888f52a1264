package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import org.jspecify.annotations.Nullable;

/** The suggested actions for problems of databases. */
final class DatabaseAdvice {

    private static final String EXAMPLE = "{dedicated}: jdbc:postgresql://localhost/shop";

    private DatabaseAdvice() {}

    /**
     * Returns the action for a problem.
     *
     * @param statements SQL that solves the problem; null if there is none
     * @param dedicated whether the connection is dedicated to the store
     */
    static String of(Problem problem, @Nullable String statements, boolean dedicated, StoredKind kind) {
        String ofBean = kind.url() == null ? templateOfBean(problem) : null;
        return filled(ofBean == null ? template(problem, dedicated) : ofBean, statements, dedicated, kind);
    }

    /**
     * Returns the action if a pooler lets clients share sessions, but the driver relies on statements that it prepared
     * in a session.
     */
    static String ofSharedSessions(boolean dedicated, StoredKind kind) {
        return filled("""
                If a pooler such as PgBouncer gives each transaction another session, switch off the driver's prepared statements:

                {url}: jdbc:postgresql://localhost/shop?prepareThreshold=0""", null, dedicated, kind);
    }

    private static String filled(String template, @Nullable String statements, boolean dedicated, StoredKind kind) {
        String url = kind.url() == null ? "spring.datasource.url" : kind.url();
        return template.replace("{source}", dedicated ? kind.group() : "spring.datasource.")
                .replace("{url}", dedicated ? url : "spring.datasource.url")
                .replace("{dedicated}", url)
                .replace("{group}", kind.group())
                .replace("{users}", kind.users())
                .replace("{table}", kind.table())
                .replace("{column}", kind.column())
                .replace("{statements}", statements == null ? "" : statements);
    }

    /** Returns the template for rows that have no dedicated connection; null if it is that of other rows. */
    private static @Nullable String templateOfBean(Problem problem) {
        return switch (problem) {
            case READ_ONLY_STORE, ROUTING_DATA_SOURCE, STORE_REJECTED_CALL -> """
                Remove the cause that the message names, or name the DataSource bean of another database, in which the documents are \
                saved, too:

                {group}data-source: dataSource""";
            case CONNECTION_POOL_EXHAUSTED -> """
                The first number of a tenant or a period needs a further connection. Let the server permit one more than the pool has, \
                or make the pool greater than the number of concurrent transactions, for example:

                spring.datasource.hikari.maximum-pool-size: 20""";
            default -> null;
        };
    }

    private static String template(Problem problem, boolean dedicated) {
        return switch (problem) {
            case MISSING_TABLE -> """
                Create the table with Flyway, Liquibase or by hand:

                {statements}

                or let the starter create it at startup, if the database user may create tables:

                {group}initialize-schema: always""";
            case WRONG_TABLE -> """
                Change the table so that it has the columns of this statement:

                {statements}

                or use another table:

                {group}table-name: {table}s""";
            case MISSING_PRIMARY_KEY -> """
                As the owner of the table, execute:

                {statements}

                If the table has another primary key, drop that key first. If several rows have the same key, stop all processes that \
                use the table, and keep only the row with the greatest {column}.""";
            case TABLE_NOT_CREATED -> """
                Create the table by hand, in an existing schema and as a user who may create tables, and switch off its creation at startup:

                {statements}

                {group}initialize-schema: never""";
            case MISSING_PERMISSION -> """
                As the owner of the table, execute:

                {statements}""";
            case LOGIN_REJECTED -> "Correct '{source}username' and '{source}password'.";
            case MISSING_DATABASE -> "Create the database, or correct '{url}'.";
            case MISSING_DRIVER -> "Add the driver of the database, or correct the URL, for example:\n\n" + EXAMPLE;
            case READ_ONLY_STORE -> """
                Use writable connections to the primary server. A dedicated connection for {users} is best:

                {dedicated}: jdbc:postgresql://primary.example.org/shop""";
            case UNSUPPORTED_DATABASE -> """
                Store {users} in another database:

                {dedicated}: jdbc:postgresql://localhost/shop

                or, if this one understands the SQL of a supported database, name that:

                {group}platform: postgresql""";
            case ROUTING_DATA_SOURCE -> """
                Mark the DataSource bean of one database that all processes share:

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }

                or give {users} a dedicated connection:

                {dedicated}: jdbc:postgresql://localhost/shop""";
            case STORE_OF_ONE_PROCESS -> """
                Keep {users} in a database that all processes reach:

                {dedicated}: jdbc:postgresql://localhost/shop

                If the application's DataSource is that database, remove '{dedicated}', or mark its bean with @SnowflakeDataSource. If \
                no other process ever writes to the same tables, say so:

                {group}single-process: true""";
            case STORE_LOCKED ->
                "Find and end the transaction that locks the table, for example of a database console or a migration.";
            case CONNECTION_POOL_EXHAUSTED -> """
                Give {users} a dedicated connection, outside of the pool, to the same database:

                {dedicated}: ${spring.datasource.url}
                {group}username: ${spring.datasource.username:}
                {group}password: ${spring.datasource.password:}

                If 'spring.datasource.url' is not set, enter the URL, the user name and the password directly. If the server permits no \
                further connection, raise its limit or make the pool smaller by one.""";
            case STORE_REJECTED_CALL -> dedicated ? "Remove the cause that the message names." : """
                Remove the cause that the message names. If this DataSource cannot be used for {users}, mark another one with \
                @SnowflakeDataSource, or give them a dedicated connection to the same database:

                {dedicated}: jdbc:postgresql://localhost/shop""";
            default -> "Start the database, and check '{url}' and that this process can reach it.";
        };
    }
}
