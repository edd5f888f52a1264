package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;

/** What to do where a table cannot be used. */
final class DatabaseAdvice {

    private DatabaseAdvice() {}

    /**
     * What mends the failure.
     *
     * @param statements SQL that mends it; empty if there is none
     * @param dedicated whether the connection is dedicated to the store
     */
    static String of(Problem problem, String statements, boolean dedicated, StoredKind kind) {
        return template(problem, dedicated, statements.isEmpty())
                .replace("{jdbc}.url", kind.property("url"))
                .replace("{jdbc}.", kind.property(""))
                .replace("{users}", kind.users)
                .replace("{another_table}", "snowflake_" + kind.rows.replace(' ', '_'))
                .replace("{greatest}", kind.column)
                .replace("{statements}", statements);
    }

    private static String template(Problem problem, boolean dedicated, boolean grantsUnknown) {
        return switch (problem) {
            case MISSING_TABLE -> """
                    Create the table with Flyway, Liquibase or by hand:

                    {statements}

                    or let it be created at the start, if the user of the database may do so:

                    {jdbc}.initialize-schema: always""";
            case TABLE_NOT_CREATED -> """
                    Create the table by hand, in a schema that exists and as a user who may, and not at the start:

                    {statements}

                    {jdbc}.initialize-schema: never""";
            case MISSING_PERMISSION ->
                grantsUnknown ? "Grant SELECT, INSERT and UPDATE on the table to the user of the database." : """
                    Let the owner of the table execute:

                    {statements}""";
            case MISSING_PRIMARY_KEY -> """
                    Let the owner of the table execute:

                    {statements}

                    If the table has another primary key, drop that first. If rows repeat a key, stop all processes that use the \
                    table and keep only the one of these rows with the greatest {greatest}.""";
            case WRONG_TABLE -> """
                    Change the table so that its columns are those of

                    {statements}

                    or use another table:

                    {jdbc}.table-name: {another_table}""";
            case STORE_LOCKED -> """
                    Find and end the transaction that locks the table, for example of a database console or a migration.""";
            case LOGIN_REJECTED ->
                dedicated
                        ? "Correct '{jdbc}.username' and '{jdbc}.password'."
                        : "Correct the user name and the password of the DataSource, as 'spring.datasource.username' and"
                                + " 'spring.datasource.password'.";
            case MISSING_DATABASE ->
                "Create the database, or correct '" + (dedicated ? "{jdbc}" : "spring.datasource") + ".url'.";
            case MISSING_DRIVER -> """
                    Add the driver of the database, or correct '{jdbc}.url', for example:

                    {jdbc}.url: jdbc:postgresql://localhost/shop""";
            case READ_ONLY_STORE -> """
                    Connect to the primary server, with connections that are not read-only; best, give {users} a dedicated connection:

                    {jdbc}.url: jdbc:postgresql://primary.example.org/shop""";
            case UNSUPPORTED_DATABASE -> """
                    Keep {users} in another database:

                    {jdbc}.url: jdbc:postgresql://localhost/shop""";
            case ROUTING_DATA_SOURCE -> """
                    Mark the DataSource bean of one database that all processes share:

                    @Bean
                    @SnowflakeDataSource
                    DataSource dataSource() { ... }

                    or give {users} a dedicated connection:

                    {jdbc}.url: jdbc:postgresql://localhost/shop""";
            case CONNECTION_POOL_EXHAUSTED -> """
                    Give {users} a dedicated connection, outside of the pool, to the same database:

                    {jdbc}.url: ${spring.datasource.url}
                    {jdbc}.username: ${spring.datasource.username:}
                    {jdbc}.password: ${spring.datasource.password:}

                    Where 'spring.datasource.url' is not set, give the url, the user name and the password themselves.""";
            default ->
                dedicated
                        ? "Start the database, and check '{jdbc}.url'."
                        : "Start the database, and check that this process can reach it.";
        };
    }
}
