package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.BoundedCalls;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.ThrowingConsumer;

/**
 * Runs statements outside of the application's transactions: a statement that commits itself, or several in a new
 * transaction, which has ended when the call returns. Safe for use by any number of threads.
 *
 * <p>The connection is bound to a private {@link DataSource}. Transaction managers bind their connection to the
 * application's {@code DataSource}; there, the statements of this class would join the application's transaction.
 *
 * <p>Two timeouts limit each call. After the statement timeout, the server cancels the statement, so that no statement
 * keeps waiting for a locked table. The network timeout is longer. It ends a call to a silent server and closes the
 * connection.
 */
final class Database {

    private static final String SHARDING_CONNECTION =
            "org.apache.shardingsphere.driver.jdbc.core.connection.ShardingSphereConnection";

    private static final int MOST_ATTEMPTS = 10;

    private static final int UNKNOWN = -1;

    private static final String NO_CONNECTION = "No connection";

    private static final ConnectionCallback<Boolean> COMMIT = connection -> {
        connection.commit();
        return true;
    };

    final StoredKind kind;

    /** The connection that this object shares with others. */
    final SharedConnection shared;

    private final Timeouts timeouts;
    private final BoundedCalls logins;
    private final Consumer<String> check;

    /**
     * The name under which the connection in use is bound to the current thread, where {@link JdbcTemplate} finds it.
     */
    private final DataSource bound = new DelegatingDataSource();

    private volatile @Nullable Product product;

    /** @param target the source of connections; a {@link DedicatedDataSource} is closed together with this object */
    Database(StoredKind kind, DataSource target, Timeouts timeouts) {
        this(kind, new SharedConnection(target), timeouts, url -> {});
    }

    /**
     * @param shared the connection that this object shares with others
     * @param check checks the URL of the first connection; throws a {@link ConfigurationException} if the database must
     *     not be used
     */
    Database(StoredKind kind, SharedConnection shared, Timeouts timeouts, Consumer<String> check) {
        this.kind = kind;
        this.shared = shared;
        this.timeouts = timeouts;
        logins = new BoundedCalls(shared.application(), "database", Duration.ofMillis(timeouts.networkMillis()));
        this.check = check;
    }

    /** One statement, or several in a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(JdbcTemplate jdbc, Dialect dialect);
    }

    /**
     * The properties of the database, which are read from the first connection.
     *
     * @param networkTimeout the network timeout that connections have by default, in milliseconds
     */
    private record Product(Dialect dialect, String url, int networkTimeout, JdbcTemplate jdbc) {}

    /** Returns the settings of the dedicated connection; null if the application's connections are used. */
    @Nullable
    ConnectionSettings settings() {
        return shared.application() instanceof DedicatedDataSource dedicated ? dedicated.settings() : null;
    }

    /**
     * Returns whether the application's {@code DataSource}, or one that it wraps, chooses among several databases for
     * each call.
     */
    boolean isRouting() {
        try {
            return shared.application().isWrapperFor(AbstractRoutingDataSource.class);
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Returns the address of the database without secrets; null before the first connection. */
    @Nullable
    String address() {
        ConnectionSettings settings = settings();
        Product known = product;
        return settings != null ? Secrets.address(settings.url()) : known == null ? null : Secrets.address(known.url());
    }

    Dialect dialect() {
        return product().dialect();
    }

    /** Returns the URL that the first connection reported; empty if it is unknown. */
    String url() {
        return product().url();
    }

    /** How statements end. */
    private enum End {
        /** A query is not followed by anything. On MySQL, it is followed by a commit. */
        NONE,
        COMMIT,
        ROLLBACK
    }

    /** Runs one query, in which no other transaction is open. */
    <T> T query(Work<T> work) {
        return execute(End.NONE, work);
    }

    /**
     * Runs statements in a transaction that is committed. A statement that commits itself would not do: a statement
     * timeout during the commit makes PostgreSQL report success before a standby has the commit.
     */
    <T> T commit(Work<T> work) {
        return execute(End.COMMIT, work);
    }

    /** Runs statements in a transaction that is rolled back. */
    <T> T rollBack(Work<T> work) {
        return execute(End.ROLLBACK, work);
    }

    private <T> T execute(End end, Work<T> work) {
        Product known = product();
        for (int attempt = 1; ; attempt++) {
            try {
                return with(connection -> run(connection, known, end, work));
            } catch (RuntimeException e) {
                // A deadlock or a serialization failure: the database has rolled back this transaction so that another
                // one could continue.
                boolean isConflict = e instanceof PessimisticLockingFailureException;
                if (!isConflict || attempt == MOST_ATTEMPTS) {
                    // The connection may be broken.
                    closeIdleConnection();
                    throw e;
                }
            }
        }
    }

    /** Runs statements on a connection, and leaves the connection as it was. */
    private <T> T run(Connection connection, Product known, End end, Work<T> work) throws SQLException {
        limitNetwork(connection, known, timeouts.networkMillis());
        boolean commits = connection.getAutoCommit();
        boolean isOpen = !commits;
        Integer level = null;
        TransactionSynchronizationManager.bindResource(bound, new ConnectionHolder(connection));
        try {
            if (!commits) {
                // A pool may have left a transaction open, which could see an old snapshot of the data.
                connection.rollback();
            }
            level = DataSourceUtils.prepareConnectionForTransaction(
                    connection, known.dialect().isolation());
            String levelOfTransaction = known.dialect().levelOfTransaction();
            boolean isTransaction = end != End.NONE || levelOfTransaction != null;
            setAutoCommit(connection, !isTransaction);
            isOpen = isTransaction;
            if (levelOfTransaction != null) {
                known.jdbc().execute(levelOfTransaction);
            }
            T result = work.run(known.jdbc(), known.dialect());
            if (isTransaction && end != End.ROLLBACK) {
                known.jdbc().execute(COMMIT);
                isOpen = false;
            }
            return result;
        } finally {
            TransactionSynchronizationManager.unbindResource(bound);
            if (isOpen && !attempt(connection, Connection::rollback)) {
                // To switch auto-commit on would commit the transaction. A pool discards an aborted connection.
                attempt(connection, used -> used.abort(Runnable::run));
            } else {
                attempt(connection, used -> setAutoCommit(used, commits));
            }
            DataSourceUtils.resetConnectionAfterTransaction(connection, level, false);
            // The reset may access the server, so the timeout comes last.
            attempt(connection, used -> limitNetwork(used, known, known.networkTimeout()));
        }
    }

    /** Takes a step that restores a connection, and returns whether it succeeded. */
    private static boolean attempt(Connection connection, ThrowingConsumer<Connection> step) {
        try {
            step.accept(connection);
            return true;
        } catch (RuntimeException e) {
            // The result stands, or the failure of the statement is reported.
            return false;
        }
    }

    private static void setAutoCommit(Connection connection, boolean commits) throws SQLException {
        if (connection.getAutoCommit() != commits) {
            connection.setAutoCommit(commits);
        }
    }

    private static void limitNetwork(Connection connection, Product known, int millis) throws SQLException {
        if (known.networkTimeout() != UNKNOWN) {
            connection.setNetworkTimeout(Runnable::run, millis);
        }
    }

    private <T> T with(ConnectionCallback<T> use) {
        Connection connection;
        try {
            connection = shared.open(timeouts, logins);
        } catch (SQLException | RuntimeException e) {
            throw new CannotCreateTransactionException(NO_CONNECTION, e);
        }
        try {
            return Objects.requireNonNull(use.doInConnection(connection));
        } catch (SQLException e) {
            throw new CannotCreateTransactionException(NO_CONNECTION, e);
        } finally {
            shared.close(connection);
        }
    }

    /** Closes the connection now instead of a second after its last use. */
    void closeIdleConnection() {
        shared.closeIdle();
    }

    void close() {
        shared.closeForGood();
    }

    private Product product() {
        Product known = product;
        if (known == null) {
            known = with(this::identify);
            check.accept(known.url());
            product = known;
        }
        return known;
    }

    private Product identify(Connection connection) throws SQLException {
        // ShardingSphere creates tables in a database that it picks at random, and cannot parse every expression that
        // reads a clock.
        ClassLoader loader = Database.class.getClassLoader();
        if (ClassUtils.isPresent(SHARDING_CONNECTION, loader)
                && connection.isWrapperFor(ClassUtils.resolveClassName(SHARDING_CONNECTION, loader))) {
            throw unusable(
                    Problem.ROUTING_DATA_SOURCE,
                    "The DataSource is ShardingSphere's, which chooses among databases, but %s need one database that all processes share"
                            .formatted(kind.users()));
        }
        DatabaseMetaData metaData = connection.getMetaData();
        String name = metaData.getDatabaseProductName();
        Dialect dialect = Dialect.of(name);
        if (dialect == null) {
            throw unusable(
                    Problem.UNSUPPORTED_DATABASE,
                    "Database '%s' is not supported: store %s in one of %s"
                            .formatted(name, kind.users(), Dialect.NAMES));
        }
        JdbcTemplate jdbc = new JdbcTemplate(bound);
        jdbc.setQueryTimeout(dialect.limitsStatements() ? timeouts.statementSeconds() : UNKNOWN);
        return new Product(
                dialect,
                Objects.requireNonNullElse(metaData.getURL(), ""),
                dialect.limitsNetwork() ? networkTimeout(connection) : UNKNOWN,
                jdbc);
    }

    private RuntimeException unusable(Problem problem, String message) {
        return kind.unusable(problem, message, DatabaseAdvice.of(problem, null, settings() != null, kind));
    }

    /** Returns the network timeout of a connection; {@link #UNKNOWN} if the driver does not support one. */
    private static int networkTimeout(Connection connection) throws SQLException {
        try {
            int millis = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, millis);
            return millis;
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            return UNKNOWN;
        }
    }
}
