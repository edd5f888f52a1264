package io.github.snowflakeid.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A registry whose calls are given up when they have no answer in time: they throw, and may still be done later. For stores
 * whose clients may wait for longer than a lease lasts, or for ever.
 *
 * <p>Each call has a thread of its own, since one that is given up may hold its thread for long. The first such call is left alone, as
 * it may be opening a connection that others need; further ones are interrupted. While four of them have not ended, no other
 * call is begun.
 *
 * <p>Safe for use by any number of threads.
 */
public final class BoundedRegistry implements WorkerRegistry, AutoCloseable {

    private static final int MOST_GIVEN_UP = 4;

    private final WorkerRegistry registry;
    private final Duration limit;
    private final AtomicInteger givenUp = new AtomicInteger();

    /**
     * Limits a registry.
     *
     * @param registry what is asked
     * @param limit for each call; less than a third of the ttl, so that another renewal can follow
     * @throws IllegalArgumentException if the limit is not positive
     */
    public BoundedRegistry(WorkerRegistry registry, Duration limit) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.limit = limit;
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("limit must be positive, but was " + limit);
        }
    }

    @Override
    public String namespace() {
        return registry.namespace();
    }

    @Override
    public String kind() {
        return registry.kind();
    }

    @Override
    public Snapshot read() {
        return ask(registry::read);
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return ask(() -> registry.acquire(seen, claim, ttl));
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return ask(() -> registry.renew(held, reservedUntil, ttl));
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return ask(() -> registry.release(held, reservedUntil));
    }

    private <T> T ask(Callable<T> call) {
        if (givenUp.get() >= MOST_GIVEN_UP) {
            throw new IllegalStateException(
                    "%d calls to the registry are still without an answer".formatted(MOST_GIVEN_UP));
        }
        FutureTask<T> task = new FutureTask<>(call);
        Call thread = new Call(task);
        thread.start();
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            thread.giveUp();
            throw new IllegalStateException(
                    "the registry did not answer within %d ms".formatted(limit.toMillis()), late);
        } catch (InterruptedException interrupted) {
            thread.giveUp();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the registry was asked", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    /** One call. Its end and its being given up race; the first of the two counts. */
    private final class Call extends Thread {

        private final FutureTask<?> task;
        private final AtomicBoolean decided = new AtomicBoolean();

        Call(FutureTask<?> task) {
            super("snowflake-registry");
            this.task = task;
            setDaemon(true);
            setContextClassLoader(registry.getClass().getClassLoader());
        }

        @Override
        public void run() {
            task.run();
            if (!decided.compareAndSet(false, true)) {
                givenUp.decrementAndGet();
            }
        }

        void giveUp() {
            int hanging = givenUp.incrementAndGet();
            if (!decided.compareAndSet(false, true)) {
                givenUp.decrementAndGet();
            } else if (hanging > 1) {
                interrupt();
            }
        }
    }

    /** Closes the registry, if it can be closed. */
    @Override
    public void close() {
        if (registry instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (RuntimeException failed) {
                throw failed;
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
