package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.DaemonThreads;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens a connection in a thread that nothing of the caller is bound to, such as its tenant or its transaction. A login
 * may take longer than the caller waits: it then continues, so that a later call finds its result.
 *
 * @param <T> what is opened
 */
final class Opening<T extends AutoCloseable> {

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final long begin = System.nanoTime();
    private final Thread thread;

    Opening(Callable<T> opener) {
        thread = DaemonThreads.start(
                "snowflake-connection", () -> run(opener), getClass().getClassLoader());
    }

    private void run(Callable<T> opener) {
        try {
            T opened = opener.call();
            if (!result.complete(opened)) {
                opened.close();
            }
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    boolean isOlderThan(long millis) {
        return System.nanoTime() - begin >= TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /**
     * Waits for the result.
     *
     * @param message the message if there is none in time; the opening then continues
     */
    T await(long millis, String message) throws SQLException {
        try {
            return result.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SQLTimeoutException(message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTimeoutException("Interrupted while waiting for a connection", e);
        } catch (ExecutionException e) {
            Throwable failure = Objects.requireNonNull(e.getCause());
            if (failure instanceof SQLException sql) {
                throw sql;
            }
            if (failure instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new SQLException(failure);
        }
    }

    boolean isDone() {
        return result.isDone();
    }

    boolean hasEnded() {
        return !thread.isAlive();
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
            try {
                result.join().close();
            } catch (Exception e) {
                // The connection is broken.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
