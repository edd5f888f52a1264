package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The suggested actions for problems of databases. */
final class DatabaseAdvice {

    private static final String EXAMPLE = "{dedicated}: jdbc:postgresql://localhost/shop";

    private static final String REMOVE_CAUSE = "Remove the cause that the message names.";

    /** Since Spring Boot 4, Flyway alone does not suffice. */
    private static final String FLYWAY =
            "\n\nSpring Boot runs migrations of Flyway only with the dependency org.springframework.boot:spring-boot-starter-flyway.";

    private static final boolean FLYWAY_IS_UNUSED =
            isFlywayUnused(name -> ClassUtils.isPresent(name, DatabaseAdvice.class.getClassLoader()));

    private DatabaseAdvice() {}

    /** Returns whether Flyway is present, but Spring Boot does not run it. */
    static boolean isFlywayUnused(Predicate<String> isPresent) {
        return isPresent.test("org.flywaydb.core.Flyway")
                && !isPresent.test("org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")
                && !isPresent.test("org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration");
    }

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
                .replace("{column}", kind.column())
                .replace("{statements}", statements == null ? "" : statements);
    }

    /** Returns the template for rows that have no dedicated connection; null if they use the template of other rows. */
    private static @Nullable String templateOfBean(Problem problem) {
        return switch (problem) {
            case READ_ONLY_STORE, ROUTING_DATA_SOURCE -> """
                Name the DataSource bean of the one database in which the documents are saved:

                {group}data-source: dataSource""";
            case STORE_REJECTED_CALL -> REMOVE_CAUSE;
            case CONNECTION_POOL_EXHAUSTED -> """
                The first number of a tenant or a period needs a further connection. Make the pool greater than the number of concurrent \
                transactions, for example:

                spring.datasource.hikari.maximum-pool-size: 20""";
            default -> null;
        };
    }

    private static String template(Problem problem, boolean dedicated) {
        return switch (problem) {
            case MISSING_TABLE -> """
                Create the table with Flyway, Liquibase or by hand:

                {statements}""" + (FLYWAY_IS_UNUSED ? FLYWAY : "");
            case WRONG_TABLE -> """
                Change the table so that it has the columns of this statement:

                {statements}""";
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

                """ + EXAMPLE;
            case ROUTING_DATA_SOURCE -> """
                Give {users} a dedicated connection to one database that all processes share:

                """ + EXAMPLE;
            case AMBIGUOUS_STORE -> """
                Mark the DataSource bean of one database that all processes share:

                import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }""";
            case STORE_OF_ONE_PROCESS -> """
                Keep {users} in a database that all processes reach:

                """ + EXAMPLE;
            case STORE_LOCKED ->
                "Find and end the transaction that locks the table, for example of a database console or a migration.";
            case CONNECTION_POOL_EXHAUSTED -> """
                Give {users} a dedicated connection, outside of the pool, to the same database:

                {dedicated}: ${spring.datasource.url}
                {group}username: ${spring.datasource.username:}
                {group}password: ${spring.datasource.password:}

                If 'spring.datasource.url' is not set, enter the URL, the user name and the password directly. If the server permits no \
                further connection, raise its limit or make the pool smaller by one.""";
            case STORE_REJECTED_CALL -> dedicated ? REMOVE_CAUSE : REMOVE_CAUSE + """
                 If this DataSource cannot be used for {users}, give them a dedicated connection to the same database:

                """ + EXAMPLE;
            default -> "Start the database, and check '{url}' and that this process can reach it.";
        };
    }
}
