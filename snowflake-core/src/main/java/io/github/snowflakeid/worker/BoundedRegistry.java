package io.github.snowflakeid.worker;

import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.BoundedCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A registry that limits how long calls to another registry may take. A call that is not answered in time throws,
 * although its effect may still happen later. Use it for stores whose clients may wait longer than a lease lasts, or
 * without a limit.
 *
 * <p>Each call runs in a thread that is started for it, because a call that timed out may occupy its thread for a long
 * time. The first call that times out keeps running, because it may be opening a connection that other calls need;
 * further ones are interrupted. While four calls that timed out are still running, new calls fail at once.
 *
 * <p>It does not close the other registry. Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class BoundedRegistry implements WorkerRegistry {

    private final WorkerRegistry registry;
    private final BoundedCalls calls;

    /**
     * Limits the calls of a registry.
     *
     * @param registry the registry to call
     * @param limit the longest time that a call may take; less than a third of the ttl, so that a renewal can be
     *     retried
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

    /** Has the time limit of the registry itself. */
    @Override
    public void connect() {
        registry.connect();
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
}
