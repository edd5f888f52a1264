package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.jdbc.Unpooled.Match;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * The connection of all leases, counters and document numbers of this process that are stored through one
 * {@link DataSource}. It is opened outside of the application's pool, because every connection of the pool may belong to
 * a transaction that waits for an ID. It stays open until its last user is closed.
 *
 * <p>If no connection can be opened outside of the pool, because the settings of the pool are unknown, or because the
 * server rejects the login or permits no further connection, the application's {@code DataSource} is asked instead, and
 * the log says so. If the server cannot be reached, it is not asked, because its pool would only wait.
 *
 * <p>Safe for use by any number of threads.
 */
final class SharedConnection {

    /** The connections that have users. */
    private static final IdentityHashMap<DataSource, SharedConnection> ALL = new IdentityHashMap<>();

    /** How long a login that the server rejected is not tried again, because servers lock accounts. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A connection is not validated if it was used this recently. */
    private static final long VALID_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final DataSource application;

    /** The users. Guarded by the map of all. */
    private final Set<Object> users = new HashSet<>();

    private final Semaphore permit = new Semaphore(1, true);

    /** The open connection. This and the following fields are written by the thread that has the permit. */
    private volatile @Nullable Unpooled open;

    private volatile @Nullable Opening<Unpooled> opening;

    /** The threads that wait for the application's pool although their callers have given up. */
    private final Set<Opening<Connection>> late = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Match match;
    private volatile long lastUse;

    /** Whether there was a connection: until then, callers wait as long as the application's pool does. */
    private volatile boolean hasOpened;

    private volatile @Nullable Rejection rejection;

    /** Why the application's pool is used; null if it is not. */
    private volatile @Nullable String reason;

    private volatile boolean isOpaque;
    private volatile boolean isClosed;

    /** A login that the server rejected. */
    private record Rejection(ConnectionSettings login, SQLException failure, long nanos) {

        boolean applies(ConnectionSettings now) {
            return login.equals(now) && System.nanoTime() - nanos < PAUSE_NANOS;
        }
    }

    private SharedConnection(DataSource application) {
        this.application = application;
    }

    /** Returns the connection of a {@link #target}, which then stays open until {@link #leave} for the same user. */
    static SharedConnection of(DataSource application, Object user) {
        synchronized (ALL) {
            SharedConnection shared = ALL.computeIfAbsent(application, SharedConnection::new);
            shared.users.add(user);
            return shared;
        }
    }

    /** Returns the {@code DataSource} without proxies that change nothing. */
    static DataSource target(DataSource dataSource) {
        boolean isTransparent = dataSource instanceof TransactionAwareDataSourceProxy
                || dataSource instanceof LazyConnectionDataSourceProxy;
        DataSource target = isTransparent ? ((DelegatingDataSource) dataSource).getTargetDataSource() : null;
        return target == null ? dataSource : target(target);
    }

    /** Closes the connection unless it has other users. */
    static void leave(DataSource application, Object user, Timeouts timeouts) {
        SharedConnection shared;
        synchronized (ALL) {
            shared = ALL.get(application);
            if (shared == null || !shared.users.remove(user) || !shared.users.isEmpty()) {
                return;
            }
            ALL.remove(application);
        }
        shared.end(timeouts.networkMillis());
    }

    /** Returns whether calls use the connection or wait for it, perhaps of the same user. */
    boolean isBusy() {
        return permit.availablePermits() == 0;
    }

    private void end(long millis) {
        isClosed = true;
        Opening<Unpooled> unfinished = opening;
        if (unfinished != null) {
            unfinished.end(millis);
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        late.forEach(each -> each.end(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()))));
        discard();
    }

    /** Returns why connections come from the application's pool; null if they do not. */
    @Nullable
    String reason() {
        return reason;
    }

    /** Returns how the last connection was opened; null if it came from the application's pool. */
    @Nullable
    Match match() {
        return match;
    }

    boolean isKept() {
        Unpooled known = open;
        return known != null && known.isKept();
    }

    /** Opens the connection, or waits until it is free. It must be closed by {@link #close}. */
    Connection open(Timeouts timeouts) throws SQLException {
        long millis = millis(timeouts);
        await(millis);
        Connection opened = null;
        try {
            opened = unpooled(timeouts, millis);
        } finally {
            if (opened == null) {
                permit.release();
            }
        }
        return opened == null ? pooled(timeouts) : opened;
    }

    private long millis(Timeouts timeouts) {
        return hasOpened ? timeouts.networkMillis() : Math.max(timeouts.networkMillis(), patience());
    }

    private int patience() {
        return new PoolSettings(application).connectionTimeout();
    }

    /** Opens a connection of the application's pool. It must be closed by {@link #close}. */
    Connection pooled(Timeouts timeouts) throws SQLException {
        long millis = millis(timeouts);
        Opening<Connection> asked = new Opening<>(this::askPool);
        try {
            Connection opened = asked.await(millis, "The pool gave no connection within %s ms".formatted(millis));
            hasOpened = true;
            return opened;
        } catch (SQLTimeoutException e) {
            if (asked.isDone()) {
                throw e;
            }
            asked.end(1);
            late.removeIf(Opening::hasEnded);
            late.add(asked);
            // As HikariCP reports it.
            throw new SQLTransientConnectionException(e.getMessage());
        }
    }

    private Connection askPool() throws SQLException {
        Connection opened = application.getConnection();
        // A proxy may be about to choose the connection of a transaction: in this thread there is none.
        opened.getAutoCommit();
        return opened;
    }

    private void await(long millis) throws SQLException {
        try {
            if (!permit.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                throw new SQLTimeoutException(
                        "The connection of leases and counters has been in use for %s ms".formatted(millis));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTimeoutException("Interrupted while waiting for the connection of leases and counters", e);
        }
    }

    /** Returns the connection outside of the pool; null if there is none, but the pool may have one. */
    private @Nullable Connection unpooled(Timeouts timeouts, long millis) throws SQLException {
        Unpooled known = open;
        if (known != null) {
            if (isValid(known.connection(), timeouts)) {
                return known.connection();
            }
            closeOpen();
        }
        if (isOpaque) {
            return null;
        }
        Opening<Unpooled> login = opening;
        if (login != null && !login.isDone() && login.isOlderThan(patience())) {
            login.end(1);
            login = null;
        }
        if (login == null) {
            login = new Opening<>(() -> connect((int) millis));
            opening = login;
        }
        try {
            Unpooled opened = login.await(millis, "The database opened no connection within %s ms".formatted(millis));
            open = opened;
            match = opened.match();
            hasOpened = true;
            reason = null;
            return opened.connection();
        } catch (SQLException | RuntimeException e) {
            if (!login.isDone() || !mayAskPool(e)) {
                throw e;
            }
            use(Secrets.text(e, null));
            return null;
        } finally {
            opening = login.isDone() ? null : login;
            if (isClosed && opening != null) {
                login.end(1);
            }
        }
    }

    private boolean isValid(Connection connection, Timeouts timeouts) {
        try {
            boolean isRecent = System.nanoTime() - lastUse < VALID_NANOS;
            return !connection.isClosed() && (isRecent || connection.isValid(timeouts.statementSeconds()));
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            return false;
        }
    }

    private Unpooled connect(int millis) throws Exception {
        UnpooledSource source = UnpooledSource.of(application, millis);
        if (source == null) {
            isOpaque = true;
            throw new SQLException("the settings of the DataSource do not tell how it connects");
        }
        Rejection last = rejection;
        if (last != null && last.applies(source.login())) {
            throw last.failure();
        }
        try {
            return source.opener().call();
        } catch (SQLException e) {
            boolean isRefused = source.match() != Match.NO_POOL && !ConnectionFailures.isUnreachable(e);
            if (isRefused || ConnectionFailures.isRejectedLogin(e)) {
                rejection = new Rejection(source.login(), e, System.nanoTime());
            }
            throw e;
        }
    }

    /** Returns whether the pool may have a connection although none can be opened outside of it. */
    private boolean mayAskPool(Exception failure) {
        UnpooledSource source = UnpooledSource.of(application, 1);
        return (source == null || source.match() != Match.NO_POOL)
                && (ConnectionFailures.isRejectedLogin(failure) || !ConnectionFailures.isUnreachable(failure));
    }

    /** Uses the application's pool because the connection outside of it cannot be used. */
    void use(String why) {
        if (reason == null) {
            LogFactory.getLog(SnowflakeIdGenerator.class)
                    .warn(
                            "Leases and counters use connections of the application's pool (%s). IDs and numbers fail while transactions that wait for them hold all of its connections. Set snowflake.worker.jdbc.url, and for counters snowflake.segment.jdbc.urls, to give them a dedicated connection"
                                    .formatted(why));
        }
        reason = why;
        match = null;
    }

    /** Always uses the application's pool from now on. */
    void useAlways(String why) {
        use(why);
        isOpaque = true;
        discard();
    }

    /**
     * Ends the use of a connection.
     *
     * @param mayBeBroken whether the next call opens another one, unless a database in memory could end with it
     */
    @SuppressWarnings("ReferenceEquality") // A proxy of a connection may not equal itself.
    void close(Connection used, boolean mayBeBroken) {
        Unpooled known = open;
        if (known == null || used != known.connection()) {
            JdbcUtils.closeConnection(used);
            return;
        }
        lastUse = System.nanoTime();
        try {
            if (mayBeBroken && !known.isKept()) {
                closeOpen();
            }
        } finally {
            permit.release();
        }
        if (isClosed) {
            discard();
        }
    }

    /** Closes the connection if it is not in use, so that the next call opens another one. */
    void discard() {
        if (permit.tryAcquire()) {
            try {
                closeOpen();
            } finally {
                permit.release();
            }
        }
    }

    private void closeOpen() {
        Unpooled known = open;
        open = null;
        if (known != null) {
            known.close();
        }
    }
}
