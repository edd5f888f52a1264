package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.BoundedCalls;
import io.github.snowflakeid.internal.DaemonThreads;
import io.github.snowflakeid.jdbc.UnpooledSource.Match;
import io.github.snowflakeid.jdbc.UnpooledSource.Opener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcUtils;

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

    /** A connection that was used more recently is not tested before it is used again. */
    private static final long TRUSTED_NANOS = IDLE_NANOS / 2;

    private final DataSource application;
    private final Semaphore permit = new Semaphore(1, true);

    /** The open connection. This and the following fields are written by the thread that has the permit. */
    private volatile @Nullable Connection connection;

    private volatile long lastUse;

    /** Whether a thread waits to close the connection. */
    private volatile boolean isWatched;

    /** Whether a thread starts the application's pool. */
    private final AtomicBoolean isPoolStarting = new AtomicBoolean();

    /** The login that the server rejected last; it is not tried again, because servers lock accounts. */
    private @Nullable List<@Nullable Object> rejected;

    /**
     * Whether the connections outside of the pool were compared with connections of the pool, and whether they are
     * equal.
     */
    private volatile @Nullable Boolean matchesPool;

    private volatile boolean isPooled;

    /** Whether the connection stays open, because an in-memory database without a pool ends with it. */
    private volatile boolean isKept;

    /** Why no connection could be opened outside of the pool, although the server answered; null if it could. */
    private volatile @Nullable Exception refusal;

    private final Map<Integer, BoundedCalls> openings = new ConcurrentHashMap<>();

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

    /** Opens the connection, or waits until it is free. It must be closed by {@link #close(Connection)}. */
    Connection open(Timeouts timeouts) throws SQLException {
        if (Boolean.FALSE.equals(matchesPool)) {
            return pooled();
        }
        isPooled = false;
        await(timeouts);
        boolean opened = false;
        try {
            Connection open = connection;
            if (open == null || !isUsable(open, timeouts)) {
                close();
                open = unpooled(timeouts);
            }
            opened = open != null;
            if (open != null) {
                isPooled = false;
                connection = open;
                return open;
            }
        } finally {
            if (!opened) {
                permit.release();
            }
        }
        try {
            return pooled();
        } catch (SQLException e) {
            Exception refused = refusal;
            if (refused != null) {
                e.addSuppressed(refused);
            }
            throw e;
        }
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

    private boolean isUsable(Connection open, Timeouts timeouts) {
        try {
            return System.nanoTime() - lastUse < TRUSTED_NANOS
                    ? !open.isClosed()
                    : open.isValid(timeouts.statementSeconds());
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Returns a connection outside of the pool; null if there is none, but the pool may have one. */
    private @Nullable Connection unpooled(Timeouts timeouts) throws SQLException {
        UnpooledSource unpooled = UnpooledSource.of(application, timeouts);
        if (unpooled == null) {
            matchesPool = false;
            return null;
        }
        if (unpooled.login().equals(rejected)) {
            return null;
        }
        Connection opened;
        try {
            opened = openWithin(timeouts, unpooled.opener());
        } catch (SQLException | RuntimeException e) {
            if (unpooled.match() == Match.NO_POOL || ConnectionFailures.isUnreachable(e)) {
                throw e;
            }
            rejected = ConnectionFailures.isRejectedLogin(e) ? unpooled.login() : null;
            refusal = e;
            return null;
        }
        refusal = null;
        // If the database is down or rejects the login, the application's pool is not bothered.
        if (matchesPool == null && unpooled.match() == Match.EXACT_BUT_NOT_STARTED) {
            startPool();
        }
        isKept = unpooled.match() == Match.NO_POOL
                && Dialect.isInMemory(String.valueOf(opened.getMetaData().getURL()));
        if (matchesPool == null) {
            matchesPool = unpooled.match() != Match.UNKNOWN || isLikePooled(opened);
        }
        if (Boolean.TRUE.equals(matchesPool)) {
            return opened;
        }
        JdbcUtils.closeConnection(opened);
        return null;
    }

    /**
     * Opens a connection. A driver may wait for a login without a limit, which must not block the calls that follow.
     */
    private Connection openWithin(Timeouts timeouts, Opener opener) throws SQLException {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        Callable<Boolean> opening = () -> {
            try {
                Connection late = opener.open();
                if (!opened.complete(late)) {
                    JdbcUtils.closeConnection(late);
                }
            } catch (SQLException | RuntimeException e) {
                opened.completeExceptionally(e);
            }
            return true;
        };
        try {
            openings.computeIfAbsent(
                            timeouts.networkMillis(),
                            millis -> new BoundedCalls(application, "database", Duration.ofMillis(millis)))
                    .ask(opening);
        } catch (IllegalStateException e) {
            if (opened.cancel(false)) {
                throw new SQLTimeoutException(e.getMessage(), e);
            }
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
        Connection pooled = null;
        try {
            pooled = pooled();
            return Dialect.stateOf(opened).equals(Dialect.stateOf(pooled));
        } catch (SQLException | RuntimeException e) {
            JdbcUtils.closeConnection(opened);
            throw e;
        } finally {
            JdbcUtils.closeConnection(pooled);
        }
    }

    /**
     * Starts the application's pool. An in-memory database, or a container that a driver starts, ends with its last
     * connection, so the connection of this object is not closed before the pool has one.
     */
    private void startPool() {
        if (isPoolStarting.compareAndSet(false, true)) {
            start("snowflake-pool", () -> {
                try {
                    JdbcUtils.closeConnection(application.getConnection());
                } catch (SQLException | RuntimeException e) {
                    // The application fails the same way when it needs a connection.
                } finally {
                    isPoolStarting.set(false);
                }
            });
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
            start("snowflake-connection", this::closeWhenIdle);
        }
    }

    private void closeWhenIdle() {
        while (isWatched) {
            LockSupport.parkNanos(IDLE_NANOS);
            if (System.nanoTime() - lastUse >= IDLE_NANOS && !isPoolStarting.get() && permit.tryAcquire()) {
                isWatched = false;
                closeWithPermit();
            }
        }
    }

    private void start(String name, Runnable body) {
        DaemonThreads.start(name, body, getClass().getClassLoader());
    }

    /** Closes the connection now if it is not in use, and if its database outlives it. */
    void closeIdle() {
        if (!isKept && !isPoolStarting.get() && permit.tryAcquire()) {
            closeWithPermit();
        }
    }

    /** Closes the connection now if it is not in use. */
    void closeForGood() {
        isKept = false;
        closeIdle();
    }

    private void closeWithPermit() {
        try {
            close();
        } finally {
            permit.release();
        }
    }

    private void close() {
        JdbcUtils.closeConnection(connection);
        connection = null;
    }
}
