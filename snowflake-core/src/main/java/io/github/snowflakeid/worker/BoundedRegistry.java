package io.github.snowflakeid.worker;

import io.github.snowflakeid.internal.BoundedCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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
 *
 * @since 0.1.0
 */
public final class BoundedRegistry implements WorkerRegistry, AutoCloseable {

    private final WorkerRegistry registry;
    private final BoundedCalls calls;

    /**
     * Limits a registry.
     *
     * @param registry what is asked
     * @param limit for each call; less than a third of the ttl, so that another renewal can follow
     * @throws IllegalArgumentException if the limit is not positive
     */
    public BoundedRegistry(WorkerRegistry registry, Duration limit) {
        this.registry = Objects.requireNonNull(registry, "registry");
        calls = new BoundedCalls(registry, "registry", limit);
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
        return calls.ask(registry::read);
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        return calls.ask(() -> registry.acquire(seen, claim, ttl));
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        return calls.ask(() -> registry.renew(held, reservedUntil, ttl));
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        return calls.ask(() -> registry.release(held, reservedUntil));
    }

    /** Closes the registry, if it can be closed. */
    @Override
    public void close() {
        calls.close();
    }
}
