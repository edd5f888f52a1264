package io.github.snowflakeid.internal;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls with a time limit. A call that does not answer in time is abandoned: the caller gets an exception, but the call
 * may still take effect later.
 *
 * <p>Each call runs on a dedicated thread, because an abandoned call may block its thread for a long time. The first
 * abandoned call is not interrupted, because it may be opening a connection that other calls need. Further ones are
 * interrupted. While four abandoned calls have not ended, new calls are rejected.
 *
 * <p>Safe for use by any number of threads.
 */
public final class BoundedCalls {

    private static final int MOST_ABANDONED = 4;

    private final Object called;
    private final String name;
    private final Duration limit;
    private final AtomicInteger abandoned = new AtomicInteger();

    /**
     * Creates a limit for the calls to an object.
     *
     * @param called the object; its class loader is the context class loader of the calling threads
     * @param name one word that messages and thread names use for the object, such as {@code registry}
     * @param limit the time limit of each call
     * @throws IllegalArgumentException if the limit is not positive
     */
    public BoundedCalls(Object called, String name, Duration limit) {
        this.called = called;
        this.name = name;
        this.limit = limit;
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("limit must be positive, but was " + limit);
        }
    }

    /**
     * Performs a call and returns its result. Throws whatever unchecked exception the call throws.
     *
     * @param call the call
     * @param <T> the type of the result
     * @return the result of the call
     * @throws IllegalStateException if the call does not answer in time, if too many calls have not answered, if the
     *     current thread is interrupted, or if the call throws a checked exception
     */
    public <T extends @Nullable Object> T ask(Callable<T> call) {
        if (abandoned.get() >= MOST_ABANDONED) {
            throw new IllegalStateException(
                    "%s calls to the %s have not been answered yet".formatted(MOST_ABANDONED, name));
        }
        FutureTask<T> task = new FutureTask<>(call);
        DaemonThreads.start(
                "snowflake-" + name, () -> run(task), called.getClass().getClassLoader());
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            abandon(task);
            throw new IllegalStateException("the %s did not answer within %s ms".formatted(name, limit.toMillis()));
        } catch (InterruptedException e) {
            abandon(task);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the %s".formatted(name), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void run(FutureTask<?> task) {
        task.run();
        if (task.isCancelled()) {
            abandoned.decrementAndGet();
        }
    }

    /**
     * Abandons a call. The call may end at the same moment: then it cannot be cancelled any more, its thread does not
     * count it, and so this method undoes the count.
     */
    private void abandon(FutureTask<?> task) {
        boolean isFirst = abandoned.incrementAndGet() == 1;
        if (!task.cancel(!isFirst)) {
            abandoned.decrementAndGet();
        }
    }
}
