package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.internal.failure.Problem;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/**
 * Runs statements, each time in a new transaction that has ended when the answer is returned. For any number of threads.
 *
 * <p>Transactions are bound to a private {@link DataSource} around the application's: other transaction managers bind their
 * connection to the application's own {@code DataSource}, where the statements here would join it, and commit it.
 *
 * <p>Two timeouts limit each call. The statement timeout makes the server cancel the statement, so that none keeps waiting for a locked
 * table. The network timeout is longer. It ends a call to a silent server, and the connection with it.
 */
final class Database {

    private static final String SHARDING_CONNECTION =
            "org.apache.shardingsphere.driver.jdbc.core.connection.ShardingSphereConnection";

    private static final int MOST_ATTEMPTS = 10;

    private static final int UNKNOWN = -1;

    private final StoredKind kind;
    private final DataSource target;
    private final Timeouts timeouts;
    private final PrivateDataSource connections;
    private volatile @Nullable Product product;

    /** @param target where connections come from; the {@link DedicatedDataSource} is closed with this */
    Database(StoredKind kind, DataSource target, Timeouts timeouts) {
        this.kind = kind;
        this.target = outsideOfTransactions(Objects.requireNonNull(target, "dataSource"));
        this.timeouts = timeouts;
        connections = new PrivateDataSource(this.target);
    }

    static Database dedicated(StoredKind kind, ConnectionSettings settings, Timeouts timeouts) {
        return new Database(kind, new DedicatedDataSource(settings, timeouts), timeouts);
    }

    private static DataSource outsideOfTransactions(DataSource dataSource) {
        return dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? outsideOfTransactions(proxy.getTargetDataSource())
                : dataSource;
    }

    /** Statements that belong together. */
    @FunctionalInterface
    interface Work<T> {
        T run(JdbcTemplate jdbc, Dialect dialect);
    }

    /**
     * What was learned from the first connection.
     *
     * @param networkTimeout of connections as they come, in milliseconds
     */
    private record Product(
            Dialect dialect, String url, int networkTimeout, JdbcTemplate jdbc, TransactionTemplate transactions) {}

    StoredKind kind() {
        return kind;
    }

    /** Returns the settings of the dedicated connection; null if the application's connections are used. */
    @Nullable
    ConnectionSettings settings() {
        return target instanceof DedicatedDataSource dedicated ? dedicated.settings() : null;
    }

    /** Whether the application's {@code DataSource} chooses a database by the current thread. */
    boolean isRouting() {
        return target instanceof AbstractRoutingDataSource;
    }

    /** Where the database is, without secrets; null as long as it is not known. */
    @Nullable
    String address() {
        ConnectionSettings settings = settings();
        Product known = product;
        return settings != null ? settings.address() : known == null ? null : Secrets.address(known.url());
    }

    Dialect dialect() {
        return product().dialect();
    }

    /** Whether the data live in the memory of this process. */
    boolean isInMemory() {
        return dialect().isInMemory(product().url());
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
                // The database has rolled back so that another transaction could continue.
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    void close() {
        if (target instanceof DedicatedDataSource dedicated) {
            dedicated.close();
        }
    }

    private Product product() {
        Product known = product;
        if (known == null) {
            Connection connection = null;
            try {
                // Not by JdbcTemplate, which would keep the connection for as long as a transaction of the caller.
                connection = connections.getConnection();
                known = identify(connection);
                product = known;
            } catch (SnowflakeException e) {
                throw e;
            } catch (SQLException | RuntimeException e) {
                throw new CannotCreateTransactionException("No connection", e);
            } finally {
                JdbcUtils.closeConnection(connection);
            }
        }
        return known;
    }

    private Product identify(Connection connection) throws SQLException {
        ClassLoader loader = Database.class.getClassLoader();
        // ShardingSphere creates tables in a database that it picks by chance, and cannot parse all that reads a clock.
        if (ClassUtils.isPresent(SHARDING_CONNECTION, loader)
                && connection.isWrapperFor(ClassUtils.resolveClassName(SHARDING_CONNECTION, loader))) {
            throw unusable(
                    Problem.ROUTING_DATA_SOURCE,
                    "Connections are those of ShardingSphere, which chooses among databases: %s need one that all processes share"
                            .formatted(kind.users()));
        }
        DatabaseMetaData metaData = connection.getMetaData();
        String name = metaData.getDatabaseProductName();
        Dialect dialect = Dialect.of(name);
        if (dialect == null) {
            throw unusable(
                    Problem.UNSUPPORTED_DATABASE,
                    "The database '%s' is not supported: keep %s in one of %s"
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
            int usual = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, usual);
            return usual;
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            return UNKNOWN;
        }
    }

    /** The application's connections, for transactions that nothing else takes part in. */
    private final class PrivateDataSource extends DelegatingDataSource implements SmartDataSource {

        PrivateDataSource(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            try {
                Product known = product;
                if (known != null && known.networkTimeout() != UNKNOWN) {
                    connection.setNetworkTimeout(Runnable::run, timeouts.networkMillis());
                }
                if (!connection.getAutoCommit()) {
                    // A pool may have left a transaction open, which sees what was there when it began.
                    connection.rollback();
                }
                return connection;
            } catch (SQLException | RuntimeException e) {
                JdbcUtils.closeConnection(connection);
                throw e;
            }
        }

        /** Restores the network timeout last: a transaction manager resets the connection before, which may ask the server. */
        @Override
        public boolean shouldClose(Connection connection) {
            Product known = product;
            try {
                if (known != null && known.networkTimeout() != UNKNOWN && !connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, known.networkTimeout());
                }
            } catch (SQLException e) {
                // The answer counts; the pool notices that the connection is broken.
            }
            return true;
        }
    }

    private final class Transactions extends JdbcTransactionManager {

        private static final long serialVersionUID = 1L;

        Transactions() {
            super(connections);
            setTransactionSynchronization(SYNCHRONIZATION_NEVER);
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            try {
                super.doRollback(status);
            } catch (RuntimeException e) {
                // The failure of the statement counts: a connection that broke cannot be rolled back.
                logger.debug("Rollback failed", e);
            }
        }
    }
}
