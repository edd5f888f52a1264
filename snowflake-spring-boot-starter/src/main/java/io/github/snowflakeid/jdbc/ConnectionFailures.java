package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.failure.Causes;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Recognizes why a connection could not be opened, by the SQL states and vendor codes of the drivers. */
final class ConnectionFailures {

    private static final Set<Integer> LOGIN_CODES = Set.of(1044, 1045, 1017, 18456);

    private static final String POSTGRESQL_SHUTDOWN = "57P";

    /** PgBouncer's state if it rejects a client, and if it cannot reach the server. The message distinguishes them. */
    private static final String PGBOUNCER = "08P01";

    private static final Pattern PGBOUNCER_WITHOUT_SERVER =
            Pattern.compile("(?s)(?!.*too many).*(server|query_wait_timeout).*");

    private static final int MYSQL_TOO_MANY_CONNECTIONS = 1040;

    private ConnectionFailures() {}

    /**
     * Returns whether the server rejected the login. PostgreSQL's driver itself rejects a login without a password,
     * with 08004. MySQL uses 08004, with a code, if there are too many connections.
     */
    static boolean isRejectedLogin(Throwable failed) {
        return isAny(
                failed,
                sql -> hasState(sql, "28")
                        || (hasState(sql, "08004") && sql.getErrorCode() == 0)
                        || LOGIN_CODES.contains(sql.getErrorCode()));
    }

    private static boolean hasState(SQLException failure, String beginning) {
        return String.valueOf(failure.getSQLState()).startsWith(beginning);
    }

    /** Returns whether a failure or one of its causes is a certain exception of a driver. */
    static boolean isAny(Throwable failed, Predicate<SQLException> test) {
        return Causes.of(failed).stream().anyMatch(cause -> cause instanceof SQLException sql && test.test(sql));
    }

    /** Returns whether the server did not answer. A server or a pooler that has too many connections does answer. */
    static boolean isUnreachable(Throwable failed) {
        return Causes.root(failed) instanceof IOException || isAny(failed, ConnectionFailures::isLost);
    }

    private static boolean isLost(SQLException failure) {
        boolean isLost = hasState(failure, "08")
                || hasState(failure, POSTGRESQL_SHUTDOWN)
                || failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLTransientConnectionException
                || failure instanceof SQLRecoverableException
                || failure instanceof SQLTimeoutException;
        return isLost
                && failure.getErrorCode() != MYSQL_TOO_MANY_CONNECTIONS
                && (!hasState(failure, PGBOUNCER)
                        || PGBOUNCER_WITHOUT_SERVER
                                .matcher(String.valueOf(failure.getMessage()))
                                .matches());
    }
}
