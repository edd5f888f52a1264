package io.github.snowflakeid.worker;

import io.github.snowflakeid.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A registry for tests that runs a hook before and after each call. Exceptions of the hook are thrown by the call. */
public final class HookedRegistry implements WorkerRegistry {

    /** A call of the registry: its name, and the worker ID that it concerns, or -1. */
    public record Call(String name, int workerId, boolean isAfter) {}

    /** Runs before and after each call. It may throw anything. */
    @FunctionalInterface
    public interface Hook {
        /** Called before a call and after it. */
        void on(Call call) throws Throwable;
    }

    private final WorkerRegistry target;
    private volatile Hook hook = call -> {};

    public HookedRegistry(WorkerRegistry target) {
        this.target = target;
    }

    public void hook(Hook next) {
        hook = next;
    }

    /** Throws the same exception, even if it is checked and not declared. */
    @SuppressWarnings("unchecked")
    public static <T extends Throwable> RuntimeException sneakily(Throwable any) throws T {
        throw (T) any;
    }

    private void around(String name, int workerId, boolean isAfter) {
        try {
            hook.on(new Call(name, workerId, isAfter));
        } catch (Throwable e) {
            throw HookedRegistry.<RuntimeException>sneakily(e);
        }
    }

    @Override
    public String namespace() {
        around("namespace", -1, false);
        return target.namespace();
    }

    @Override
    public void connect() {
        around("connect", -1, false);
        target.connect();
    }

    @Override
    public Snapshot read() {
        around("read", -1, false);
        Snapshot seen = target.read();
        around("read", -1, true);
        return seen;
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        around("acquire", claim.workerId(), false);
        boolean written = target.acquire(seen, claim, ttl);
        around("acquire", claim.workerId(), true);
        return written;
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        around("renew", held.workerId(), false);
        boolean written = target.renew(held, reservedUntil, ttl);
        around("renew", held.workerId(), true);
        return written;
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        around("release", held.workerId(), false);
        boolean written = target.release(held, reservedUntil);
        around("release", held.workerId(), true);
        return written;
    }
}
