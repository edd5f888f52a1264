package io.github.snowflakeid.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A connection while it is asked something. Each question is committed, or rolled back, before its answer counts, and
 * leaves the connection as it was.
 *
 * <p>Two limits keep a database that does not answer from holding up whoever asks. The one of the statement makes the server
 * give up, so that nothing is left behind on it where the table is locked. The one of the network is longer, for a server
 * that is silent; it costs the connection, while the server may go on.
 */
final class Session {

    private static final String SHARDED =
            "org.apache.shardingsphere.driver.jdbc.core.connection.ShardingSphereConnection";

    private final Connection connection;
    private final Dialect dialect;
    private final int longestStatementSeconds;

    Session(Connection connection, Dialect dialect, int longestStatementSeconds) {
        this.connection = connection;
        this.dialect = dialect;
        this.longestStatementSeconds = longestStatementSeconds;
    }

    /**
     * Whether statements are parsed and routed by ShardingSphere. It would create the table in a database that it picks by chance, and
     * does not understand how every database is asked for its clock.
     */
    static boolean isSharded(Connection connection) throws SQLException {
        try {
            return connection.isWrapperFor(Class.forName(SHARDED, false, Session.class.getClassLoader()));
        } catch (ClassNotFoundException notThere) {
            return false;
        }
    }

    Dialect dialect() {
        return dialect;
    }

    /** What is asked. */
    interface Question<T> {
        T ask(Session session) throws SQLException;
    }

    /**
     * Asks, in a transaction that holds nothing else.
     *
     * @param writes whether something is written
     */
    <T> T ask(boolean writes, Question<T> question) throws SQLException {
        boolean committedByItself = connection.getAutoCommit();
        boolean apart = committedByItself && writes && dialect.commitsApart();
        if (apart) {
            connection.setAutoCommit(false);
        }
        T answer;
        try {
            answer = answer(question);
            if (apart || !committedByItself) {
                connection.commit();
            }
        } catch (SQLException | RuntimeException | Error failed) {
            undo(apart, committedByItself, failed);
            throw failed;
        }
        if (apart) {
            commitByItselfAgain();
        }
        return answer;
    }

    /** Asks, and rolls back what the question has written. */
    <T> T tryOut(Question<T> question) throws SQLException {
        boolean committedByItself = connection.getAutoCommit();
        if (committedByItself) {
            connection.setAutoCommit(false);
        }
        T answer;
        try {
            answer = answer(question);
            connection.rollback();
        } catch (SQLException | RuntimeException | Error failed) {
            undo(committedByItself, committedByItself, failed);
            throw failed;
        }
        if (committedByItself) {
            commitByItselfAgain();
        }
        return answer;
    }

    private <T> T answer(Question<T> question) throws SQLException {
        try {
            return question.ask(this);
        } catch (IllegalArgumentException suppressesItself) {
            // A statement that throws the same when it is closed: what closes it adds that to itself.
            if (suppressesItself.getCause() instanceof SQLException failed) {
                throw failed;
            }
            throw suppressesItself;
        }
    }

    /** The first failure counts. A driver may throw the same again, which cannot be added to itself. */
    @SuppressWarnings("ReferenceEquality")
    private static void suppress(Throwable alsoFailed, Throwable failed) {
        if (alsoFailed != failed) {
            failed.addSuppressed(alsoFailed);
        }
    }

    /**
     * Asks as {@link #ask} does, and sees all that is committed now, and nothing else: whoever used the connection before may
     * have left a transaction behind, which sees what was there when it began, or have it read what is not committed.
     */
    <T> T askAfresh(boolean writes, Question<T> question) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        if (!dialect.readsUncommitted() || isolation() != Connection.TRANSACTION_READ_UNCOMMITTED) {
            return ask(writes, question);
        }
        // Not READ COMMITTED, at which MySQL does not write where its log is one of statements.
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try {
            return ask(writes, question);
        } finally {
            isolateAsBefore();
        }
    }

    /** An H2 server looks at all its sessions for that, and may stumble over one that has just committed. */
    private int isolation() throws SQLException {
        try {
            return connection.getTransactionIsolation();
        } catch (SQLException stumbled) {
            return connection.getTransactionIsolation();
        }
    }

    @SuppressWarnings("EmptyCatch")
    private void isolateAsBefore() {
        try {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        } catch (SQLException broken) {
            // Whoever uses it next will notice; what was done here is done.
        }
    }

    private void undo(boolean apart, boolean committedByItself, Throwable failed) {
        try {
            if (apart || !committedByItself) {
                connection.rollback();
            }
            if (apart) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException | RuntimeException alsoFailed) {
            suppress(alsoFailed, failed);
        }
    }

    @SuppressWarnings("EmptyCatch")
    private void commitByItselfAgain() {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException broken) {
            // Whoever uses it next will notice; what was done here is done.
        }
    }

    /** A statement with a limit, and these arguments: strings, numbers or null. */
    PreparedStatement prepare(String sql, @Nullable Object... arguments) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            limit(statement);
            for (int i = 0; i < arguments.length; i++) {
                set(statement, i + 1, arguments[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException | Error failed) {
            try {
                statement.close();
            } catch (SQLException alsoFailed) {
                suppress(alsoFailed, failed);
            }
            throw failed;
        }
    }

    /** By its type, since {@code setObject} alone makes H2 look for classes that there are none of. */
    private static void set(PreparedStatement statement, int index, @Nullable Object argument) throws SQLException {
        if (argument instanceof String text) {
            statement.setString(index, text);
        } else if (argument instanceof Integer number) {
            statement.setInt(index, number);
        } else if (argument instanceof Long number) {
            statement.setLong(index, number);
        } else {
            statement.setObject(index, argument);
        }
    }

    /** Writes, and returns how many rows. */
    int update(String sql, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = prepare(sql, arguments)) {
            return statement.executeUpdate();
        }
    }

    /** Inserts a row; false if the table rejects it, since it has one with the same key. */
    boolean insert(String sql, @Nullable Object... arguments) throws SQLException {
        try {
            return update(sql + dialect.unlessThere(), arguments) == 1;
        } catch (SQLException failed) {
            if (Trouble.isDuplicate(failed)) {
                return false;
            }
            throw failed;
        }
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            limit(statement);
            statement.execute(sql);
        }
    }

    private void limit(Statement statement) throws SQLException {
        if (dialect.limitsStatements()) {
            try {
                statement.setQueryTimeout(longestStatementSeconds);
            } catch (SQLFeatureNotSupportedException | AbstractMethodError unlimited) {
                return;
            }
        }
    }

    /** Whom the database takes the connection for, or null if it does not say. */
    @Nullable
    String user() {
        String query = dialect.currentUser();
        try {
            if (query == null) {
                return connection.getMetaData().getUserName();
            }
            try (PreparedStatement statement = prepare(query);
                    ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        } catch (SQLException | RuntimeException unknown) {
            return null;
        }
    }
}
