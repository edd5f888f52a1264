package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.JdbcRegistryException.Problem;

/** What to do where leases cannot be had from a database. */
final class DatabaseAdvice {

    private static final String OWN_CONNECTION = """
            snowflake.worker.jdbc.url: ${spring.datasource.url}
            snowflake.worker.jdbc.username: ${spring.datasource.username}
            snowflake.worker.jdbc.password: ${spring.datasource.password}""";

    private DatabaseAdvice() {}

    /**
     * What mends the failure.
     *
     * @param statements SQL that mends it; empty if there is none
     * @param own whether the connection is the lease's own
     */
    static String of(Problem problem, String statements, boolean own) {
        return switch (problem) {
            case NO_TABLE -> """
                    Create the table with Flyway, Liquibase or by hand:

                    %s

                    or let it be created at the start, if the user of the database may do so:

                    snowflake.worker.jdbc.initialize-schema: always""".formatted(statements);
            case NOT_CREATED -> """
                    Create the table by hand, in a schema that exists and as a user who may, and not at the start:

                    %s

                    snowflake.worker.jdbc.initialize-schema: never""".formatted(statements);
            case NOT_PERMITTED ->
                statements.isEmpty()
                        ? "Grant SELECT, INSERT and UPDATE on the table to the user of the database."
                        : """
                    Let the owner of the table execute:

                    %s""".formatted(statements);
            case WRONG_TABLE -> """
                    Use another table, or rename the one that is there:

                    snowflake.worker.jdbc.table-name: snowflake_worker_ids""";
            case LOGIN_REFUSED ->
                own
                        ? "Correct 'snowflake.worker.jdbc.username' and 'snowflake.worker.jdbc.password'."
                        : "Correct the user name and the password of the DataSource, as 'spring.datasource.username' and"
                                + " 'spring.datasource.password'.";
            case NO_DATABASE ->
                "Create the database, or correct '%s'."
                        .formatted(own ? "snowflake.worker.jdbc.url" : "spring.datasource.url");
            case NO_DRIVER -> """
                    Add the driver of the database, and correct 'snowflake.worker.jdbc.url' and, if it is set, \
                    'snowflake.worker.jdbc.driver-class-name', for example:

                    snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""";
            case READ_ONLY -> """
                    Connect to the primary server, with connections that are not read-only; best, leases have one of their own:

                    snowflake.worker.jdbc.url: jdbc:postgresql://primary.example.org/shop""";
            case UNSUPPORTED_DATABASE -> """
                    Keep leases in another database:

                    snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""";
            case ROUTED -> """
                    Mark the DataSource bean of one database that all processes share:

                    @Bean
                    @SnowflakeDataSource
                    DataSource dataSource() { ... }

                    or let leases have a connection of their own:

                    snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""";
            case POOL_BUSY -> """
                    Give leases a connection of their own, outside of the pool:

                    %s""".formatted(OWN_CONNECTION);
            case NO_ANSWER ->
                own
                        ? "Start the database, and check 'snowflake.worker.jdbc.url'."
                        : "Start the database, and check that this process can reach it.";
        };
    }
}
