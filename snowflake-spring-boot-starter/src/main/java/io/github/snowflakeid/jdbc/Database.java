package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.jdbc.OpenConnection.Match;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
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

    private final DataSource application;
    private final Timeouts timeouts;
    private final @Nullable Dialect platform;
    private final Consumer<String> check;

    /**
     * The name under which the connection in use is bound to the current thread, where {@link JdbcTemplate} finds it.
     */
    private final DataSource bound = new DelegatingDataSource();

    private volatile @Nullable Product product;
    private volatile @Nullable SharedConnection shared;
    private volatile boolean isClosed;

    Database(StoredKind kind, DataSource dataSource, Timeouts timeouts) {
        this(kind, dataSource, timeouts, null, url -> {});
    }

    /**
     * @param dataSource the source of connections, or the pool that the connection is derived from
     * @param platform the database whose SQL is used; null to ask the driver for it
     * @param check checks the URL of the first connection; throws a {@link ConfigurationException} if the database must
     *     not be used
     */
    Database(
            StoredKind kind,
            DataSource dataSource,
            Timeouts timeouts,
            @Nullable Dialect platform,
            Consumer<String> check) {
        this.kind = kind;
        application = SharedConnection.target(Objects.requireNonNull(dataSource, "dataSource"));
        this.timeouts = timeouts;
        this.platform = platform;
        this.check = check;
    }

    /** A call after {@link #close} uses the last connection without becoming its user again. */
    private SharedConnection shared() {
        SharedConnection last = shared;
        if (isClosed && last != null) {
            return last;
        }
        SharedConnection now = SharedConnection.of(application, this);
        shared = now;
        if (isClosed) {
            leave();
        }
        return now;
    }

    /** One statement, or several in a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(JdbcTemplate jdbc, Dialect dialect);
    }

    /** The properties of the database, which are read from the first connection. */
    private record Product(Dialect dialect, String url, JdbcTemplate jdbc) {}

    /** Returns the settings of the dedicated connection; null if the application's connections are used. */
    @Nullable
    ConnectionSettings settings() {
        return application instanceof DedicatedDataSource dedicated ? dedicated.settings() : null;
    }

    /** Returns the settings of the pool that connections are derived from. */
    PoolSettings pool() {
        return new PoolSettings(application);
    }

    /**
     * Returns whether the application's {@code DataSource}, or one that it wraps, chooses among several databases for
     * each call.
     */
    boolean isRouting() {
        try {
            return application.isWrapperFor(AbstractRoutingDataSource.class);
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
        /** The query reads no row, so that it needs no isolation level, which a filter of the pool may reject. */
        NO_ROWS,
        /** A query is not followed by anything. On MySQL, it is followed by a commit. */
        NONE,
        COMMIT,
        ROLLBACK
    }

    /** Returns why connections come from the application's pool; null if they do not. */
    @Nullable
    String poolReason() {
        return shared().reason();
    }

    /** Returns how the connection was opened. */
    Match match() {
        return shared().match();
    }

    /**
     * Uses connections of the application's pool from now on, because a table that they find cannot be used otherwise.
     *
     * @return false if there is no such pool, or if it is used already
     */
    boolean usePool(String why) {
        boolean mayDiffer = match().mayDiffer();
        if (mayDiffer) {
            shared().useAlways(why);
        }
        return mayDiffer;
    }

    /** Runs one query, in which no other transaction is open. */
    <T> T query(Work<T> work) {
        return execute(End.NONE, work);
    }

    /** Runs one query on a connection with the schema and role of the application's connections. */
    <T> T ofApplication(Work<T> work) {
        Product known = product();
        return match().mayDiffer() ? with(true, connection -> run(connection, known, End.NO_ROWS, work)) : query(work);
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
                return with(false, connection -> run(connection, known, end, work));
            } catch (RuntimeException e) {
                // A deadlock or a serialization failure: the database has rolled back this transaction so that another
                // one could continue.
                if (!isConflict(e) || attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static boolean isConflict(Exception failure) {
        return failure instanceof PessimisticLockingFailureException;
    }

    /** Runs statements on a connection, and leaves the connection as it was. */
    private <T> T run(Connection connection, Product known, End end, Work<T> work) throws SQLException {
        Integer network = known.dialect().limitsNetwork() ? limitNetwork(connection, timeouts.networkMillis()) : null;
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
            String levelOfTransaction =
                    end == End.NO_ROWS ? null : known.dialect().levelOfTransaction();
            boolean isTransaction = end == End.COMMIT || end == End.ROLLBACK || levelOfTransaction != null;
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
            if (network != null) {
                attempt(connection, used -> limitNetwork(used, network));
            }
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

    /**
     * Sets the network timeout, and returns the one before; null if there is none. It is optional, and drivers and
     * wrappers say in many ways that they lack it.
     */
    private static @Nullable Integer limitNetwork(Connection connection, int millis) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, millis);
            return before;
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            return null;
        }
    }

    private <T> T with(boolean asApplication, ConnectionCallback<T> use) {
        SharedConnection shared = shared();
        OpenConnection opened;
        try {
            opened = shared.open(timeouts, asApplication);
        } catch (SQLException | RuntimeException e) {
            throw new CannotCreateTransactionException(NO_CONNECTION, e);
        }
        boolean mayBeBroken = true;
        try {
            T result = Objects.requireNonNull(use.doInConnection(opened.connection()));
            mayBeBroken = false;
            return result;
        } catch (SQLException e) {
            throw new CannotCreateTransactionException(NO_CONNECTION, e);
        } catch (RuntimeException e) {
            mayBeBroken = !isConflict(e);
            throw e;
        } finally {
            shared.close(opened, mayBeBroken);
        }
    }

    /** Closes the connection if no other store uses it, unless a database in memory could end with it. */
    void release() {
        SharedConnection shared = shared();
        if (!shared.isKept() && !shared.isBusy()) {
            leave();
        }
    }

    void close() {
        isClosed = true;
        leave();
    }

    private void leave() {
        SharedConnection.leave(application, this, timeouts);
    }

    private Product product() {
        Product known = product;
        if (known == null) {
            ConnectionSettings settings = settings();
            String url = settings == null ? pool().url() : settings.url();
            if (url != null && url.startsWith("jdbc:shardingsphere:")) {
                // Its first connection opens the connections of all databases.
                throw sharding();
            }
            known = with(false, connection -> {
                Product found = identify(connection);
                check.accept(found.url());
                return found;
            });
            product = known;
        }
        return known;
    }

    private RuntimeException sharding() {
        return unusable(
                Problem.ROUTING_DATA_SOURCE,
                "The DataSource is ShardingSphere's, which chooses among databases, but %s need one database that all processes share"
                        .formatted(kind.users()));
    }

    private Product identify(Connection connection) throws SQLException {
        // ShardingSphere creates tables in a database that it picks at random, and cannot parse every expression that
        // reads a clock.
        ClassLoader loader = Database.class.getClassLoader();
        if (ClassUtils.isPresent(SHARDING_CONNECTION, loader)
                && connection.isWrapperFor(ClassUtils.resolveClassName(SHARDING_CONNECTION, loader))) {
            throw sharding();
        }
        DatabaseMetaData metaData = connection.getMetaData();
        String name = metaData.getDatabaseProductName();
        Dialect dialect = platform == null ? Dialect.of(name) : platform;
        if (dialect == null) {
            throw unusable(
                    Problem.UNSUPPORTED_DATABASE,
                    "Database '%s' is not supported: store %s in one of %s, or set %splatform to the one whose SQL it understands"
                            .formatted(name, kind.users(), Dialect.NAMES, kind.group()));
        }
        String url = Objects.requireNonNullElse(metaData.getURL(), "");
        if (settings() != null && Dialect.isInMemoryOfServer(url) && Dialect.endsWith(connection)) {
            throw kind.unusable(
                    Problem.STORE_OF_ONE_PROCESS,
                    "The database at %s, in the memory of a server, ends with its last connection. Instances that start later would have another one, and they would issue the same IDs"
                            .formatted(Secrets.address(url)),
                    "Let the database stay:\n\n%s: %s;DB_CLOSE_DELAY=-1".formatted(kind.url(), Secrets.address(url)));
        }
        JdbcTemplate jdbc = new JdbcTemplate(bound);
        jdbc.setQueryTimeout(dialect.limitsStatements() ? timeouts.statementSeconds() : UNKNOWN);
        return new Product(dialect, url, jdbc);
    }

    private RuntimeException unusable(Problem problem, String message) {
        return kind.unusable(problem, message, DatabaseAdvice.of(problem, null, settings() != null, kind));
    }
}
