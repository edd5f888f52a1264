package io.github.snowflakeid;

import io.github.snowflakeid.SimulatedRegistry.Connection;
import io.github.snowflakeid.SimulatedRegistry.Errors;
import io.github.snowflakeid.SimulatedRegistry.Fault;
import io.github.snowflakeid.worker.HookedRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A generator whose lease runs out of memory at a chosen place while it acquires a worker ID. There are no other
 * failures, except the one that causes the acquisition.
 */
final class SimulatedErrors {

    /** The reason why a worker ID is acquired. */
    enum Cause {
        /** The generator has had no worker ID yet. The first renewals fail for a while. */
        FIRST,
        /** The previous lease was lost. */
        LOST,
        /** The renewals of the held lease fail for a while. */
        STUCK
    }

    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000 * MICROSECOND;
    private static final Duration TTL = Duration.ofSeconds(1);
    private static final Duration DRIFT = Duration.ofMillis(500);

    private final Cause cause;
    private final int place;
    private final boolean closes;
    private final Simulation simulation;
    private final IdLayout layout =
            IdLayout.builder().datacenterBits(0).workerBits(1).sequenceBits(4).build();
    private final Ledger ledger;
    private final SimulatedRegistry registry;
    private final Simulation.Process process;
    private boolean fails;
    private boolean hasFailed;
    private boolean over;
    private boolean done;

    /**
     * @param place the place at which the error is thrown, counted from 1
     * @param closes whether the generator is then closed and opened again
     */
    SimulatedErrors(Cause cause, int place, boolean closes) {
        this.cause = cause;
        this.place = place;
        this.closes = closes;
        simulation = new Simulation(place);
        ledger = new Ledger(simulation, layout);
        registry = new SimulatedRegistry(simulation, ledger, Fault.NONE, Errors.NONE, null);
        process = simulation.new Process("process", 0);
    }

    private final class Member {

        private final Connection connection;
        private final SnowflakeIdGenerator generator;
        private long lastIssued;
        private boolean closed;

        /** The last lease that was reported as lost. */
        private @Nullable WorkerLease lost;

        Member(String name) {
            connection = registry.new Connection(process, name);
            HookedRegistry hooked = new HookedRegistry(connection);
            hooked.hook(call -> {
                if (fails && call.name().equals("renew") && call.workerId() == 0) {
                    throw new IllegalStateException("locked");
                }
            });
            generator = SnowflakeIdGenerator.builder()
                    .layout(layout)
                    .time(process)
                    .maxDrift(DRIFT)
                    .lease(LeaseTerms.of(hooked).withTtl(TTL).withListener(this::reported))
                    .build();
            process.start("caller", this::work);
        }

        private void reported(WorkerLease lease) {
            if (lease.state() == WorkerLease.State.LOST) {
                lost = lease;
            }
        }

        private void assertNotOf(@Nullable WorkerLease ended, long id) {
            IdFields fields = layout.decode(id);
            if (ended != null
                    && fields.workerId() == ended.workerId()
                    && fields.timestamp().isBefore(ended.fence())) {
                simulation.fail(new AssertionError("%s issued after the report of %s".formatted(id, ended)));
            }
        }

        /** Issues IDs ahead of the clock during the acquisition. */
        private void work() {
            long last = 0;
            while (!closed) {
                try {
                    WorkerLease ended = lost;
                    long[] ids = generator.nextIds(20);
                    assertNotOf(ended, ids[0]);
                    if (ids[0] <= last) {
                        simulation.fail(new AssertionError("%s after %s".formatted(ids[0], last)));
                    }
                    last = ids[ids.length - 1];
                    ledger.issued(connection, ids);
                    lastIssued = simulation.nanos();
                    process.sleep(simulation.random.nextInt(over ? 20_000 : 500) * MICROSECOND);
                } catch (SnowflakeException e) {
                    process.sleep(MILLISECOND);
                }
            }
        }

        void close() {
            closed = true;
            generator.close();
        }
    }

    /** Returns whether the run had so many places at which memory can run out. */
    boolean play() {
        try {
            process.start("main", this::live);
            simulation.calmDown(0);
            simulation.switchOnceIn(3, 0, 0);
            simulation.run(() -> done);
            return hasFailed;
        } catch (Throwable e) {
            throw new AssertionError(
                    "%s, error at %s%s: %s".formatted(cause, place, closes ? ", closed then" : "", e.getMessage()), e);
        } finally {
            simulation.end();
        }
    }

    private void live() {
        if (cause == Cause.FIRST) {
            fails = true;
            process.runOutOfMemoryAt(place);
        }
        Member member = new Member("generator");
        if (cause != Cause.FIRST) {
            process.sleep(50 * MILLISECOND);
            process.runOutOfMemoryAt(place);
        }
        if (cause == Cause.LOST) {
            registry.freeAny();
        }
        fails = cause != Cause.LOST;
        for (long ends = simulation.nanos() + 2 * TTL.toNanos();
                !process.hasRunOutOfMemory() && simulation.nanos() < ends; ) {
            process.sleep(100 * MICROSECOND);
        }
        hasFailed = process.hasRunOutOfMemory();
        if (closes) {
            process.sleep(simulation.random.nextInt(40) * MILLISECOND);
            member.generator.close();
            member.generator.reopen();
        } else {
            // IDs are issued between any two of the following steps.
            process.slowDown("snowflake-lease", 200 * MICROSECOND);
        }
        fails = cause == Cause.FIRST;
        process.sleep(TTL.toNanos() / 2);
        over = true;
        process.sleep(TTL.toNanos() / 2);
        fails = false;
        process.sleep(2 * TTL.toNanos());
        if (member.lastIssued < simulation.nanos() - TTL.toNanos()) {
            throw new AssertionError("%s makes no ids: %s".formatted(member.connection, member.generator.lease()));
        }
        member.close();
        registry.entries().stream()
                .filter(entry -> entry.owner() != null && entry.expiresAt().isAfter(simulation.now()))
                .forEach(left -> {
                    throw new AssertionError("not given back: " + left);
                });
        done = true;
    }
}
