package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SimulatedRegistry.Fault;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many processes that lease few worker ids, while everything goes wrong that can: clocks that are off, step and stop;
 * threads and processes paused at any point for longer than a lease; kills; a registry whose calls are delayed, fail
 * before or after the commit, or take effect when nobody expects them any more. What happens is decided by a seed; a
 * failure names it.
 *
 * <p>More of it: {@code mvn -pl snowflake-core test -Dtest=LeaseSimulationTests -Dsimulation.seeds=1000}, and from another
 * seed on with {@code -Dsimulation.first=1000000}.
 */
class LeaseSimulationTests {

    private static final int SEEDS = Integer.getInteger("simulation.seeds", 28);
    private static final long FIRST = Long.getLong("simulation.first", 1);

    @Test
    void noTwoIdsAreEqual() {
        long ids = 0;
        long faults = 0;
        long steps = 0;
        long begin = System.nanoTime();
        Map<WorkerLease.State, Long> states = new EnumMap<>(WorkerLease.State.class);
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            World world = new World(seed, Fault.NONE);
            world.run(500_000, 250_000);
            assertThat(world.duplicates())
                    .as("ids that were made twice with seed %d", seed)
                    .isEmpty();
            ids += world.count;
            faults += world.simulation.faults();
            steps += world.simulation.steps();
            world.states.forEach((state, count) -> states.merge(state, count, Long::sum));
        }
        System.out.printf(
                "Simulated %,d ids, %,d faults, %,d steps, leases %s, in %d s%n",
                ids, faults, steps, states, (System.nanoTime() - begin) / 1_000_000_000);
        assertThat(states).containsKeys(WorkerLease.State.values());
    }

    @Test
    void aSeedDecidesEverything() {
        World one = new World(7, Fault.NONE);
        one.run(50_000, 2_000_000);
        World same = new World(7, Fault.NONE);
        same.run(50_000, 2_000_000);
        World other = new World(8, Fault.NONE);
        other.run(50_000, 2_000_000);

        assertThat(same.ids()).isEqualTo(one.ids());
        assertThat(other.ids()).isNotEqualTo(one.ids());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void wouldFindAWrongProtocol(Fault fault) {
        assertThat(LongStream.rangeClosed(1, 100).anyMatch(seed -> {
                    World world = new World(seed, fault);
                    world.run(5_000_000, 100_000);
                    return world.duplicates().length > 0;
                }))
                .as("one of 100 seeds makes an id twice")
                .isTrue();
    }

    /** The processes of one seed. */
    private static final class World {

        private static final long MILLISECOND = 1_000_000;
        private static final long SECOND = 1_000 * MILLISECOND;

        private final Simulation simulation;
        private final SimulatedRegistry registry;
        private final Fault fault;
        private final IdLayout layout;
        private final int processes;
        private final Duration ttl;
        private final int skew;
        private final List<Machine> machines = new ArrayList<>();
        private final Map<WorkerLease.State, Long> states = new EnumMap<>(WorkerLease.State.class);
        private long[] ids = new long[1 << 20];
        private int count;

        World(long seed, Fault fault) {
            simulation = new Simulation(seed);
            registry = new SimulatedRegistry(simulation, fault);
            this.fault = fault;
            layout = IdLayout.builder()
                    .tick(Duration.ofMillis(oneOf(1, 1, 10, 1000)))
                    .timestampBits(40)
                    .datacenterBits(1)
                    .workerBits(fault == Fault.NONE ? oneOf(1, 2, 3) : 1)
                    .sequenceBits(oneOf(6, 9, 12))
                    .build();
            // What is wrong shows where somebody always waits for a worker id.
            processes = fault == Fault.NONE ? oneOf(3, 6, 10) : 6;
            ttl = Duration.ofSeconds(fault == Fault.NONE ? oneOf(1, 3, 10) : oneOf(1, 3));
            skew = oneOf(0, 1_000, 20_000);
        }

        private int oneOf(int... values) {
            return values[simulation.random.nextInt(values.length)];
        }

        /** Until so many ids are made, or so many steps are done. */
        void run(int enough, int steps) {
            for (int i = 0; i < processes; i++) {
                machines.add(new Machine());
            }
            simulation.run(() -> {
                machines.forEach(Machine::mayHaveAMishap);
                if (simulation.mishap(0.0002)) {
                    registry.goDown(Duration.ofNanos(simulation.anyNanos(ttl.toNanos() * 3)));
                }
                registry.writeLate();
                if (simulation.mishap(0.00005)) {
                    registry.freeAny();
                }
                return count >= enough || simulation.steps() >= steps;
            });
        }

        private void collect(long[] made) {
            if (count + made.length > ids.length) {
                ids = Arrays.copyOf(ids, ids.length * 2);
            }
            System.arraycopy(made, 0, ids, count, made.length);
            count += made.length;
        }

        long[] ids() {
            return Arrays.copyOf(ids, count);
        }

        long[] duplicates() {
            long[] sorted = ids();
            Arrays.sort(sorted);
            return LongStream.range(1, sorted.length)
                    .filter(i -> sorted[(int) i] == sorted[(int) i - 1])
                    .map(i -> sorted[(int) i])
                    .limit(3)
                    .toArray();
        }

        /** A machine on which one process runs at a time. */
        private final class Machine {

            private final long usualOffset = simulation.random.nextInt(2 * skew + 1) - skew;
            private Simulation.Process process = boot();

            private Simulation.Process boot() {
                Simulation.Process booting = simulation.new Process(usualOffset);
                booting.start("main", () -> live(booting));
                return booting;
            }

            void mayHaveAMishap() {
                if (simulation.mishap(0.0002)) {
                    process.kill();
                    process = boot();
                }
                if (simulation.mishap(0.0005)) {
                    process.pause(simulation.anyNanos(ttl.toNanos() * 6));
                }
                if (simulation.mishap(0.001)) {
                    process.stepClock(simulation.anyNanos(240) - simulation.anyNanos(240));
                }
                if (simulation.mishap(0.0002)) {
                    process.stepClock((simulation.anyNanos(240) - simulation.anyNanos(240)) * 1000);
                }
                if (simulation.mishap(0.0005)) {
                    process.setClock(usualOffset);
                }
            }

            /** Starts, works for a while, stops in order, starts again. */
            private void live(Simulation.Process here) {
                while (true) {
                    SnowflakeIdGenerator generator;
                    try {
                        generator = SnowflakeIdGenerator.builder()
                                .layout(layout)
                                .time(here)
                                .maxDrift(Duration.ofMillis(oneOf(0, 1, 1000, 3000)))
                                .maxWait(Duration.ofMillis(oneOf(0, 100, 1000)))
                                .lease(LeaseTerms.of(registry.new Connection(here))
                                        .ownerInfo("machine")
                                        .ttl(ttl)
                                        .maxClockSkew(Duration.ofHours(1))
                                        .listener(change -> states.merge(change.state(), 1L, Long::sum)))
                                .build();
                    } catch (WorkerIdUnavailableException none) {
                        here.sleep(simulation.anyNanos(10 * SECOND));
                        continue;
                    }
                    for (int thread = 0; thread < 2; thread++) {
                        here.start("caller", () -> work(here, generator));
                    }
                    do {
                        here.sleep(simulation.anyNanos(200 * SECOND));
                        if (fault == Fault.RELEASE_BEFORE_CLOSE) {
                            registry.releaseAsIs(
                                    generator.workerId().datacenterId(),
                                    generator.workerId().workerId(),
                                    layout.timestampOf(generator.lastTick() + 1));
                            here.sleep(simulation.anyNanos(SECOND));
                        }
                        generator.close();
                        here.sleep(simulation.anyNanos(SECOND));
                    } while (simulation.random.nextBoolean() && reopened(generator));
                    here.sleep(simulation.anyNanos(SECOND));
                }
            }

            private boolean reopened(SnowflakeIdGenerator generator) {
                try {
                    generator.reopen();
                    return true;
                } catch (WorkerIdUnavailableException none) {
                    return false;
                }
            }

            /** Makes ids, mostly a few, sometimes many. */
            private void work(Simulation.Process here, SnowflakeIdGenerator generator) {
                long last = -1;
                int refused = 0;
                while (refused < 50) {
                    try {
                        long[] made = generator.nextIds(1 + (int) simulation.anyNanos(1_000));
                        assertThat(made[0]).isGreaterThan(last);
                        last = made[made.length - 1];
                        collect(made);
                        refused = 0;
                    } catch (SnowflakeException no) {
                        refused++;
                        here.sleep(100 * MILLISECOND);
                    }
                    here.sleep(simulation.anyNanos(400 * MILLISECOND));
                }
            }
        }
    }
}
