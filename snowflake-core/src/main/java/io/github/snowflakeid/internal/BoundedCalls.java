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
 * Calls that are given up when they have no answer in time: they throw, and may still be done later.
 *
 * <p>Each call has a thread of its own, since one that is given up may hold its thread for long. The first such call is left alone, as
 * it may be opening a connection that others need; further ones are interrupted. While four of them have not ended, no other
 * call is begun.
 *
 * <p>Safe for use by any number of threads.
 */
public final class BoundedCalls {

    private static final int MOST_GIVEN_UP = 4;

    private final Object called;
    private final String name;
    private final Duration limit;
    private final AtomicInteger givenUp = new AtomicInteger();

    /**
     * Limits calls.
     *
     * @param called what is called
     * @param name what messages call that: one word
     * @param limit for each call
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
     * Calls.
     *
     * @param call what is done
     * @param <T> what it has in the end
     * @return that
     * @throws IllegalStateException if there is no answer in time, or the caller is interrupted; else what the call throws
     */
    public <T extends @Nullable Object> T ask(Callable<T> call) {
        if (givenUp.get() >= MOST_GIVEN_UP) {
            throw new IllegalStateException(
                    "%d calls to the %s are still without an answer".formatted(MOST_GIVEN_UP, name));
        }
        FutureTask<T> task = new FutureTask<>(call);
        DaemonThreads.start(
                "snowflake-" + name, () -> run(task), called.getClass().getClassLoader());
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            giveUp(task);
            throw new IllegalStateException("the %s did not answer within %d ms".formatted(name, limit.toMillis()));
        } catch (InterruptedException e) {
            giveUp(task);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the %s was asked".formatted(name), e);
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

    /** Closes what is called, if it can be closed. */
    public void close() {
        if (called instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void run(FutureTask<?> task) {
        task.run();
        if (task.isCancelled()) {
            givenUp.decrementAndGet();
        }
    }

    /** The end of a call and its being given up race: a call that has ended cannot be cancelled. */
    private void giveUp(FutureTask<?> task) {
        boolean isFirst = givenUp.incrementAndGet() == 1;
        if (!task.cancel(!isFirst)) {
            givenUp.decrementAndGet();
        }
    }
}
