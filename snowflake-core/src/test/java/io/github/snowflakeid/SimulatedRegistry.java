package io.github.snowflakeid;

import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The table of leases that all simulated processes share, and what can happen on the way to it. */
final class SimulatedRegistry {

    /** What a wrong protocol would do. */
    enum Fault {
        NONE,
        /** A process takes a renewal for done that is not confirmed. */
        FENCE_MOVES_BEFORE_THE_COMMIT_IS_CONFIRMED,
        /** A process reserves less than it uses. */
        FENCE_BEYOND_WHAT_IS_RESERVED,
        /** A process frees its worker id while it still makes ids. */
        RELEASE_BEFORE_CLOSE,
        /** A process frees its worker id without saying how far its ids went. */
        RELEASE_FORGETS_WHAT_WAS_USED,
        /** A process starts from its clock, not from where the last one ended. */
        RANGE_DOES_NOT_START_AT_RESERVED_UNTIL,
        /** A process takes what another one has taken meanwhile. */
        ACQUISITION_WITHOUT_CONDITION,
        /** The condition is looked at first, and the entry written a little later. */
        ACQUISITION_NOT_ATOMIC,
        /** A process renews what another one has taken over. */
        RENEWAL_WITHOUT_OWNER_CHECK,
        /** A process frees what another one has taken over. */
        RELEASE_WITHOUT_CONDITION
    }

    private final Simulation simulation;
    private final Fault fault;
    private final Map<Integer, WorkerRegistry.Entry> entries = new TreeMap<>();
    private final List<LateWrite> late = new ArrayList<>();
    private final Map<String, Instant> unconfirmed = new HashMap<>();
    private Instant downUntil = Instant.MIN;
    private long writes;

    SimulatedRegistry(Simulation simulation, Fault fault) {
        this.simulation = simulation;
        this.fault = fault;
    }

    long writes() {
        return writes;
    }

    /** Nobody reaches it for a while. */
    void goDown(Duration duration) {
        downUntil = simulation.now().plus(duration);
    }

    private record LateWrite(Instant due, Runnable write) {}

    /** Lets the writes happen that are due, and were given up by who asked for them. */
    void writeLate() {
        for (int i = late.size() - 1; i >= 0; i--) {
            if (!late.get(i).due.isAfter(simulation.now())) {
                late.remove(i).write.run();
            }
        }
    }

    /** What an operator may do without endangering ids: frees an entry, keeping how far its ids went. */
    void freeAny() {
        List<WorkerRegistry.Entry> all = new ArrayList<>(entries.values());
        if (!all.isEmpty()) {
            WorkerRegistry.Entry entry = all.get(simulation.random.nextInt(all.size()));
            put(new WorkerRegistry.Entry(
                    entry.datacenterId(),
                    entry.workerId(),
                    null,
                    null,
                    entry.reservedUntil(),
                    simulation.now(),
                    entry.layout()));
        }
    }

    /** As a process that frees its worker id first and closes its generator then. */
    void releaseAsIs(int datacenterId, int workerId, Instant used) {
        WorkerRegistry.@Nullable Entry entry = entries.get(key(datacenterId, workerId));
        if (entry != null) {
            put(new WorkerRegistry.Entry(datacenterId, workerId, null, null, used, simulation.now(), entry.layout()));
        }
    }

    private void put(WorkerRegistry.Entry entry) {
        entries.put(key(entry.datacenterId(), entry.workerId()), entry);
    }

    private static int key(int datacenterId, int workerId) {
        return (datacenterId << 16) | workerId;
    }

    /** The registry as one process reaches it. */
    final class Connection implements WorkerRegistry {

        private final Simulation.Process process;

        Connection(Simulation.Process process) {
            this.process = process;
        }

        @Override
        public String namespace() {
            return "simulated";
        }

        @Override
        public Snapshot read() {
            beforeTheStatement();
            Snapshot snapshot = new Snapshot(
                    simulation.now(),
                    entries.values().stream().map(this::asRead).toList());
            afterTheStatement();
            return snapshot;
        }

        private Entry asRead(Entry entry) {
            return fault == Fault.RANGE_DOES_NOT_START_AT_RESERVED_UNTIL
                    ? new Entry(
                            entry.datacenterId(),
                            entry.workerId(),
                            entry.owner(),
                            entry.ownerInfo(),
                            Instant.EPOCH,
                            entry.expiresAt(),
                            entry.layout())
                    : entry;
        }

        @Override
        public boolean acquire(@Nullable Entry seen, Claim claim, Duration ttl) {
            return write(late -> {
                boolean same = same(seen, entries.get(key(claim.datacenterId(), claim.workerId())));
                if (fault == Fault.ACQUISITION_NOT_ATOMIC && !late) {
                    process.stall(0.9, 3_000_000_000L);
                }
                if (!same && fault != Fault.ACQUISITION_WITHOUT_CONDITION) {
                    return false;
                }
                put(claim, ttl);
                return true;
            });
        }

        private boolean same(@Nullable Entry seen, @Nullable Entry is) {
            return seen == null || is == null
                    ? seen == is
                    : Objects.equals(seen.owner(), is.owner())
                            && (fault == Fault.RANGE_DOES_NOT_START_AT_RESERVED_UNTIL
                                    || seen.reservedUntil().equals(is.reservedUntil()));
        }

        @Override
        public boolean renew(Claim held, Instant reservedUntil, Duration ttl) {
            boolean checkOwner = fault != Fault.RENEWAL_WITHOUT_OWNER_CHECK;
            Instant confirmed = unconfirmed.getOrDefault(held.owner(), held.reservedUntil());
            try {
                boolean renewed = write(late -> {
                    if (!isHeld(held.until(confirmed), checkOwner, checkOwner)) {
                        return false;
                    }
                    put(held.until(reservedUntil), ttl);
                    return true;
                });
                unconfirmed.remove(held.owner());
                return renewed;
            } catch (IllegalStateException unknown) {
                if (fault == Fault.FENCE_MOVES_BEFORE_THE_COMMIT_IS_CONFIRMED) {
                    unconfirmed.put(held.owner(), confirmed);
                    return true;
                }
                throw unknown;
            }
        }

        @Override
        public boolean release(Claim held, Instant reservedUntil) {
            return write(late -> {
                boolean check = fault != Fault.RELEASE_WITHOUT_CONDITION;
                if (!isHeld(held, check, check)) {
                    return false;
                }
                releaseAsIs(
                        held.datacenterId(),
                        held.workerId(),
                        fault == Fault.RELEASE_FORGETS_WHAT_WAS_USED ? Instant.EPOCH : reservedUntil);
                return true;
            });
        }

        private boolean isHeld(Claim held, boolean checkOwner, boolean checkReservedUntil) {
            @Nullable Entry entry = entries.get(key(held.datacenterId(), held.workerId()));
            return entry != null
                    && (!checkOwner || held.owner().equals(entry.owner()))
                    && (!checkReservedUntil || held.reservedUntil().equals(entry.reservedUntil()));
        }

        private void put(Claim claim, Duration ttl) {
            Instant end = fault == Fault.FENCE_BEYOND_WHAT_IS_RESERVED ? simulation.now() : claim.reservedUntil();
            SimulatedRegistry.this.put(new Entry(
                    claim.datacenterId(),
                    claim.workerId(),
                    claim.owner(),
                    claim.ownerInfo(),
                    end,
                    simulation.now().plus(ttl),
                    claim.layout()));
        }

        private boolean write(Predicate<Boolean> statement) {
            beforeTheStatement();
            writes++;
            if (simulation.mishap(0.1)) {
                late.add(new LateWrite(
                        simulation.now().plusNanos(simulation.anyNanos(20_000_000_000L)), () -> statement.test(true)));
                throw new IllegalStateException("time-out; the write comes later, or never");
            }
            boolean written = statement.test(false);
            afterTheStatement();
            return written;
        }

        private void beforeTheStatement() {
            process.stall(0.3, 3_000_000_000L);
            process.sleep(500_000);
            if (simulation.now().isBefore(downUntil) || simulation.mishap(0.05)) {
                throw new IllegalStateException("connection refused");
            }
        }

        private void afterTheStatement() {
            process.stall(0.3, 3_000_000_000L);
            process.sleep(500_000);
            if (simulation.mishap(0.05)) {
                throw new IllegalStateException("connection lost before the answer");
            }
        }
    }
}
