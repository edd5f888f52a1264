package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/**
 * Runs statements in new transactions. A transaction has ended when its call returns. Safe for use by any number of threads.
 *
 * <p>Transactions are bound to a private {@link DataSource}. Other transaction managers bind their connection to the application's {@code
 * DataSource}; there, the statements of this class would join the application's transaction and commit it.
 *
 * <p>Two timeouts limit each call. After the statement timeout, the server cancels the statement, so that no statement keeps waiting for a
 * locked table. The network timeout is longer. It ends a call to a silent server and closes the connection.
 */
final class Database {

    private static final String SHARDING_CONNECTION =
            "org.apache.shardingsphere.driver.jdbc.core.connection.ShardingSphereConnection";

    private static final int MOST_ATTEMPTS = 10;

    private static final int UNKNOWN = -1;

    private static final Pattern DATABASE = Pattern.compile("//[^?]*/([^/?]+)(\\?|$)");

    private final StoredKind kind;
    private final SharedConnection shared;
    private final Timeouts timeouts;
    private final Consumer<String> check;
    private final PrivateDataSource connections;
    private volatile @Nullable Product product;

    /** @param target the source of connections; a {@link DedicatedDataSource} is closed together with this object */
    Database(StoredKind kind, DataSource target, Timeouts timeouts) {
        this(kind, new SharedConnection(target), timeouts, url -> {});
    }

    /**
     * @param shared the connection that this object shares with others
     * @param check checks the URL of the first connection; throws a {@link ConfigurationException} if the database must not be used
     */
    Database(StoredKind kind, SharedConnection shared, Timeouts timeouts, Consumer<String> check) {
        this.kind = kind;
        this.shared = shared;
        this.timeouts = timeouts;
        this.check = check;
        connections = new PrivateDataSource();
    }

    static Database dedicated(StoredKind kind, ConnectionSettings settings, Timeouts timeouts) {
        return new Database(kind, new DedicatedDataSource(settings, timeouts), timeouts);
    }

    /** Statements of one transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(JdbcTemplate jdbc, Dialect dialect);
    }

    /**
     * The properties of the database, which are read from the first connection.
     *
     * @param networkTimeout the network timeout that connections have by default, in milliseconds
     */
    private record Product(
            Dialect dialect, String url, int networkTimeout, JdbcTemplate jdbc, TransactionTemplate transactions) {}

    StoredKind kind() {
        return kind;
    }

    /** Returns the settings of the dedicated connection; null if the application's connections are used. */
    @Nullable
    ConnectionSettings settings() {
        return shared.application() instanceof DedicatedDataSource dedicated ? dedicated.settings() : null;
    }

    /** Returns whether the application's {@code DataSource}, or one that it wraps, chooses among several databases for each call. */
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
        return settings != null ? settings.address() : known == null ? null : Secrets.address(known.url());
    }

    Dialect dialect() {
        return product().dialect();
    }

    /** Returns whether the database is in the memory of this process. */
    boolean isInMemory() {
        return Dialect.isInMemory(product().url());
    }

    /** Returns whether the last connection came from the application's pool. */
    boolean isPooled() {
        return shared.isPooled();
    }

    /** Returns the settings of the application's pool that select the schema of its connections. */
    PoolSettings poolSettings() {
        return PoolSettings.of(shared.application());
    }

    /** Returns the name of the database at the end of the URL, for MySQL; null if there is none. */
    @Nullable
    String databaseOfUrl() {
        Matcher path = DATABASE.matcher(product().url());
        return path.find() ? path.group(1) : null;
    }

    /** Runs statements in a transaction that is committed. */
    <T> T commit(Work<T> work) {
        return execute(false, work);
    }

    /** Runs statements in a transaction that is committed or rolled back. */
    <T> T execute(boolean rollback, Work<T> work) {
        Product known = product();
        for (int attempt = 1; ; attempt++) {
            try {
                return Objects.requireNonNull(known.transactions().execute(status -> {
                    if (rollback) {
                        status.setRollbackOnly();
                    }
                    return work.run(known.jdbc(), known.dialect());
                }));
            } catch (PessimisticLockingFailureException e) {
                // A deadlock or a serialization failure: the database has rolled back this transaction so that another
                // one could continue.
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            } catch (RuntimeException e) {
                // The connection may be broken.
                closeIdleConnection();
                throw e;
            }
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
            Connection connection = null;
            try {
                // Without JdbcTemplate, which would hold the connection until the end of the caller's transaction.
                connection = connections.getConnection();
                known = identify(connection);
                check.accept(known.url());
                product = known;
            } catch (SnowflakeException e) {
                throw e;
            } catch (SQLException | RuntimeException e) {
                throw new CannotCreateTransactionException("No connection", e);
            } finally {
                if (connection != null) {
                    shared.close(connection);
                }
            }
        }
        return known;
    }

    private Product identify(Connection connection) throws SQLException {
        ClassLoader loader = Database.class.getClassLoader();
        // ShardingSphere creates tables in a database that it picks at random, and cannot parse every expression that
        // reads a clock.
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
        JdbcTemplate jdbc = new JdbcTemplate(connections);
        jdbc.setQueryTimeout(dialect.limitsStatements() ? timeouts.statementSeconds() : UNKNOWN);
        TransactionTemplate transactions = new TransactionTemplate(new Transactions());
        transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        transactions.setIsolationLevel(dialect.isolationLevel());
        return new Product(
                dialect,
                Objects.requireNonNullElse(metaData.getURL(), ""),
                dialect.limitsNetwork() ? networkTimeout(connection) : UNKNOWN,
                jdbc,
                transactions);
    }

    private RuntimeException unusable(Problem problem, String message) {
        return kind.unusable()
                .apply(problem.exception(message, DatabaseAdvice.of(problem, null, settings() != null, kind)));
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

    /** Opens and closes connections for the private transactions. */
    private final class PrivateDataSource extends AbstractDataSource implements SmartDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = shared.open(timeouts);
            boolean isReady = false;
            try {
                Product known = product;
                if (known != null && known.networkTimeout() != UNKNOWN) {
                    connection.setNetworkTimeout(Runnable::run, timeouts.networkMillis());
                }
                if (!connection.getAutoCommit()) {
                    // A pool may have left a transaction open, which could see an old snapshot of the data.
                    connection.rollback();
                }
                isReady = true;
                return connection;
            } finally {
                if (!isReady) {
                    shared.close(connection);
                    shared.closeIdle();
                }
            }
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            return getConnection();
        }

        /** Closes the connection after the transaction manager has reset it. The reset may access the server, so the timeout comes last. */
        @Override
        public boolean shouldClose(Connection connection) {
            Product known = product;
            try {
                if (known != null && known.networkTimeout() != UNKNOWN && !connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, known.networkTimeout());
                }
            } catch (SQLException e) {
                // The result of the transaction stands. The pool notices that the connection is broken.
            } finally {
                shared.close(connection);
            }
            return false;
        }
    }

    private final class Transactions extends JdbcTransactionManager {

        private static final long serialVersionUID = 1L;

        Transactions() {
            super(connections);
            setTransactionSynchronization(SYNCHRONIZATION_NEVER);
        }

        @Override
        protected void prepareTransactionalConnection(Connection connection, TransactionDefinition definition)
                throws SQLException {
            String level = dialect().levelOfTransaction();
            if (level != null) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(level);
                }
            }
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            try {
                super.doRollback(status);
            } catch (RuntimeException e) {
                // The failure of the statement is reported instead. A broken connection cannot be rolled back.
                logger.debug("Rollback failed", e);
            }
        }
    }
}
