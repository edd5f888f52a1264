package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Causes;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

/**
 * Says what is wrong with a database or a table, and what to do. Spring's translation decides; SQL states and error codes of vendors
 * decide what it does not tell apart: logins, privileges and read-only databases.
 */
record JdbcExceptionTranslator(StoredKind kind, String table, Database database) {

    private static final Set<Integer> LOGIN_CODES = Set.of(1044, 1045, 1017, 18456);
    private static final Set<Integer> DATABASE_CODES = Set.of(1049, 4060, 12514, -465, 90013, 90146, 90149);
    private static final Set<Integer> URL_CODES = Set.of(90011, 90046, 90113);
    private static final Set<Integer> PERMISSION_CODES = Set.of(1044, 1142, 1143, 1031, 229, 90096);
    private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1836, 16000, 3906, 90097, -455, -456);

    /** HSQLDB does not tell a missing table or column from a missing privilege. */
    private static final int HSQLDB_NOT_FOUND = -5501;

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

    /** Returns the exception for callers; an exception of another origin is returned as it is. */
    RuntimeException translate(Purpose purpose, RuntimeException failed) {
        if (failed instanceof Database.UnusableException unusable) {
            return ofUnusable(unusable.database);
        }
        Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
        if (failed instanceof CannotCreateTransactionException) {
            return ofConnecting(cause);
        }
        return failed instanceof DataAccessException || failed instanceof TransactionException
                ? ofStatement(purpose, failed, cause)
                : failed;
    }

    /** A call that was given up while it waited for a connection: the pool does not say whether it is busy, or cannot connect. */
    RuntimeException ofNoConnection(RuntimeException late) {
        ConnectionSettings settings = database.settings();
        if (settings != null) {
            return failure(
                    Problem.STORE_UNREACHABLE, notConnected(Problem.STORE_UNREACHABLE, settings, late), late, null);
        }
        return failure(
                Problem.CONNECTION_POOL_EXHAUSTED,
                "The DataSource has no connection for %s (%s): each is in use, or the database is unavailable; %s gives them a dedicated connection"
                        .formatted(kind.users, late.getMessage(), kind.property("url")),
                late,
                null);
    }

    RuntimeException ofMissingKey(Dialect dialect) {
        return failure(
                Problem.MISSING_PRIMARY_KEY,
                "Table '%s' of %s cannot be used, as two processes could issue the same IDs: it has neither a primary key nor a unique index on (%s)"
                        .formatted(table, kind.rows, kind.key),
                null,
                dialect.primaryKey(table, kind.key));
    }

    private RuntimeException ofUnusable(@Nullable String product) {
        return product == null
                ? failure(
                        Problem.ROUTING_DATA_SOURCE,
                        "Connections are those of ShardingSphere, which chooses among databases: %s need one that all processes share"
                                .formatted(kind.users),
                        null,
                        null)
                : failure(
                        Problem.UNSUPPORTED_DATABASE,
                        "%s cannot be kept in the database '%s', only in one of %s"
                                .formatted(
                                        kind.users.substring(0, 1).toUpperCase(Locale.ROOT) + kind.users.substring(1),
                                        product,
                                        Dialect.NAMES),
                        null,
                        null);
    }

    private RuntimeException ofConnecting(Throwable failed) {
        ConnectionSettings settings = database.settings();
        Problem problem = database.isRouting() && failed instanceof IllegalStateException
                ? Problem.ROUTING_DATA_SOURCE
                : problemOfConnecting(failed);
        if (settings != null) {
            return failure(problem, notConnected(problem, settings, failed), failed, null);
        }
        String why = FailureTexts.text(failed, null);
        return failure(
                problem,
                switch (problem) {
                    case ROUTING_DATA_SOURCE ->
                        "The DataSource chooses among databases, and has none for %s: %s".formatted(kind.users, why);
                    case LOGIN_REJECTED -> "The database refuses the login: " + why;
                    case MISSING_DATABASE -> "There is no such database: " + why;
                    case CONNECTION_POOL_EXHAUSTED ->
                        "Each connection of the DataSource is in use (%s); %s gives %s a dedicated connection"
                                .formatted(why, kind.property("url"), kind.users);
                    default -> why;
                },
                failed,
                null);
    }

    private String notConnected(Problem problem, ConnectionSettings settings, Throwable failed) {
        String format = switch (problem) {
            case LOGIN_REJECTED -> "The database at %s refuses the login of %s (%s and .password): %s";
            case MISSING_DATABASE -> "There is no database at %1$s (%3$s): %4$s";
            case MISSING_DRIVER -> "The url %1$s (%3$s) cannot be used: %4$s";
            default -> "The database at %1$s (%3$s) cannot be reached: %4$s";
        };
        return format.formatted(
                settings.address(),
                kind.users,
                kind.property(problem == Problem.LOGIN_REJECTED ? "username" : "url"),
                FailureTexts.text(failed, settings));
    }

    private static Problem problemOfConnecting(Throwable failed) {
        SQLException reason = null;
        int exceptions = 0;
        for (Throwable cause : Causes.of(failed)) {
            if (cause instanceof SQLException sql) {
                reason = sql;
                exceptions++;
            } else if (cause instanceof NoSuchElementException
                    || cause.getClass().getSimpleName().equals("PoolExhaustedException")) {
                // Of DBCP and of Tomcat's pool, which have no other sign.
                return Problem.CONNECTION_POOL_EXHAUSTED;
            }
        }
        if (reason == null) {
            return Problem.STORE_UNREACHABLE;
        }
        String state = Objects.requireNonNullElse(reason.getSQLState(), "");
        int code = reason.getErrorCode();
        // PostgreSQL's driver rejects a login without a password by itself, with 08004; MySQL has too many connections
        // then.
        if (state.startsWith("28") || (state.equals("08004") && code == 0) || LOGIN_CODES.contains(code)) {
            return Problem.LOGIN_REJECTED;
        }
        if (state.equals("3D000") || DATABASE_CODES.contains(code)) {
            return Problem.MISSING_DATABASE;
        }
        if (reason instanceof DedicatedDataSource.NoDriverException || URL_CODES.contains(code)) {
            return Problem.MISSING_DRIVER;
        }
        // Hikari's exception has the last failure of the driver as its cause, but only once. A pool without any
        // connection is not busy.
        boolean busy = exceptions == 1
                && reason instanceof SQLTransientConnectionException
                && !String.valueOf(reason.getMessage()).contains("(total=0,");
        return busy ? Problem.CONNECTION_POOL_EXHAUSTED : Problem.STORE_UNREACHABLE;
    }

    private RuntimeException ofStatement(Purpose purpose, RuntimeException failed, Throwable cause) {
        Problem problem = problemOfStatement(purpose, failed, cause);
        boolean mendable = problem == Problem.MISSING_TABLE
                || problem == Problem.WRONG_TABLE
                || problem == Problem.MISSING_PERMISSION;
        if (purpose == Purpose.CREATE && mendable) {
            problem = Problem.TABLE_NOT_CREATED;
        }
        String why = FailureTexts.text(cause, database.settings());
        String user = mendable ? user() : null;
        String grants = user == null ? "" : database.dialect().grants(table, user);
        String rule = switch (problem) {
            case MISSING_PERMISSION ->
                "cannot be %s: user '%s' needs SELECT, INSERT and UPDATE on it (%s)".formatted(purpose.done, user, why);
            case READ_ONLY_STORE ->
                "cannot be %s, since the database or the connection is read-only: %s".formatted(purpose.done, why);
            case STORE_LOCKED ->
                "was not %s in time, since it is locked or the server is too slow: %s".formatted(purpose.done, why);
            case STORE_UNREACHABLE -> "was not %s: %s".formatted(purpose.done, why);
            default -> "cannot be %s: %s".formatted(purpose.done, why);
        };
        String statements = switch (problem) {
            case MISSING_PERMISSION -> grants;
            case MISSING_TABLE, WRONG_TABLE -> createStatement();
            case TABLE_NOT_CREATED -> createStatement() + (grants.isEmpty() ? "" : "\n\n" + grants);
            default -> "";
        };
        return failure(
                problem,
                "Table '%s' of %s %s".formatted(table, kind.rows, rule),
                cause,
                statements.isEmpty() ? null : statements);
    }

    private Problem problemOfStatement(Purpose purpose, RuntimeException failed, Throwable cause) {
        String state = cause instanceof SQLException sql ? Objects.requireNonNullElse(sql.getSQLState(), "") : "";
        int code = cause instanceof SQLException sql ? sql.getErrorCode() : 0;
        boolean writes = purpose == Purpose.WRITE || purpose == Purpose.TRY_OUT;
        boolean ofHsqldb = code == HSQLDB_NOT_FOUND;
        if ((state.equals("42501") && !ofHsqldb) || PERMISSION_CODES.contains(code) || (ofHsqldb && writes)) {
            return Problem.MISSING_PERMISSION;
        }
        if (state.equals("25006") || READ_ONLY_CODES.contains(code)) {
            return Problem.READ_ONLY_STORE;
        }
        if (failed instanceof QueryTimeoutException || failed instanceof PessimisticLockingFailureException) {
            return Problem.STORE_LOCKED;
        }
        if (isBadGrammar(failed)) {
            try {
                return isMissing() ? Problem.MISSING_TABLE : Problem.WRONG_TABLE;
            } catch (DataAccessException | TransactionException e) {
                return Problem.STORE_UNREACHABLE;
            }
        }
        return failed instanceof DataIntegrityViolationException ? Problem.WRONG_TABLE : Problem.STORE_UNREACHABLE;
    }

    private static boolean isBadGrammar(RuntimeException failed) {
        return failed instanceof BadSqlGrammarException
                || (failed.getCause() instanceof SQLException sql
                        && String.valueOf(sql.getSQLState()).matches("S0.*|3F000|90079"));
    }

    /** Whether the table does not exist, or may not be read; asks the database. */
    boolean isMissing() {
        try {
            return database.<Boolean>commit((jdbc, dialect) -> {
                jdbc.execute("SELECT 1 FROM " + table + " WHERE 1 = 0");
                return false;
            });
        } catch (DataAccessException e) {
            if (isBadGrammar(e)) {
                return true;
            }
            throw e;
        }
    }

    private @Nullable String user() {
        try {
            return database.commit((jdbc, dialect) -> Optional.ofNullable(dialect.currentUser(jdbc)))
                    .orElse(null);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private String createStatement() {
        return kind.createStatement(database.dialect(), table) + ";";
    }

    private RuntimeException failure(
            Problem problem, String message, @Nullable Throwable cause, @Nullable String statements) {
        ConnectionSettings settings = database.settings();
        JdbcRegistryException failure = new JdbcRegistryException(
                problem,
                message,
                cause == null ? null : FailureTexts.presentable(cause, settings),
                statements,
                settings != null,
                kind);
        if (problem == Problem.STORE_UNREACHABLE
                || problem == Problem.CONNECTION_POOL_EXHAUSTED
                || problem == Problem.STORE_LOCKED) {
            return failure;
        }
        return kind == StoredKind.WORKER_IDS ? failure.unusable() : failure.unusableForNumbers();
    }
}
