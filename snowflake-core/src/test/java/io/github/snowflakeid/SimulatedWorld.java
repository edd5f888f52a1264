package io.github.snowflakeid;

import io.github.snowflakeid.SimulatedRegistry.Connection;
import io.github.snowflakeid.SimulatedRegistry.Errors;
import io.github.snowflakeid.SimulatedRegistry.Fault;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one seed. First, all kinds of failures occur. Then there are no more failures, and each generator
 * that can issue IDs must do so again. Finally, all generators are closed.
 */
final class SimulatedWorld {

    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;

    private enum Phase {
        TROUBLED,
        SETTLING,
        STEADY,
        CLOSING
    }

    private enum Mishap {
        KILL,
        PAUSE,
        STEP_OF_THE_CLOCK,
        CLOCK_YEARS_AHEAD,
        CLOCK_SET,
        OUTAGE,
        FREED_BY_AN_OPERATOR,
        COPY,
        FORGOTTEN
    }

    private final long seed;
    private final Fault fault;
    private final Errors errors;
    private final Simulation simulation;
    private final Ledger ledger;
    private final SimulatedRegistry registry;
    private final IdLayout layout;
    private final int workers;
    private final Duration ttl;
    private final Duration acquireTimeout;
    private final int skew;
    private final long longestDriftMillis;
    private final double mishaps;
    private final int[] weights = new int[Mishap.values().length];
    private final int mostIds;
    private final boolean closesAllTheTime;
    private final long longestLife;
    private final long longestRest;

    /** Whether some generators lease worker IDs of a fixed datacenter ID. */
    private final boolean choosesDatacenters;

    private final List<Machine> machines = new ArrayList<>();
    private final Map<WorkerLease.State, Long> states = new EnumMap<>(WorkerLease.State.class);
    private Phase phase = Phase.TROUBLED;
    private long phaseEnds;
    private long steadySince;

    SimulatedWorld(long seed, Fault fault, Errors errors) {
        this.seed = seed;
        this.fault = fault;
        this.errors = errors;
        simulation = new Simulation(seed);
        closesAllTheTime = simulation.oneOf(0, 0, 1) == 1;
        if (closesAllTheTime) {
            simulation.switchOnceIn(simulation.oneOf(3, 6), 0.2, simulation.oneOf(2, 200) * MILLISECOND);
        }
        int tick = closesAllTheTime ? 1 : simulation.oneOf(1, 1, 10, 1000);
        layout = IdLayout.builder()
                .tick(Duration.ofMillis(tick))
                .timestampBits(40)
                .datacenterBits(1)
                .workerBits(closesAllTheTime ? 0 : simulation.oneOf(0, 1, 1, 2))
                .sequenceBits(
                        closesAllTheTime
                                ? simulation.oneOf(2, 5)
                                : tick == 1 ? simulation.oneOf(2, 5, 6, 12) : simulation.oneOf(4, 9, 12))
                .build();
        ledger = new Ledger(simulation, layout);
        workers = 2 << layout.workerBits();
        // In most worlds, some generators wait for a worker ID.
        int count = Math.max(2, workers + simulation.oneOf(-1, 0, 1, 3));
        ttl = Duration.ofSeconds(closesAllTheTime ? 1 : simulation.oneOf(1, 1, 3, 10));
        acquireTimeout = Duration.ofSeconds(simulation.oneOf(1, 10));
        skew = simulation.oneOf(0, 1_000, 20_000);
        boolean mayForget = simulation.oneOf(0, 0, 1) == 1;
        // With other faults, lost entries would stop the generators before the fault has an effect.
        boolean forgets = fault == Fault.FORGETS_WITHOUT_A_FLOOR || fault == Fault.NONE && mayForget;
        longestDriftMillis = forgets ? ttl.toMillis() : (closesAllTheTime ? 1000 : 3) * ttl.toMillis();
        Duration furthest = ttl.plusMillis(skew + longestDriftMillis + 2L * tick + 1_000);
        registry = new SimulatedRegistry(simulation, ledger, fault, errors, forgets ? furthest : null);
        mishaps = closesAllTheTime ? 0.0002 : simulation.oneOf(2, 10, 30) / 1000.0;
        // At most the IDs of half a second: a caller that waits only a little would never get more.
        mostIds = Math.min(simulation.oneOf(100, 1_000, 20_000), 500 * (layout.maxSequence() + 1) / tick);
        longestLife =
                (closesAllTheTime ? simulation.oneOf(5, 50) : simulation.oneOf(500, 5_000, 200_000)) * MILLISECOND;
        longestRest = (closesAllTheTime ? 1 : simulation.oneOf(1, 20, 400)) * MILLISECOND;
        weights[Mishap.KILL.ordinal()] = simulation.oneOf(0, 1, 3);
        weights[Mishap.PAUSE.ordinal()] = simulation.oneOf(0, 3, 10);
        weights[Mishap.STEP_OF_THE_CLOCK.ordinal()] = simulation.oneOf(0, 3, 10);
        weights[Mishap.CLOCK_YEARS_AHEAD.ordinal()] = simulation.oneOf(0, 1, 3);
        weights[Mishap.CLOCK_SET.ordinal()] = 2;
        weights[Mishap.OUTAGE.ordinal()] = simulation.oneOf(0, 1, 3);
        weights[Mishap.FREED_BY_AN_OPERATOR.ordinal()] = simulation.oneOf(0, 0, 1);
        // With long ticks, a copy would often reserve the same ticks as its original.
        // A copy that holds a lost claim would continue with it.
        weights[Mishap.COPY.ordinal()] = tick == 1000 || forgets ? 0 : simulation.oneOf(0, 1, 3);
        weights[Mishap.FORGOTTEN.ordinal()] = forgets ? simulation.oneOf(1, 3) : 0;
        boolean several = simulation.oneOf(0, 0, 1) == 1;
        choosesDatacenters = several && simulation.oneOf(0, 0, 0, 1) == 1;
        for (int generators = 0, i = 0; generators < count || i < 2; i++) {
            Machine machine = new Machine(i, several ? simulation.oneOf(1, 2, 2, 3) : 1);
            machines.add(machine);
            generators += machine.slots.size();
        }
    }

    /**
     * Runs this world with failures for so many steps, then checks that it recovers.
     *
     * @throws AssertionError if an invariant is violated
     */
    void run(long steps) {
        try {
            simulation.run(() -> {
                if (simulation.mishap(mishaps)) {
                    happen(anyMishap());
                }
                registry.writeLate();
                machines.forEach(Machine::setClockInTime);
                slots().forEach(Slot::checkFence);
                return simulation.steps() >= steps || registry.isUndecided();
            });
            if (!registry.isUndecided()) {
                settle();
                close();
            }
        } catch (Throwable e) {
            throw new AssertionError(
                    "Seed %s, fault %s, errors %s, %s, %s machines, ttl %s: %s"
                            .formatted(seed, fault, errors, layout, machines.size(), ttl, e.getMessage()),
                    e);
        } finally {
            simulation.end();
        }
    }

    long ids() {
        return ledger.ids();
    }

    long faults() {
        return simulation.faults();
    }

    long steps() {
        return simulation.steps();
    }

    /** Returns whether a process and its copy could not be distinguished, so that the run ended early. */
    boolean isUndecided() {
        return registry.isUndecided();
    }

    Map<WorkerLease.State, Long> states() {
        return states;
    }

    /** Returns a hash that is equal if the same IDs were issued in the same order. */
    long hash() {
        return ledger.hash();
    }

    /**
     * Checks that each generator that can issue IDs does so again within three times the ttl after the last failure.
     */
    private void settle() throws Throwable {
        phase = Phase.SETTLING;
        registry.calmDown();
        // Until the corrected clocks have reached the IDs and reservations of the time when they were wrong.
        long lead = Math.max(0, ledger.end() - simulation.now().toEpochMilli()) * MILLISECOND;
        boolean waitForIt = lead <= 2 * ttl.toNanos();
        simulation.calmDown(waitForIt ? 0 : lead);
        machines.forEach(Machine::settle);
        runFor((waitForIt ? lead : 0)
                + 3 * ttl.toNanos()
                + registry.longestPostponement(ttl).toNanos());
        phase = Phase.STEADY;
        steadySince = simulation.nanos();
        Set<Holder> held = slots().map(slot -> slot.holder)
                .filter(holder -> holder != null && holder.isHeld())
                .collect(Collectors.toSet());
        runFor(Math.max(ttl.toNanos(), 4 * SECOND));
        Set<WorkerId> used = new HashSet<>();
        List<Slot> idle = new ArrayList<>();
        for (Slot slot : slots().toList()) {
            Holder holder = slot.holder;
            if (holder != null && !slot.machine.process.runs("snowflake-lease")) {
                throw new AssertionError("%s has no thread that renews its lease".formatted(holder.connection));
            }
            if (holder == null || !holder.makesIds()) {
                idle.add(slot);
            } else {
                used.add(holder.generator.workerId());
            }
        }
        for (Slot slot : idle) {
            int suitable = slot.datacenterId.isPresent() ? workers / 2 : workers;
            boolean isFree = used.stream().filter(slot::mayHave).count() < suitable;
            if (isFree || held.contains(slot.holder)) {
                throw new AssertionError("%s worker ids, but only %s are used when all troubles have ended: %s"
                        .formatted(workers, used, idle));
            }
        }
    }

    private Stream<Slot> slots() {
        return machines.stream().flatMap(machine -> machine.slots.stream());
    }

    /**
     * Checks that closing returns in time, whatever the registry does, and releases worker IDs if the registry is
     * available.
     */
    private void close() throws Throwable {
        boolean reachable = simulation.random.nextBoolean();
        if (!reachable) {
            registry.silence();
        }
        phase = Phase.CLOSING;
        // A generator without a worker ID is still waiting for the registry or for the floor, and gives up first.
        phaseEnds = simulation.nanos()
                + 2 * acquireTimeout.toNanos()
                + registry.longestPostponement(ttl).toNanos()
                + SECOND;
        simulation.run(() -> simulation.nanos() >= phaseEnds || slots().allMatch(slot -> slot.ended));
        for (Slot slot : slots().toList()) {
            if (!slot.ended) {
                throw new AssertionError("%s did not end".formatted(slot));
            }
        }
        if (reachable) {
            for (Entry left : registry.entries()) {
                if (left.owner() != null && left.expiresAt().isAfter(simulation.now())) {
                    throw new AssertionError("not given back: " + left);
                }
            }
            awaitEndOf("snowflake-lease");
        }
        awaitEndOf("caller");
    }

    /** Checks that no thread waits any more. */
    private void awaitEndOf(String thread) throws Throwable {
        phaseEnds = simulation.nanos() + 3 * SECOND;
        simulation.run(() -> simulation.nanos() >= phaseEnds
                || machines.stream().noneMatch(machine -> machine.process.runs(thread)));
        for (Machine machine : machines) {
            if (machine.process.runs(thread)) {
                throw new AssertionError("%s of %s goes on though all is closed".formatted(thread, machine.process));
            }
        }
    }

    private void runFor(long nanos) throws Throwable {
        phaseEnds = simulation.nanos() + nanos;
        simulation.run(() -> simulation.nanos() >= phaseEnds);
    }

    private Mishap anyMishap() {
        int sum = 0;
        for (int weight : weights) {
            sum += weight;
        }
        int drawn = simulation.random.nextInt(sum);
        for (Mishap mishap : Mishap.values()) {
            drawn -= weights[mishap.ordinal()];
            if (drawn < 0) {
                return mishap;
            }
        }
        throw new IllegalStateException();
    }

    private void happen(Mishap mishap) {
        Machine machine = machines.get(simulation.random.nextInt(machines.size()));
        switch (mishap) {
            case KILL -> machine.restart();
            case PAUSE -> machine.process.pause(simulation.anyNanos(ttl.toNanos() * 6));
            case STEP_OF_THE_CLOCK -> {
                long longest = simulation.oneOf(240, (int) ttl.toMillis() * 3, 240_000);
                machine.process.stepClock(simulation.anyNanos(longest) - simulation.anyNanos(longest));
            }
            case CLOCK_YEARS_AHEAD -> machine.jumpYearsAhead();
            case CLOCK_SET -> machine.process.setClock(machine.usualOffset);
            case OUTAGE -> registry.goDown(Duration.ofNanos(simulation.anyNanos(ttl.toNanos() * 3)));
            case FREED_BY_AN_OPERATOR -> registry.freeAny();
            case COPY -> machine.copy();
            case FORGOTTEN -> {
                if (weights[Mishap.FREED_BY_AN_OPERATOR.ordinal()] > 0 || simulation.random.nextBoolean()) {
                    registry.forget();
                } else {
                    // Other processes take over its worker IDs meanwhile.
                    Duration away = ttl.multipliedBy(2).plusNanos(simulation.anyNanos(ttl.toNanos()));
                    machine.process.pause(away.toNanos());
                    registry.forgetWritesOf(away);
                }
            }
        }
    }

    /** A generator until it is closed. */
    private final class Holder {

        private final Slot slot;
        private final Connection connection;
        private final SnowflakeIdGenerator generator;
        private final long maxWaitMillis;
        private boolean abandoned;
        private boolean closed;
        private int opened;
        private boolean closing;
        private Instant lastFence = Instant.MIN;
        private long lastIssued;
        private @Nullable SnowflakeException lastException;

        Holder(Slot slot, Connection connection, SnowflakeIdGenerator generator, long maxWaitMillis) {
            this.slot = slot;
            this.connection = connection;
            this.generator = generator;
            this.maxWaitMillis = maxWaitMillis;
        }

        boolean isHeld() {
            WorkerLease.State state = generator.lease().orElseThrow().state();
            return state != WorkerLease.State.LOST && state != WorkerLease.State.CLOSED;
        }

        boolean makesIds() {
            return lastIssued >= steadySince;
        }

        String complaint() {
            return "%s, %s"
                    .formatted(
                            generator.lease().orElse(null),
                            lastException == null ? "got no exception" : lastException.getMessage());
        }

        void issued(long[] ids) {
            ledger.issued(connection, ids);
            if (slot.datacenterId.isPresent()) {
                for (long id : ids) {
                    if (layout.decode(id).datacenterId() != slot.datacenterId.getAsInt()) {
                        simulation.fail(new AssertionError("%s makes %s of another datacenter".formatted(slot, id)));
                    }
                }
            }
            lastIssued = simulation.nanos();
        }

        void failed(SnowflakeException why) {
            lastException = why;
            // A renewal takes a millisecond. A generator with a worker ID waits for it and gets it.
            if (phase == Phase.STEADY
                    && maxWaitMillis >= 100
                    && why instanceof WorkerLeaseExpiredException expired
                    && (expired.lease().state() == WorkerLease.State.HELD
                            || !choosesDatacenters && slots().count() <= workers)) {
                simulation.fail(new AssertionError(
                        "%s waited in vain for the fence though the registry answers".formatted(connection), why));
            }
        }
    }

    /** A machine on which one process runs at a time. */
    private final class Machine {

        private final int number;
        private final long usualOffset = simulation.random.nextInt(2 * skew + 1) - skew;
        private final List<Simulation.Process> copies = new ArrayList<>();
        private final List<Slot> slots = new ArrayList<>();
        private int booted;
        private Simulation.Process process;
        private long yearsAheadUntil = Long.MAX_VALUE;

        Machine(int number, int generators) {
            this.number = number;
            for (int i = 0; i < generators; i++) {
                slots.add(new Slot(this, i));
            }
            process = boot();
        }

        private Simulation.Process boot() {
            Simulation.Process booting =
                    simulation.new Process("machine %s, process %s".formatted(number, ++booted), usualOffset);
            for (Slot slot : slots) {
                slot.holder = null;
                booting.start("main", () -> slot.live(booting));
            }
            if (errors == Errors.OF_STARTED_THREADS) {
                booting.runShortOfThreads(0.2);
            } else if (errors == Errors.OF_THE_LEASE_ITSELF) {
                booting.runShortOfMemory(simulation.oneOf(5, 20, 50) / 1000.0);
            }
            return booting;
        }

        void restart() {
            process.kill();
            process = boot();
        }

        void jumpYearsAhead() {
            process.setClock(usualOffset
                    + Duration.ofDays(365L * (1 + simulation.random.nextInt(10)))
                            .toMillis());
            yearsAheadUntil = simulation.nanos() + simulation.anyNanos(ttl.toNanos() * 6);
        }

        void setClockInTime() {
            if (simulation.nanos() >= yearsAheadUntil) {
                process.setClock(usualOffset);
                yearsAheadUntil = Long.MAX_VALUE;
            }
        }

        void settle() {
            process.setClock(0);
            copies.forEach(Simulation.Process::kill);
        }

        /** Copies a process, as if its virtual machine was copied while it ran. */
        void copy() {
            Slot slot = slots.get(simulation.random.nextInt(slots.size()));
            Holder original = slot.holder;
            Claim copied = original == null ? null : original.connection.confirmed();
            if (copied != null) {
                Simulation.Process copy = simulation.new Process("copy of " + process, usualOffset);
                copies.add(copy);
                copy.start("main", () -> liveOn(copy, original.connection, copied));
            }
        }

        /**
         * Runs a copy of a running process, as {@link WorkerLease} describes it: the copy has the same claim, and
         * renews it like the original until a renewal is rejected. Both may issue the IDs up to the fence that both
         * know; this known limit is not tested here. After that fence, the copy may use only the ranges that it has
         * written itself.
         */
        private void liveOn(Simulation.Process here, Connection original, Claim copied) {
            Connection connection = registry.new Connection(here, "copy of " + original);
            Claim held = copied;
            @Nullable Claim unanswered = null;
            for (int renewals = 1 + simulation.random.nextInt(4); renewals > 0; ) {
                here.sleep(simulation.anyNanos(ttl.toNanos() / 2));
                boolean repeated = unanswered != null;
                Claim target = repeated ? unanswered : held.until(extensionOf(held, here));
                try {
                    unanswered = target;
                    if (!connection.renew(held, target.reservedUntil(), ttl)
                            && !(repeated && registry.entries().stream().anyMatch(entry -> isStill(target, entry)))) {
                        return;
                    }
                } catch (Throwable e) {
                    Simulation.caught(e);
                    continue;
                }
                makeIds(connection, held.reservedUntil(), target);
                held = target;
                unanswered = null;
                renewals--;
            }
        }

        private static boolean isStill(Claim claim, Entry entry) {
            return claim.owner().equals(entry.owner()) && claim.reservedUntil().equals(entry.reservedUntil());
        }

        private Instant extensionOf(Claim held, Simulation.Process here) {
            Instant ahead = here.instant().plus(ttl);
            Instant next = held.reservedUntil().plusMillis(1);
            return layout.timestampOf(
                    layout.tickAtOrAfter(ahead.isAfter(next) ? ahead : next) + simulation.random.nextInt(2_000));
        }

        /** Issues IDs of the first and of the last reserved tick. */
        private void makeIds(Connection connection, Instant from, Claim to) {
            long first = layout.tickAtOrAfter(from);
            long last = layout.tickAtOrAfter(to.reservedUntil()) - 1;
            for (long tick = first; tick <= last; tick += Math.max(1, last - first)) {
                long id = (tick << (layout.datacenterBits() + layout.workerBits() + layout.sequenceBits()))
                        | layout.nodeOf(to.datacenterId(), to.workerId());
                ledger.issued(connection, id, 1);
            }
        }
    }

    /** A place in a process for one generator at a time. */
    private final class Slot {

        private final Machine machine;
        private final int number;
        private final OptionalInt datacenterId = choosesDatacenters && simulation.oneOf(0, 1) == 1
                ? OptionalInt.of(simulation.oneOf(0, 1))
                : OptionalInt.empty();
        private @Nullable Holder holder;
        private boolean ended;

        Slot(Machine machine, int number) {
            this.machine = machine;
            this.number = number;
        }

        boolean mayHave(WorkerId worker) {
            return datacenterId.isEmpty() || datacenterId.getAsInt() == worker.datacenterId();
        }

        @Override
        public String toString() {
            return "slot %s of %s: %s"
                    .formatted(number, machine.process, holder == null ? "no lease" : holder.complaint());
        }

        /** Checks that the registry has committed the fence that the generator shows. */
        void checkFence() {
            Holder mine = holder;
            if (mine == null || mine.closing) {
                return;
            }
            WorkerLease lease = mine.generator.lease().orElseThrow();
            if (mine.isHeld() && !lease.fence().equals(mine.lastFence)) {
                mine.lastFence = lease.fence();
                ledger.believed(mine.connection, lease.datacenterId(), lease.workerId(), lease.fence());
            }
        }

        /** Starts a generator, uses it for a while, closes it, and starts the next one. */
        private void live(Simulation.Process here) {
            int generators = 0;
            while (phase != Phase.CLOSING) {
                Holder opened = open(here, "%s, generator %s.%s".formatted(here, number, ++generators));
                if (opened == null) {
                    pause(here, 10 * SECOND);
                    continue;
                }
                holder = opened;
                for (int thread = 0; thread < (machine.slots.size() > 1 ? 1 : 2); thread++) {
                    startCaller(here, opened);
                }
                do {
                    opened.closing = false;
                    holder = opened;
                    pause(here, longestLife);
                    while (phase == Phase.SETTLING || phase == Phase.STEADY) {
                        here.sleep(50 * MILLISECOND);
                    }
                    close(here, opened);
                } while (phase != Phase.CLOSING
                        && simulation.random.nextInt(closesAllTheTime ? 10 : 2) > 0
                        && reopened(opened));
                opened.abandoned = true;
                pause(here, SECOND);
            }
            ended = true;
        }

        private void pause(Simulation.Process here, long longestNanos) {
            here.sleep(simulation.anyNanos(phase == Phase.TROUBLED ? longestNanos : 100 * MILLISECOND));
        }

        private void startCaller(Simulation.Process here, Holder opened) {
            while (true) {
                try {
                    here.start("caller", () -> work(here, opened));
                    return;
                } catch (OutOfMemoryError e) {
                    here.sleep(MILLISECOND);
                }
            }
        }

        private @Nullable Holder open(Simulation.Process here, String name) {
            Connection connection = registry.new Connection(here, name);
            long ttlMillis = ttl.toMillis();
            long maxWaitMillis = simulation.oneOf(0, 100, 1000);
            long[] drifts = {0, 1, ttlMillis / 3, ttlMillis, longestDriftMillis};
            SnowflakeIdGenerator.Builder builder = SnowflakeIdGenerator.builder()
                    .layout(layout)
                    .time(here)
                    .maxDrift(Duration.ofMillis(drifts[simulation.random.nextInt(drifts.length)]))
                    .maxWait(Duration.ofMillis(maxWaitMillis))
                    .lease(terms(connection).withOwnerInfo(name));
            try {
                return new Holder(this, connection, builder.build(), maxWaitMillis);
            } catch (WorkerIdUnavailableException e) {
                return null;
            } catch (Throwable e) {
                tolerate(e);
                return null;
            }
        }

        private LeaseTerms terms(Connection connection) {
            LeaseTerms terms = LeaseTerms.of(connection)
                    .withTtl(ttl)
                    .withAcquireTimeout(acquireTimeout)
                    .withMaxClockSkew(Duration.ofHours(1))
                    .withListener(change -> {
                        states.merge(change.state(), 1L, Long::sum);
                        registry.mayThrow(Errors.OF_THE_LISTENER, 0.3);
                    });
            return datacenterId.isPresent() ? terms.withDatacenterId(datacenterId.getAsInt()) : terms;
        }

        private boolean reopened(Holder closed) {
            closed.opened++;
            closed.closed = false;
            for (int tries = 0; tries < 3; tries++) {
                try {
                    closed.generator.reopen();
                    return true;
                } catch (WorkerIdUnavailableException e) {
                    break;
                } catch (Throwable e) {
                    tolerate(e);
                }
            }
            return false;
        }

        /** Accepts exceptions of foreign code, which only a thread that opens a generator may get. */
        private void tolerate(Throwable thrown) {
            Simulation.caught(thrown);
            if (errors == Errors.NONE) {
                simulation.fail(thrown);
            }
        }

        private void close(Simulation.Process here, Holder opened) {
            SnowflakeIdGenerator generator = opened.generator;
            opened.closing = true;
            if (fault == Fault.RELEASE_BEFORE_CLOSE) {
                registry.releaseAsIs(
                        opened.connection,
                        generator.workerId().datacenterId(),
                        generator.workerId().workerId(),
                        layout.timestampOf(generator.lastTick() + 1));
                here.sleep(simulation.anyNanos(SECOND));
            }
            boolean last = phase == Phase.CLOSING;
            long began = simulation.nanos();
            generator.close();
            long took = simulation.nanos() - began;
            if (last && took > acquireTimeout.toNanos() + 10 * MILLISECOND) {
                simulation.fail(new AssertionError("%s took %s ms to close, acquireTimeout is %s"
                        .formatted(opened.connection, took / MILLISECOND, acquireTimeout)));
            }
            opened.closed = true;
            holder = null;
            try {
                long id = generator.nextId();
                simulation.fail(new AssertionError("%s is closed and makes %s".formatted(opened.connection, id)));
            } catch (GeneratorClosedException e) {
                // Expected.
            }
        }

        /** Issues IDs one by one and in batches, mostly a few, sometimes as many as the drift and the fence allow. */
        private void work(Simulation.Process here, Holder mine) {
            long last = -1;
            while (!mine.abandoned) {
                boolean single = simulation.random.nextBoolean();
                // Up to the fence, which must be moved immediately then.
                boolean full = !single
                        && (phase == Phase.STEADY || closesAllTheTime && simulation.random.nextBoolean())
                        && (layout.maxSequence() + 1) * ttl.toMillis() < 1_000_000;
                int calls = full ? 1000 : (int) simulation.anyNanos(simulation.oneOf(1, 50));
                try {
                    for (int call = 0; call <= calls; call++) {
                        boolean closedBefore = mine.closed;
                        int opened = mine.opened;
                        long[] issued = single
                                ? new long[] {single(mine.generator, call)}
                                : mine.generator.nextIds(full ? mostIds : 1 + (int) simulation.anyNanos(mostIds));
                        if (closedBefore && opened == mine.opened) {
                            simulation.fail(new AssertionError(
                                    "%s makes ids for who asks when it is closed".formatted(mine.connection)));
                        }
                        for (long id : issued) {
                            if (id <= last) {
                                simulation.fail(new AssertionError(
                                        "%s makes %s after %s".formatted(mine.connection, id, last)));
                            }
                            last = id;
                        }
                        mine.issued(issued);
                    }
                } catch (SnowflakeException e) {
                    mine.failed(e);
                    here.sleep(simulation.anyNanos(200 * MILLISECOND));
                }
                here.sleep(simulation.anyNanos(phase == Phase.TROUBLED ? longestRest : 400 * MILLISECOND));
            }
        }

        private static long single(SnowflakeIdGenerator generator, int call) {
            return call % 3 == 0 ? generator.tryNextId().orElseGet(generator::nextId) : generator.nextId();
        }
    }
}
