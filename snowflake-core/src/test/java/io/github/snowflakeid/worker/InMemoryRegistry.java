package io.github.snowflakeid.worker;

import io.github.snowflakeid.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A registry for tests. It keeps the contract, but only within one process. */
public final class InMemoryRegistry implements WorkerRegistry {

    private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
    private final String namespace;
    private final Supplier<Instant> clock;
    private volatile @Nullable RuntimeException outage;
    private volatile Instant floor = Instant.EPOCH;

    public InMemoryRegistry(Supplier<Instant> clock) {
        this("orders", clock);
    }

    public InMemoryRegistry(String namespace, Supplier<Instant> clock) {
        this.namespace = namespace;
        this.clock = clock;
    }

    /** Lets every call fail from now on; null ends that. */
    public void failWith(@Nullable RuntimeException failure) {
        outage = failure;
    }

    /** Forgets all entries, and reports where the IDs of new claims begin. */
    public void forgetUpTo(Instant end) {
        entries.clear();
        floor = end;
    }

    /** Lowers the floor, like a registry that knows by now how little it can have forgotten. */
    public void lowerFloor(Instant end) {
        floor = end;
    }

    /** Simulates an operator. */
    public void put(Entry entry) {
        entries.put(key(entry.datacenterId(), entry.workerId()), entry);
    }

    /** Simulates an operator. */
    public void clear() {
        entries.clear();
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public Snapshot read() {
        failIfDown();
        return Snapshot.of(clock.get(), java.util.List.copyOf(entries.values())).withFloor(floor);
    }

    @Override
    public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
        failIfDown();
        Entry next = entryOf(claim, ttl);
        Entry before = entries.compute(
                key(claim.datacenterId(), claim.workerId()), (key, is) -> Entry.matches(seen, is) ? next : is);
        return before == next;
    }

    @Override
    public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
        failIfDown();
        return replace(held, entryOf(held.until(reservedUntil), ttl));
    }

    @Override
    public boolean release(Claim held, Instant reservedUntil) {
        failIfDown();
        return replace(
                held,
                Entry.of(
                        held.datacenterId(),
                        held.workerId(),
                        null,
                        held.ownerInfo(),
                        reservedUntil,
                        clock.get(),
                        held.layout()));
    }

    private boolean replace(Claim held, Entry next) {
        return entries.computeIfPresent(
                        key(held.datacenterId(), held.workerId()),
                        (key, is) -> held.owner().equals(is.owner())
                                        && held.reservedUntil().equals(is.reservedUntil())
                                ? next
                                : is)
                == next;
    }

    private Entry entryOf(Claim claim, Duration ttl) {
        return Entry.of(
                claim.datacenterId(),
                claim.workerId(),
                claim.owner(),
                claim.ownerInfo(),
                claim.reservedUntil(),
                clock.get().plus(ttl),
                claim.layout());
    }

    private void failIfDown() {
        RuntimeException failure = outage;
        if (failure != null) {
            throw failure;
        }
    }

    private static long key(int datacenterId, int workerId) {
        return ((long) datacenterId << 32) | workerId;
    }
}
