package io.github.snowflakeid.jdbc;

import static io.github.snowflakeid.jdbc.ConnectionFailures.isAny;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

/**
 * Translates failures of a database into exceptions that explain the problem and suggest an action. Relies on Spring's
 * exception translation. That does not distinguish rejected logins, missing privileges and read-only databases, which
 * are recognized by SQL state and vendor code.
 *
 * @param located returns the name of the table for statements
 */
record JdbcExceptionTranslator(Database database, TableName table, Supplier<String> located) {

    /** A lock that is not available, and a cancelled statement, which Spring 6.2.7 does not report as a timeout. */
    private static final Set<String> LATE_STATES = Set.of("55P03", "57014", "70100");

    /**
     * A prepared statement that exists already or does not exist: a pooler gave the session of one client to another.
     * Spring reports the first one as bad grammar.
     */
    private static final Set<String> PREPARED_STATES = Set.of("42P05", "26000");

    private static final Set<Integer> DATABASE_CODES = Set.of(1049, 4060, 12514, -465, 90013, 90146, 90149);
    private static final Set<Integer> URL_CODES = Set.of(90011, 90046, 90113);
    private static final Set<Integer> PERMISSION_CODES = Set.of(1044, 1142, 1143, 1031, 229, 90096);
    private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1836, 16000, 3906, 90097, -455, -456);

    /** SQL Server's code for a missing column: many of its errors share the SQL state S0001. */
    private static final int SQL_SERVER_NO_COLUMN = 207;

    /** HSQLDB's code for a missing table, a missing column and a missing privilege alike. */
    private static final int HSQLDB_NOT_FOUND = -5501;

    /** The kind of access to the table; the name is used in messages. */
    enum Call {
        READ,
        WRITTEN,
        CREATED
    }

    /** Returns the exception for callers. An exception of this library is returned unchanged. */
    RuntimeException translate(Call call, RuntimeException failed) {
        Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
        if (failed instanceof CannotCreateTransactionException) {
            return ofConnecting(cause);
        }
        return failed instanceof SnowflakeException ? failed : ofStatement(call, failed, cause);
    }

    /** @param narrow whether there is a key, but with fewer columns */
    RuntimeException ofKey(boolean narrow) {
        StoredKind kind = database.kind;
        String rule = narrow
                ? "its primary key or a unique index has fewer columns than (%s), so it rejects rows that differ"
                : "it has neither a primary key nor a unique index on (%s), so two processes could issue the same IDs";
        return failure(
                Problem.MISSING_PRIMARY_KEY,
                "Table '%s' of %s cannot be used: %s".formatted(table.text(), kind.rows(), rule.formatted(kind.key())),
                null,
                "ALTER TABLE %s ADD PRIMARY KEY (%s);".formatted(table.sql(database.dialect()), kind.key()));
    }

    /** Returns the exception for a missing table that exists in another schema; null if it does not. */
    @Nullable
    RuntimeException ofOtherSchema() {
        if (table.isQualified() || database.dialect() == Dialect.MYSQL) {
            return null;
        }
        List<String> schemas;
        try {
            schemas = database.query((jdbc, dialect) -> jdbc.queryForList(
                    "SELECT table_schema FROM information_schema.tables WHERE LOWER(table_name) = ? AND table_schema <> CURRENT_SCHEMA",
                    String.class,
                    table.text().replaceAll("[\"`]", "").toLowerCase(Locale.ROOT)));
        } catch (RuntimeException e) {
            return null;
        }
        StoredKind kind = database.kind;
        return schemas.isEmpty()
                ? null
                : kind.unusable(
                        Problem.AMBIGUOUS_TABLE,
                        "Table '%s' of %s does not exist in the schema of new connections, but in schema '%s'"
                                .formatted(table.text(), kind.rows(), String.join("', '", schemas)),
                        "If all instances use the table in that schema, name it:\n\n%stable-name: %s.%s"
                                .formatted(kind.group(), schemas.get(0), table.text()));
    }

    private RuntimeException ofConnecting(Throwable failed) {
        Problem problem = problemOfConnecting(failed);
        ConnectionSettings settings = database.settings();
        String users = database.kind.users();
        String url = database.kind.url();
        String reason = database.poolReason();
        String advice = url == null ? "" : ". Set %s to give %s a dedicated connection".formatted(url, users);
        String source = settings == null
                ? "The database"
                : "The database at %s (%s)".formatted(Secrets.address(settings.url()), url);
        String why = Secrets.text(failed, settings);
        String message = switch (problem) {
            case ROUTING_DATA_SOURCE ->
                "The DataSource chooses among several databases and finds none for %s: %s".formatted(users, why);
            case LOGIN_REJECTED -> source + " rejects the login: " + why;
            case MISSING_DATABASE -> source + " does not exist: " + why;
            case CONNECTION_POOL_EXHAUSTED ->
                "The connection pool is exhausted (%s), and %s have no other connection (%s)%s"
                        .formatted(why, users, reason, advice);
            case STORE_REJECTED_CALL -> source + " gives no connection: " + why;
            default -> source + " cannot be reached: " + why;
        };
        return failure(problem, message, failed, null);
    }

    private Problem problemOfConnecting(Throwable failed) {
        // The lookup of the target may throw any exception of the application.
        if (!(failed instanceof SQLException) && database.isRouting()) {
            return Problem.ROUTING_DATA_SOURCE;
        }
        if (ConnectionFailures.isRejectedLogin(failed)) {
            return Problem.LOGIN_REJECTED;
        }
        if (isAny(failed, sql -> "3D000".equals(sql.getSQLState()) || DATABASE_CODES.contains(sql.getErrorCode()))) {
            return Problem.MISSING_DATABASE;
        }
        if (isAny(failed, sql -> isMissingDriver(sql) || URL_CODES.contains(sql.getErrorCode()))) {
            return Problem.MISSING_DRIVER;
        }
        // HikariCP's exception has the driver's last failure as its cause, but reports each failure only once. A pool
        // that has no connection at all is not exhausted: the database is unreachable.
        boolean isBusy = database.poolReason() != null
                && failed instanceof SQLTransientConnectionException
                && !(failed.getCause() instanceof SQLException)
                && !String.valueOf(failed.getMessage()).contains("(total=0,");
        return isBusy ? Problem.CONNECTION_POOL_EXHAUSTED : problemOfCall(failed);
    }

    private static boolean isMissingDriver(SQLException failed) {
        return String.valueOf(failed.getMessage()).startsWith("No suitable driver");
    }

    private static Problem problemOfCall(Throwable failed) {
        return ConnectionFailures.isUnreachable(failed) ? Problem.STORE_UNREACHABLE : Problem.STORE_REJECTED_CALL;
    }

    private RuntimeException ofStatement(Call call, RuntimeException failed, Throwable cause) {
        Problem problem = problemOfStatement(call, failed, cause);
        Set<Problem> ofTable = Set.of(Problem.MISSING_TABLE, Problem.WRONG_TABLE, Problem.MISSING_PERMISSION);
        if (call == Call.CREATED && ofTable.contains(problem)) {
            problem = Problem.TABLE_NOT_CREATED;
        }
        String done = call.name().toLowerCase(Locale.ROOT);
        String why = Secrets.text(cause, database.settings());
        String user = problem == Problem.MISSING_PERMISSION || problem == Problem.TABLE_NOT_CREATED ? user() : "";
        Dialect dialect = database.dialect();
        String written = table.sql(dialect);
        String create = database.kind.createStatement(dialect, written) + ";";
        String rule = switch (problem) {
            case MISSING_PERMISSION ->
                "cannot be %s: user '%s' needs SELECT, INSERT and UPDATE on it (%s)".formatted(done, user, why);
            case READ_ONLY_STORE ->
                "cannot be %s because the database or the connection is read-only: %s".formatted(done, why);
            case STORE_LOCKED ->
                "was not %s in time because it is locked or the server is too slow: %s".formatted(done, why);
            case STORE_UNREACHABLE, STORE_REJECTED_CALL -> "was not %s: %s".formatted(done, why);
            default -> "cannot be %s: %s".formatted(done, why);
        };
        String statements = switch (problem) {
            case MISSING_PERMISSION -> dialect.grants(written, user);
            case MISSING_TABLE, WRONG_TABLE -> create;
            case TABLE_NOT_CREATED -> create + "\n\n" + dialect.grants(written, user);
            default -> null;
        };
        String message = "Table '%s' of %s %s".formatted(table.text(), database.kind.rows(), rule);
        return failure(problem, message, cause, statements);
    }

    private Problem problemOfStatement(Call call, RuntimeException failed, Throwable cause) {
        String state = cause instanceof SQLException sql ? Objects.requireNonNullElse(sql.getSQLState(), "") : "";
        int code = cause instanceof SQLException sql ? sql.getErrorCode() : 0;
        if (code == HSQLDB_NOT_FOUND && call == Call.WRITTEN) {
            return problemOfTable() == Problem.MISSING_TABLE ? Problem.MISSING_TABLE : Problem.MISSING_PERMISSION;
        }
        if (PERMISSION_CODES.contains(code) || (code != HSQLDB_NOT_FOUND && state.equals("42501"))) {
            return Problem.MISSING_PERMISSION;
        }
        if (state.equals("25006") || READ_ONLY_CODES.contains(code)) {
            return Problem.READ_ONLY_STORE;
        }
        if (failed instanceof QueryTimeoutException
                || failed instanceof PessimisticLockingFailureException
                || LATE_STATES.contains(state)) {
            return Problem.STORE_LOCKED;
        }
        if (isBadGrammar(failed)) {
            return problemOfTable();
        }
        if (failed instanceof DataIntegrityViolationException) {
            return Problem.WRONG_TABLE;
        }
        return problemOfCall(failed);
    }

    private static boolean isBadGrammar(RuntimeException failed) {
        return (failed instanceof BadSqlGrammarException && !isPreparedByOthers(failed))
                || (failed.getCause() instanceof SQLException sql
                        && (sql.getErrorCode() == SQL_SERVER_NO_COLUMN
                                || String.valueOf(sql.getSQLState()).matches("S0002|3F000|90079")));
    }

    private static boolean isPreparedByOthers(Throwable failed) {
        return isAny(failed, sql -> PREPARED_STATES.contains(String.valueOf(sql.getSQLState())));
    }

    /** Asks the database why a statement was rejected. The table is wrong if it is neither missing nor unreadable. */
    Problem problemOfTable() {
        try {
            return database.query((jdbc, dialect) -> {
                jdbc.execute("SELECT 1 FROM " + located.get() + " WHERE 1 = 0");
                return Problem.WRONG_TABLE;
            });
        } catch (DataAccessException | TransactionException e) {
            if (ConnectionFailures.isUnreachable(e)) {
                return Problem.STORE_UNREACHABLE;
            }
            return isBadGrammar(e) ? Problem.MISSING_TABLE : Problem.WRONG_TABLE;
        }
    }

    private String user() {
        try {
            return database.query((jdbc, dialect) -> Objects.requireNonNull(
                    jdbc.queryForObject("SELECT CURRENT_USER" + dialect.fromNothing, String.class)));
        } catch (RuntimeException e) {
            return "<user>";
        }
    }

    private RuntimeException failure(
            Problem problem, String message, @Nullable Throwable cause, @Nullable String statements) {
        ConnectionSettings settings = database.settings();
        StoredKind kind = database.kind;
        ConfigurationException failure = problem.exception(
                message,
                cause != null && isPreparedByOthers(cause)
                        ? DatabaseAdvice.ofSharedSessions(settings != null, kind)
                        : DatabaseAdvice.of(problem, statements, settings != null, kind),
                cause == null ? null : Secrets.presentable(cause, settings));
        return switch (problem) {
            case STORE_UNREACHABLE, STORE_REJECTED_CALL, CONNECTION_POOL_EXHAUSTED, STORE_LOCKED -> failure;
            default -> kind.wrapper().apply(failure);
        };
    }
}
