package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.jdbc.OpenConnection.Match;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * The connection of all leases, counters and document numbers of this process that are stored through one
 * {@link DataSource}. It is opened outside of the application's pool, because every connection of the pool may belong to
 * a transaction that waits for an ID. It stays open until its last user is closed.
 *
 * <p>If no connection can be opened outside of the pool, because the settings of the pool are unknown, or because the
 * server rejects the login or permits no further connection, the application's {@code DataSource} is asked for each
 * call, and the log says so. If the server cannot be reached, it is not asked, because its pool would only wait.
 *
 * <p>Safe for use by any number of threads, which use the connection one after the other.
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

    /** The connection outside of the pool. This and the following fields are written by the thread with the permit. */
    private volatile @Nullable OpenConnection open;

    /** The opening whose thread has not ended, although its caller may have given up. */
    private volatile @Nullable Opening opening;

    private volatile Match match = Match.POOL;
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
        shared.isClosed = true;
        Opening unfinished = shared.opening;
        if (unfinished != null) {
            unfinished.end(timeouts.networkMillis());
        }
        shared.discard();
    }

    /** Returns whether calls use the connection or wait for it, perhaps of the same user. */
    boolean isBusy() {
        return permit.availablePermits() == 0;
    }

    /** Returns why connections come from the application's pool; null if they do not. */
    @Nullable
    String reason() {
        return reason;
    }

    /** Returns how the last connection was opened. */
    Match match() {
        return match;
    }

    boolean isKept() {
        OpenConnection known = open;
        return known != null && known.isKept();
    }

    /**
     * Opens the connection, or waits until it is free. It must be closed by {@link #close}.
     *
     * @param ofPool whether to open a connection of the application's pool in any case
     */
    OpenConnection open(Timeouts timeouts, boolean ofPool) throws SQLException {
        long millis = hasOpened ? timeouts.networkMillis() : Math.max(timeouts.networkMillis(), patience());
        await(millis);
        OpenConnection opened = null;
        try {
            OpenConnection known = ofPool ? null : valid(timeouts);
            opened = known == null ? opened(millis, ofPool) : known;
            return opened;
        } finally {
            if (opened == null) {
                free();
            }
        }
    }

    private int patience() {
        return new PoolSettings(application).connectionTimeout();
    }

    private void await(long millis) throws SQLException {
        try {
            if (!permit.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                throw timeout(
                        "The connection of leases and counters has been in use for %s ms", millis, reason != null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTimeoutException("Interrupted while waiting for the connection of leases and counters", e);
        }
    }

    /** Returns an exception, with the type that HikariCP throws if the pool is exhausted. */
    private static SQLException timeout(String message, long millis, boolean ofPool) {
        String text = message.formatted(millis);
        return ofPool ? new SQLTransientConnectionException(text) : new SQLTimeoutException(text);
    }

    private @Nullable OpenConnection valid(Timeouts timeouts) {
        OpenConnection known = open;
        if (known == null || isValid(known.connection(), timeouts)) {
            return known;
        }
        closeOpen();
        return null;
    }

    private boolean isValid(Connection connection, Timeouts timeouts) {
        try {
            boolean isRecent = System.nanoTime() - lastUse < VALID_NANOS;
            return !connection.isClosed() && (isRecent || connection.isValid(timeouts.statementSeconds()));
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            return false;
        }
    }

    private OpenConnection opened(long millis, boolean ofPool) throws SQLException {
        Opening current = opening;
        if (current != null && current.isCancelled()) {
            // Otherwise, one thread after the other would wait for an exhausted pool.
            current.end(millis);
        }
        if (current == null || current.isOver() || current.isLate(patience())) {
            if (current != null) {
                current.end(1);
            }
            current = new Opening(() -> ofPool ? askPool() : connect((int) millis));
            opening = current;
        }
        try {
            OpenConnection opened = current.await(millis);
            boolean asksPool = ofPool || reason != null || current.isCancelled();
            if (opened == null && asksPool) {
                // The application needs the connection that its pool is still going to give.
                current.end(1);
            }
            if (opened == null) {
                String source = asksPool ? "The pool gave" : "The database opened";
                throw timeout(source + " no connection within %s ms", millis, asksPool);
            }
            hasOpened = true;
            if (opened.match() != Match.POOL) {
                open = opened;
                match = opened.match();
                reason = null;
            }
            return opened;
        } finally {
            opening = current.isOver() ? null : current;
            if (isClosed && opening != null) {
                current.end(1);
            }
        }
    }

    private OpenConnection connect(int millis) throws Exception {
        UnpooledSource source = isOpaque ? null : UnpooledSource.of(application, millis);
        if (source == null) {
            isOpaque = true;
            use(reason == null ? "the settings of the DataSource do not tell how it connects" : reason);
            return askPool();
        }
        Rejection last = rejection;
        SQLException rejected = last != null && last.applies(source.login()) ? last.failure() : null;
        try {
            if (rejected != null) {
                throw rejected;
            }
            return source.opener().call();
        } catch (SQLException | RuntimeException e) {
            boolean ofLogin = ConnectionFailures.isRejectedLogin(e);
            boolean mayAsk = source.match() != Match.NO_POOL && (ofLogin || !ConnectionFailures.isUnreachable(e));
            if (rejected == null && (ofLogin || mayAsk) && e instanceof SQLException failure) {
                rejection = new Rejection(source.login(), failure, System.nanoTime());
            }
            if (!mayAsk) {
                throw e;
            }
            use(Secrets.text(e, source.login()));
            return askPool();
        }
    }

    private OpenConnection askPool() throws SQLException {
        return new OpenConnection(UnpooledSource.ask(application), Match.POOL, null);
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
        match = Match.POOL;
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
    void close(OpenConnection used, boolean mayBeBroken) {
        try {
            if (used.match() == Match.POOL) {
                used.close();
            } else {
                lastUse = System.nanoTime();
                if (mayBeBroken && !used.isKept()) {
                    closeOpen();
                }
            }
        } finally {
            free();
        }
    }

    /** Lets other calls use the connection, or closes it if its last user was closed during this call. */
    private void free() {
        permit.release();
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
        OpenConnection known = open;
        open = null;
        if (known != null) {
            known.close();
        }
    }
}
