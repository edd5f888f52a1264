package io.github.snowflakeid;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The table of leases that all simulated processes share, and the failures of calls to it. */
final class SimulatedRegistry {

    /** Faults of a wrong protocol, which the simulation must detect. */
    enum Fault {
        NONE,
        /** A process considers an unconfirmed renewal done. */
        FENCE_MOVES_BEFORE_THE_COMMIT_IS_CONFIRMED,
        /** A process reserves less than it uses. */
        FENCE_BEYOND_WHAT_IS_RESERVED,
        /** A process releases its worker ID while it still issues IDs. */
        RELEASE_BEFORE_CLOSE,
        /** A process releases its worker ID without storing how far its IDs went. */
        RELEASE_FORGETS_WHAT_WAS_USED,
        /** A process starts from its clock instead of the end of the previous range. */
        RANGE_DOES_NOT_START_AT_RESERVED_UNTIL,
        /** A process acquires a worker ID that another process has acquired in between. */
        ACQUISITION_WITHOUT_CONDITION,
        /** The condition is checked first, and the entry is written a little later. */
        ACQUISITION_NOT_ATOMIC,
        /** A process renews a lease that another process has taken over. */
        RENEWAL_WITHOUT_OWNER_CHECK,
        /** A process releases a worker ID that another process has taken over. */
        RELEASE_WITHOUT_CONDITION,
        /** The registry loses entries without raising its floor. */
        FORGETS_WITHOUT_A_FLOOR
    }

    /** Where unexpected exceptions are thrown. */
    enum Errors {
        NONE,
        OF_THE_REGISTRY,
        OF_ITS_NAMESPACE,
        OF_THE_LISTENER,
        OF_STARTED_THREADS,
        OF_THE_LEASE_ITSELF
    }

    private final Simulation simulation;
    private final Ledger ledger;
    private final Fault fault;
    private final Errors errors;

    /** The probability that a call fails. */
    private final double failures;

    /** The longest duration of a call. */
    private final long longestStall;

    /** How far ahead of real time processes may reserve, if this registry may lose entries; otherwise null. */
    private final @Nullable Duration furthest;

    private final Map<Integer, WorkerRegistry.Entry> entries = new TreeMap<>();

    /** The entries at an earlier time, like a backup. */
    private Map<Integer, WorkerRegistry.Entry> saved = Map.of();

    /** When the saved entries are restored. */
    private Instant restoredAt = Instant.MAX;

    /** The earliest start of new claims; null if the registry has lost it. */
    private @Nullable Instant floor = Instant.EPOCH;

    private final List<LateWrite> late = new ArrayList<>();
    private final Map<String, Instant> unconfirmed = new HashMap<>();
    private final Map<Renewal, Simulation.Process> renewals = new HashMap<>();
    /** The owners that have released their worker ID, although an earlier state may have been restored since. */
    private final Set<String> released = new HashSet<>();

    private boolean undecided;
    private Instant downUntil = Instant.MIN;
    private boolean isSilent;

    SimulatedRegistry(Simulation simulation, Ledger ledger, Fault fault, Errors errors, @Nullable Duration furthest) {
        this.furthest = furthest;
        this.simulation = simulation;
        this.ledger = ledger;
        this.fault = fault;
        this.errors = errors;
        failures = simulation.oneOf(0, 2, 5, 10) / 100.0;
        longestStall = simulation.oneOf(10, 1000, 3000) * 1_000_000L;
    }

    /** Makes a backup, or restores it, or loses all entries. */
    void forget() {
        if (simulation.random.nextBoolean()) {
            saved = Map.copyOf(entries);
        } else {
            forgetAll(simulation.random.nextBoolean());
        }
    }

    /**
     * Loses all writes until some time from now, like a failover to a server that gets no further writes from now on.
     */
    void forgetWritesOf(Duration duration) {
        saved = Map.copyOf(entries);
        restoredAt = simulation.now().plus(duration);
    }

    private void forgetAll(boolean restores) {
        entries.clear();
        if (restores) {
            entries.putAll(saved);
        }
        floor = fault == Fault.FORGETS_WITHOUT_A_FLOOR ? floor : null;
        restoredAt = Instant.MAX;
    }

    /**
     * Returns how long ID generation may stop after entries were lost, even if all worker IDs are leased to killed
     * processes.
     */
    Duration longestPostponement(Duration ttl) {
        if (furthest == null) {
            return Duration.ZERO;
        }
        Instant free = simulation.now();
        for (WorkerRegistry.Entry entry : entries.values()) {
            Instant unavailableUntil = entry.unavailableUntil(ttl);
            free = unavailableUntil.isAfter(free) ? unavailableUntil : free;
        }
        return furthest.plusSeconds(10).plus(Duration.between(simulation.now(), free));
    }

    private Instant furthest() {
        return furthest == null ? Instant.MAX : simulation.now().plus(furthest);
    }

    /** Returns the floor, a little later than necessary, because a claim is written a little after this is read. */
    private Instant floor() {
        Instant known = floor;
        return known == null ? furthest().plusSeconds(5).truncatedTo(ChronoUnit.MILLIS) : known;
    }

    /** Rejects a reservation that ends so far ahead that it might lie above a later floor. */
    private boolean isAbove(WorkerRegistry.Claim claim) {
        if (claim.reservedFrom().isBefore(floor == null ? furthest() : floor)) {
            return false;
        }
        rejectTooFar(claim.reservedFrom(), claim.reservedUntil());
        floor = floor == null ? claim.reservedFrom() : floor;
        return true;
    }

    private void rejectTooFar(Instant from, Instant until) {
        if (until.isAfter(from) && until.isAfter(furthest())) {
            throw new IllegalStateException("the clock of this machine is ahead");
        }
    }

    /**
     * Returns whether another process may have taken over the entry, or have acquired it anew at a floor, in a write
     * that was lost.
     */
    private boolean isRevived(WorkerRegistry.Entry entry, Duration ttl) {
        if (furthest == null) {
            return false;
        }
        Duration toFloor = furthest.minus(ttl);
        Duration late = toFloor.compareTo(ttl) < 0 ? toFloor : ttl;
        return !entry.expiresAt().plus(late).isAfter(simulation.now());
    }

    /** Makes this registry unavailable for a while. */
    void goDown(Duration duration) {
        downUntil = simulation.now().plus(duration);
    }

    /** Makes this registry available for good. Writes whose callers have given up take effect now or never. */
    void calmDown() {
        downUntil = Instant.MIN;
        restoredAt = Instant.MAX;
        while (!late.isEmpty()) {
            Runnable write = late.remove(simulation.random.nextInt(late.size())).write;
            if (simulation.random.nextBoolean()) {
                write.run();
            }
        }
    }

    /** Lets calls take an hour from now on. */
    void silence() {
        isSilent = true;
    }

    List<WorkerRegistry.Entry> entries() {
        return List.copyOf(entries.values());
    }

    /**
     * Returns whether a process and a copy of it have asked for the same ticks. If both get no answer, each considers
     * the entry in the table its own write. This is a limit of the protocol, which distinguishes copies by the ticks
     * that they reserve.
     */
    boolean isUndecided() {
        return undecided;
    }

    private record Renewal(String owner, Instant reservedUntil) {}

    private record LateWrite(Instant due, Runnable write) {

        /** Creates a write whose caller does not learn whether it is rejected. */
        @SuppressWarnings("EmptyCatch")
        static LateWrite of(Instant due, Runnable write) {
            return new LateWrite(due, () -> {
                try {
                    write.run();
                } catch (IllegalStateException e) {
                    // Rejected, and the caller has given up.
                }
            });
        }
    }

    /** Performs what is due: the loss of writes, and writes whose callers have given up. */
    void writeLate() {
        if (!restoredAt.isAfter(simulation.now())) {
            forgetAll(true);
        }
        for (int i = late.size() - 1; i >= 0; i--) {
            if (!late.get(i).due.isAfter(simulation.now())) {
                late.remove(i).write.run();
            }
        }
    }

    /**
     * Releases an entry by hand and keeps its {@code reservedUntil}, which an operator may do without endangering IDs.
     */
    void freeAny() {
        List<WorkerRegistry.Entry> all = new ArrayList<>(entries.values());
        if (!all.isEmpty()) {
            WorkerRegistry.Entry entry = all.get(simulation.random.nextInt(all.size()));
            ledger.happened("freed by", "an operator", entry.datacenterId(), entry.workerId());
            put(freed(entry, entry.reservedUntil()));
        }
    }

    /** Releases a worker ID like a process that closes its generator only afterwards. */
    void releaseAsIs(Object who, int datacenterId, int workerId, Instant used) {
        WorkerRegistry.@Nullable Entry entry = entries.get(key(datacenterId, workerId));
        if (entry != null) {
            put(freed(entry, used));
            if (floor == null || used.isBefore(floor)) {
                // An old claim was restored. Other processes may have used more ticks, all of them below the floor.
                ledger.happened("released below the floor by", who, datacenterId, workerId);
            } else {
                ledger.released(who, datacenterId, workerId, used);
            }
        }
    }

    private WorkerRegistry.Entry freed(WorkerRegistry.Entry entry, Instant used) {
        return WorkerRegistry.Entry.of(
                entry.datacenterId(), entry.workerId(), null, null, used, simulation.now(), entry.layout());
    }

    private void put(WorkerRegistry.Entry entry) {
        entries.put(key(entry.datacenterId(), entry.workerId()), entry);
    }

    private static int key(int datacenterId, int workerId) {
        return (datacenterId << 16) | workerId;
    }

    /** Occasionally throws an unexpected exception. */
    void mayThrow(Errors where, double probability) {
        if (errors == where && simulation.mishap(probability)) {
            throw SimulatedRegistry.<RuntimeException>unchecked(anything());
        }
    }

    private Throwable anything() {
        return switch (simulation.random.nextInt(6)) {
            case 0 -> new OutOfMemoryError("simulated");
            case 1 -> new StackOverflowError("simulated");
            case 2 -> new NoClassDefFoundError("simulated");
            case 3 -> new AssertionError("simulated");
            case 4 -> new IOException("simulated, and not declared");
            default -> new IllegalStateException("simulated");
        };
    }

    /** Throws an exception that is not declared. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable any) throws T {
        throw (T) any;
    }

    /** The connection of one generator, or of a copy of it, to the registry. */
    final class Connection implements WorkerRegistry, Ledger.Maker {

        private final Simulation.Process process;
        private final String name;

        /** The ranges from which the process may issue IDs. */
        private final Set<Ledger.Origin> origins = new HashSet<>();

        /** The writes that the process knows to be committed. */
        private @Nullable Claim confirmed;

        Connection(Simulation.Process process, String name) {
            this.process = process;
            this.name = name;
        }

        @Override
        public boolean mayUse(Ledger.Origin origin) {
            return origins.contains(origin);
        }

        /** Returns the confirmed claim, which a copy of the process would have in memory. */
        @Nullable
        Claim confirmed() {
            return confirmed;
        }

        @Override
        public String toString() {
            return name;
        }

        @Override
        public String namespace() {
            mayThrow(Errors.OF_ITS_NAMESPACE, 0.1);
            return "simulated";
        }

        @Override
        public Snapshot read() {
            beforeTheStatement();
            Snapshot snapshot = Snapshot.of(
                            simulation.now(),
                            entries.values().stream().map(this::asRead).toList())
                    .withFloor(floor());
            afterTheStatement();
            return snapshot;
        }

        private Entry asRead(Entry entry) {
            return fault == Fault.RANGE_DOES_NOT_START_AT_RESERVED_UNTIL
                    ? Entry.of(
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
            boolean acquired = write(claim, late -> {
                boolean same = same(seen, entries.get(key(claim.datacenterId(), claim.workerId())));
                if (fault == Fault.ACQUISITION_NOT_ATOMIC && !late) {
                    process.stall(0.9, 3_000_000_000L);
                }
                if (!same && fault != Fault.ACQUISITION_WITHOUT_CONDITION || furthest != null && !isAbove(claim)) {
                    return false;
                }
                put(claim, ttl, late ? "acquired late by" : "acquired by");
                return true;
            });
            if (acquired) {
                confirmed = claim;
            }
            return acquired;
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
            Instant last = unconfirmed.getOrDefault(held.owner(), held.reservedUntil());
            confirmed = held;
            undecided |= renewals.computeIfAbsent(new Renewal(held.owner(), reservedUntil), key -> process) != process;
            try {
                boolean renewed = write(held, late -> {
                    if (!isHeld(held.until(last), checkOwner, checkOwner)
                            || isRevived(entries.get(key(held.datacenterId(), held.workerId())), ttl)) {
                        return false;
                    }
                    rejectTooFar(last, reservedUntil);
                    put(held.until(reservedUntil), ttl, late ? "renewed late by" : "renewed by");
                    return true;
                });
                unconfirmed.remove(held.owner());
                if (renewed) {
                    confirmed = held.until(reservedUntil);
                }
                return renewed;
            } catch (IllegalStateException e) {
                if (fault == Fault.FENCE_MOVES_BEFORE_THE_COMMIT_IS_CONFIRMED) {
                    unconfirmed.put(held.owner(), last);
                    return true;
                }
                throw e;
            }
        }

        @Override
        public boolean release(Claim held, Instant reservedUntil) {
            return write(held, late -> {
                boolean check = fault != Fault.RELEASE_WITHOUT_CONDITION;
                if (!isHeld(held, check, check)) {
                    return false;
                }
                released.add(held.owner());
                releaseAsIs(
                        this,
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

        private void put(Claim claim, Duration ttl, String how) {
            Instant end = fault == Fault.FENCE_BEYOND_WHAT_IS_RESERVED ? simulation.now() : claim.reservedUntil();
            @Nullable Entry before = entries.get(key(claim.datacenterId(), claim.workerId()));
            SimulatedRegistry.this.put(Entry.of(
                    claim.datacenterId(),
                    claim.workerId(),
                    claim.owner(),
                    claim.ownerInfo(),
                    end,
                    simulation.now().plus(ttl),
                    claim.layout()));
            Ledger.Origin origin = new Ledger.Origin(process, claim.owner());
            origins.add(origin);
            if (released.contains(claim.owner())) {
                // An earlier state was restored, and then an earlier write took effect. The process issues no IDs of
                // this lease any more.
                ledger.happened(how + " (released before)", this, claim.datacenterId(), claim.workerId());
                return;
            }
            ledger.reserved(
                    this,
                    origin,
                    claim.datacenterId(),
                    claim.workerId(),
                    before == null || before.reservedUntil().isBefore(claim.reservedFrom())
                            ? claim.reservedFrom()
                            : before.reservedUntil(),
                    end,
                    how);
        }

        private boolean write(Claim claim, Predicate<Boolean> statement) {
            beforeTheStatement();
            if (simulation.mishap(failures)) {
                ledger.happened("not answered", this, claim.datacenterId(), claim.workerId());
                late.add(LateWrite.of(
                        simulation.now().plusNanos(simulation.anyNanos(20_000_000_000L)), () -> statement.test(true)));
                throw new IllegalStateException("time-out; the write comes later, or never");
            }
            boolean written = statement.test(false);
            if (!written) {
                ledger.happened("rejected for", this, claim.datacenterId(), claim.workerId());
            }
            afterTheStatement();
            return written;
        }

        private void beforeTheStatement() {
            takeTime();
            if (simulation.now().isBefore(downUntil) || simulation.mishap(failures / 2)) {
                throw new IllegalStateException("connection refused");
            }
            mayThrow(Errors.OF_THE_REGISTRY, 0.05);
        }

        private void afterTheStatement() {
            takeTime();
            if (simulation.mishap(failures / 2)) {
                throw new IllegalStateException("connection lost before the answer");
            }
            mayThrow(Errors.OF_THE_REGISTRY, 0.05);
        }

        private void takeTime() {
            process.stall(0.3, longestStall);
            long began = simulation.nanos();
            long takes = isSilent ? 3_600_000_000_000L : 500_000;
            // A thread that is woken up early continues to wait for the answer.
            while (simulation.nanos() - began < takes) {
                process.sleep(takes - (simulation.nanos() - began));
            }
        }
    }
}
