package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.BoundedCalls;
import io.github.snowflakeid.internal.DaemonThreads;
import io.github.snowflakeid.jdbc.UnpooledSource.Match;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connection of all leases and counters that are stored through one {@link DataSource}. It is opened outside of the
 * application's pool, because every connection of the pool may belong to a transaction that waits for an ID. At most
 * one such connection is open at a time, for a second after its last use.
 *
 * <p>If no connection can be opened outside of the pool, because the settings of the pool are unknown or the server
 * permits no further connection, the application's {@code DataSource} is asked instead. If the server cannot be
 * reached, it is not asked, because its pool would only wait.
 *
 * <p>Safe for use by any number of threads.
 */
final class SharedConnection {

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final DataSource application;
    private final Semaphore permit = new Semaphore(1, true);

    /** The open connection. This and the following fields are written by the thread that has the permit. */
    private volatile @Nullable Connection connection;

    private volatile long lastUse;

    /** Whether a thread waits to close the connection. */
    private volatile boolean isWatched;

    /** The login that the server rejected last; it is not tried again, because servers lock accounts. */
    private volatile @Nullable ConnectionSettings rejected;

    /** Whether a connection outside of the pool equals a connection of the pool; null if they were not compared. */
    private volatile @Nullable Boolean matchesPool;

    private volatile boolean isPooled;

    /** Whether the connection stays open, because an in-memory database without a pool ends with it. */
    private volatile boolean isKept;

    SharedConnection(DataSource dataSource) {
        application = target(Objects.requireNonNull(dataSource, "dataSource"));
    }

    private static DataSource target(DataSource dataSource) {
        boolean isTransparent = dataSource instanceof TransactionAwareDataSourceProxy
                || dataSource instanceof LazyConnectionDataSourceProxy;
        DataSource target = isTransparent ? ((DelegatingDataSource) dataSource).getTargetDataSource() : null;
        return target == null ? dataSource : target(target);
    }

    DataSource application() {
        return application;
    }

    /** Returns whether the last connection came from the application's pool. */
    boolean isPooled() {
        return isPooled;
    }

    /**
     * Opens the connection, or waits until it is free. It must be closed by {@link #close(Connection)}.
     *
     * @param logins limits the time of a login, for which a driver may have no limit
     */
    Connection open(Timeouts timeouts, BoundedCalls logins) throws SQLException {
        if (Boolean.FALSE.equals(matchesPool)) {
            return pooled();
        }
        isPooled = false;
        await(timeouts);
        Connection open = null;
        try {
            Connection known = connection;
            open = known != null && !known.isClosed() ? known : unpooled(timeouts, logins);
            connection = open;
        } finally {
            if (open == null) {
                permit.release();
            }
        }
        return open == null ? pooled() : open;
    }

    private Connection pooled() throws SQLException {
        isPooled = true;
        return application.getConnection();
    }

    private void await(Timeouts timeouts) throws SQLException {
        try {
            if (!permit.tryAcquire(timeouts.networkMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTimeoutException("The connection of leases and counters has been in use for %s ms"
                        .formatted(timeouts.networkMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTimeoutException("Interrupted while waiting for the connection of leases and counters", e);
        }
    }

    /** Returns a connection outside of the pool; null if there is none, but the pool may have one. */
    private @Nullable Connection unpooled(Timeouts timeouts, BoundedCalls logins) throws SQLException {
        UnpooledSource source = UnpooledSource.of(application, timeouts);
        if (source == null || source.login().equals(rejected)) {
            return null;
        }
        Connection opened;
        try {
            opened = open(source.opener(), logins);
        } catch (SQLException | RuntimeException e) {
            if (source.match() == Match.NO_POOL || ConnectionFailures.isUnreachable(e)) {
                throw e;
            }
            rejected = ConnectionFailures.isRejectedLogin(e) ? source.login() : null;
            return null;
        }
        boolean isUsed = false;
        try {
            isKept = source.match() == Match.NO_POOL
                    && Dialect.isInMemory(String.valueOf(opened.getMetaData().getURL()));
            if (matchesPool == null) {
                matchesPool = source.match() != Match.UNKNOWN || isLikePooled(opened);
                isPooled = false;
            }
            isUsed = Boolean.TRUE.equals(matchesPool);
        } finally {
            if (!isUsed) {
                JdbcUtils.closeConnection(opened);
            }
        }
        return isUsed ? opened : null;
    }

    private static Connection open(Callable<Connection> opener, BoundedCalls logins) throws SQLException {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        try {
            logins.ask(() -> {
                try {
                    Connection late = opener.call();
                    if (!opened.complete(late)) {
                        JdbcUtils.closeConnection(late);
                    }
                } catch (SQLException | RuntimeException e) {
                    opened.completeExceptionally(e);
                }
                return true;
            });
        } catch (IllegalStateException e) {
            opened.completeExceptionally(new SQLTimeoutException(e.getMessage(), e));
        }
        try {
            return opened.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw (RuntimeException) Objects.requireNonNull(e.getCause());
        }
    }

    /**
     * Returns whether a connection is in the same database and schema, and has the same rights, as a connection of the
     * application.
     */
    private boolean isLikePooled(Connection opened) throws SQLException {
        try (Connection pooled = pooled()) {
            try {
                return Dialect.stateOf(opened).equals(Dialect.stateOf(pooled));
            } finally {
                // Not every pool ends the transaction of a connection without auto-commit. During a transaction of the
                // application, the connection may be the application's.
                if (!pooled.getAutoCommit() && !TransactionSynchronizationManager.isActualTransactionActive()) {
                    pooled.rollback();
                }
            }
        }
    }

    /** Ends the use of a connection. */
    @SuppressWarnings("ReferenceEquality") // A proxy of a connection may not equal itself.
    void close(Connection used) {
        if (used != connection) {
            JdbcUtils.closeConnection(used);
            return;
        }
        lastUse = System.nanoTime();
        boolean startsWatch = !isWatched && !isKept;
        isWatched |= startsWatch;
        permit.release();
        if (startsWatch) {
            DaemonThreads.start(
                    "snowflake-connection", this::closeWhenIdle, getClass().getClassLoader());
        }
    }

    private void closeWhenIdle() {
        while (isWatched) {
            LockSupport.parkNanos(IDLE_NANOS);
            if (System.nanoTime() - lastUse >= IDLE_NANOS) {
                closeIdle();
            }
        }
    }

    /** Closes the connection now if it is not in use, and if its database outlives it. */
    void closeIdle() {
        if (!isKept && permit.tryAcquire()) {
            try {
                isWatched = false;
                JdbcUtils.closeConnection(connection);
                connection = null;
            } finally {
                permit.release();
            }
        }
    }

    /** Closes the connection now if it is not in use. */
    void closeForGood() {
        isKept = false;
        closeIdle();
    }
}
