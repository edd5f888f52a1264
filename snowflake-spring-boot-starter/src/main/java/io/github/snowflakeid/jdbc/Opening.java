package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.DaemonThreads;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection in a thread that nothing of the caller is bound to, such as its tenant or its transaction. A login
 * may take longer than the caller waits: it then continues, so that a later call finds its result.
 */
final class Opening {

    private final CompletableFuture<OpenConnection> result = new CompletableFuture<>();
    private final long begin = System.nanoTime();
    private final Thread thread;

    private volatile boolean isTaken;

    Opening(Callable<OpenConnection> opener) {
        thread = DaemonThreads.start(
                "snowflake-connection", () -> run(opener), getClass().getClassLoader());
    }

    private void run(Callable<OpenConnection> opener) {
        try {
            OpenConnection opened = opener.call();
            if (!result.complete(opened)) {
                opened.close();
            }
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    /** Returns the connection; null if it is not open in time or was given up. The opening then continues. */
    @Nullable
    OpenConnection await(long millis) throws SQLException {
        try {
            OpenConnection opened = result.get(millis, TimeUnit.MILLISECONDS);
            isTaken = true;
            return opened;
        } catch (TimeoutException | CancellationException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTimeoutException("Interrupted while waiting for a connection", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException sql) {
                throw sql;
            }
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new SQLException(e.getCause());
        }
    }

    /** Returns whether the connection is not open after the given time. */
    boolean isLate(long millis) {
        return !result.isDone() && System.nanoTime() - begin >= TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Returns whether the opening was given up: the thread closes the connection when it has one. */
    boolean isCancelled() {
        return result.isCancelled();
    }

    /** Returns whether the connection was returned, or there will be none. */
    boolean isOver() {
        return isTaken || (isCancelled() ? !thread.isAlive() : result.isCompletedExceptionally());
    }

    /** Waits until the thread has ended, and closes what it has opened or is still going to open. */
    void end(long millis) {
        boolean interrupted = false;
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (!result.cancel(false) && !result.isCompletedExceptionally()) {
            result.join().close();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
