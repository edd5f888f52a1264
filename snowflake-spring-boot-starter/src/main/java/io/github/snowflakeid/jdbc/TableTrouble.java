package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.jdbc.JdbcRegistryException.Problem;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says what is in the way of a table, for people, with what to do.
 *
 * @param table its name
 * @param createStatement how to create it in a kind of database
 */
record TableTrouble(
        Contents contents, String table, Connections connections, Function<Dialect, String> createStatement) {

    /** What is done with the table, as messages say it. */
    enum Purpose {
        READ("read"),
        WRITE("written"),
        TRY_OUT("written"),
        CREATE("created");

        private final String done;

        Purpose(String done) {
            this.done = done;
        }
    }

    /** No connection, or none that can be asked. */
    RuntimeException ofConnecting(Throwable failed) {
        Problem problem = Trouble.ofConnecting(failed);
        if (connections instanceof OwnConnection own) {
            return refused(problem, notConnected(problem, own.settings(), failed), failed, null);
        }
        if (connections instanceof PooledConnections pool
                && pool.areRouted()
                && problem == Problem.NO_ANSWER
                && failed instanceof IllegalStateException) {
            return refused(
                    Problem.ROUTED,
                    "The DataSource chooses among databases, and has none for %s: %s"
                            .formatted(contents.users, Trouble.text(failed, null)),
                    failed,
                    null);
        }
        String why = Trouble.text(failed, null);
        return refused(
                problem,
                switch (problem) {
                    case LOGIN_REFUSED -> "The database refuses the login: " + why;
                    case NO_DATABASE -> "There is no such database: " + why;
                    case POOL_BUSY ->
                        "Each connection of the DataSource is in use (%s); %s gives %s one of their own"
                                .formatted(why, contents.property("url"), contents.users);
                    default -> why;
                },
                failed,
                null);
    }

    private String notConnected(Problem problem, ConnectionSettings settings, Throwable failed) {
        String address = settings.address();
        String why = Trouble.text(failed, settings);
        return switch (problem) {
            case LOGIN_REFUSED ->
                "The database at %s refuses the login of %s (%s and .password): %s"
                        .formatted(address, contents.users, contents.property("username"), why);
            case NO_DATABASE -> "There is no database at %s (%s): %s".formatted(address, contents.property("url"), why);
            case NO_DRIVER ->
                settings.driverClassName() == null
                        ? "The url %s (%s) cannot be used: %s".formatted(address, contents.property("url"), why)
                        : "The driver %s (%s) cannot be used for the url %s: %s"
                                .formatted(
                                        settings.driverClassName(),
                                        contents.property("driver-class-name"),
                                        address,
                                        why);
            default ->
                "The database at %s (%s) cannot be reached: %s".formatted(address, contents.property("url"), why);
        };
    }

    /** Nobody knows whether a pool that does not answer is busy, or cannot connect. */
    RuntimeException ofNoConnection(RuntimeException late) {
        if (connections instanceof OwnConnection own) {
            return refused(Problem.NO_ANSWER, notConnected(Problem.NO_ANSWER, own.settings(), late), late, null);
        }
        return refused(
                Problem.POOL_BUSY,
                "The DataSource has no connection for %s (%s): each is in use, or the database is away; %s gives them one of their own"
                        .formatted(contents.users, late.getMessage(), contents.property("url")),
                late,
                null);
    }

    RuntimeException ofShards() {
        return refused(
                Problem.ROUTED,
                "Connections are those of ShardingSphere, which chooses among databases: %s need one that all processes share"
                        .formatted(contents.users),
                null,
                null);
    }

    /** @param name of a database that we do not know */
    RuntimeException ofDatabase(String name) {
        String users = Character.toUpperCase(contents.users.charAt(0)) + contents.users.substring(1);
        return refused(
                Problem.UNSUPPORTED_DATABASE,
                "%s cannot be kept in the database '%s', only in one of %s".formatted(users, name, Dialect.NAMES),
                null,
                null);
    }

    RuntimeException ofKey(Dialect dialect) {
        return refused(
                Problem.NO_KEY,
                "Table '%s' of %s cannot be used, as two processes could issue the same IDs: it has neither a primary key nor a unique index on (%s)"
                        .formatted(table, contents.rows, contents.key),
                null,
                dialect.primaryKey(table, contents.key));
    }

    RuntimeException ofStatement(Purpose purpose, SQLException failed, Session session) {
        Problem problem = Trouble.ofStatement(failed);
        if (problem == Problem.NO_TABLE && purpose == Purpose.TRY_OUT) {
            // HSQLDB says the same of both, and the table was just read.
            problem = Problem.NOT_PERMITTED;
        }
        boolean creates = purpose == Purpose.CREATE && problem != Problem.NO_ANSWER && problem != Problem.READ_ONLY;
        if (problem == Problem.NOT_PERMITTED || creates || problem == Problem.NO_TABLE) {
            return unusable(creates ? Problem.NOT_CREATED : problem, purpose, failed, session);
        }
        String of = "Table '%s' of %s ".formatted(table, contents.rows);
        String why = Trouble.text(failed, settings());
        return refused(
                problem,
                switch (problem) {
                    case READ_ONLY ->
                        "%scannot be %s, since the database or the connection is read-only: %s"
                                .formatted(of, purpose.done, why);
                    case WRONG_TABLE -> "%scannot be %s: %s".formatted(of, purpose.done, why);
                    default -> "%swas not %s: %s".formatted(of, purpose.done, why);
                },
                failed,
                null);
    }

    /** A failure that statements mend: whoever may, grants what is missing, or creates the table. */
    private RuntimeException unusable(Problem problem, Purpose purpose, SQLException failed, Session session) {
        String why = Trouble.text(failed, settings());
        @Nullable String user = session.user();
        String grants = user == null ? "" : session.dialect().grants(table, user);
        String message = "Table '%s' of %s cannot be %s: ".formatted(table, contents.rows, purpose.done);
        String statements;
        if (problem == Problem.NOT_PERMITTED) {
            message += "user '%s' needs SELECT, INSERT and UPDATE on it (%s)".formatted(user, why);
            statements = grants;
        } else {
            message += why;
            statements = createStatement.apply(session.dialect()) + ";"
                    + (problem == Problem.NOT_CREATED && !grants.isEmpty() ? "\n\n" + grants : "");
        }
        return refused(problem, message, failed, statements.isEmpty() ? null : statements);
    }

    private @Nullable ConnectionSettings settings() {
        return connections instanceof OwnConnection own ? own.settings() : null;
    }

    private RuntimeException refused(
            Problem problem, String message, @Nullable Throwable cause, @Nullable String statements) {
        ConnectionSettings settings = settings();
        JdbcRegistryException failure = new JdbcRegistryException(
                problem,
                message,
                cause == null ? null : Trouble.presentable(cause, settings),
                statements,
                settings != null,
                contents);
        if (problem == Problem.NO_ANSWER || problem == Problem.POOL_BUSY) {
            return failure;
        }
        return contents == Contents.WORKER_IDS ? failure.unusable() : failure.unusableForNumbers();
    }
}
