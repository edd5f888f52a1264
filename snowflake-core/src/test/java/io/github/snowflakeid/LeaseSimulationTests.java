package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SimulatedErrors.Cause;
import io.github.snowflakeid.SimulatedRegistry.Errors;
import io.github.snowflakeid.SimulatedRegistry.Fault;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many processes lease few worker IDs, some with several generators, while all kinds of failures occur: clocks that are
 * wrong, step and stop; threads and processes that are paused at any point for longer than a lease; kills; copies of
 * running processes; a registry whose calls are delayed, fail before or after the commit, or take effect after the
 * caller has given up. Each ID is compared with the writes that the registry has committed by then. When the failures
 * end, all generators must issue IDs again. A seed determines each run; a failed assertion reports the seed and the
 * events that led to it.
 *
 * <p>To run more seeds: {@code mvn -pl snowflake-core test -Dtest=LeaseSimulationTests -Dsimulation.seeds=1000}. To
 * start at another seed, add {@code -Dsimulation.first=1000000}. To run until enough has happened, add
 * {@code -Dsimulation.ids=1000000000} and {@code -Dsimulation.faults=10000000}.
 */
@ExtendWith(Interleaving.class)
class LeaseSimulationTests {

    private static final int SEEDS = Integer.getInteger("simulation.seeds", 40);
    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long IDS = Long.getLong("simulation.ids", 0);
    private static final long FAULTS = Long.getLong("simulation.faults", 0);
    private static final long STEPS = Long.getLong("simulation.steps", 40_000);

    /** More accesses than a call needs. */
    private static final int MOST_POINTS = 32;

    private static final int FEW_POINTS = 8;

    private static final int FEW_SEEDS = 20;
    private static final long FEW_STEPS = 20_000;

    @Test
    void onlyReservedIdsAreIssuedAndAllGeneratorsRecoverFromFailures() {
        Sum sum = new Sum();
        AtomicLong seeds = new AtomicLong(FIRST);
        onAllProcessors(() -> {
            for (long seed; !sum.isEnough(seed = seeds.getAndIncrement()); ) {
                SimulatedWorld world = new SimulatedWorld(seed, Fault.NONE, Errors.NONE);
                world.run(STEPS);
                sum.add(world);
            }
            return null;
        });
        System.out.println(sum);
        assertThat(sum.states).containsKeys(WorkerLease.State.values());
    }

    // Slow: tries a thousand pairs of places at which threads are paused.
    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {1, 256})
    void noIdIsIssuedAfterTheRangeThatAClosedGeneratorReleases(int batch) {
        AtomicInteger firsts = new AtomicInteger();
        onAllProcessors(() -> {
            for (int first; (first = firsts.incrementAndGet()) < MOST_POINTS; ) {
                for (int second = first + 1; second < first + MOST_POINTS; second++) {
                    new SimulatedClose().whileTheFenceMoves(batch, first, second);
                }
            }
            return null;
        });
    }

    // Slow: tries thousands of combinations of places at which threads are paused.
    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {1, 12})
    void noIdIsIssuedUnderALimitThatATickerSetsTooLate(int batch) {
        AtomicInteger firsts = new AtomicInteger();
        onAllProcessors(() -> {
            for (int first; (first = firsts.incrementAndGet()) < FEW_POINTS; ) {
                for (int second = first + 1; second < 2 * FEW_POINTS; second++) {
                    for (int caller = 1; caller < MOST_POINTS; caller++) {
                        new SimulatedClose().whileTheTickerLooks(batch, first, second, caller);
                    }
                }
            }
            return null;
        });
    }

    @Test
    void aSeedDecidesEverything() {
        long one = hashOf(7);

        assertThat(hashOf(7)).isEqualTo(one);
        assertThat(hashOf(8)).isNotEqualTo(one);
    }

    private static long hashOf(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed, Fault.NONE, Errors.NONE);
        world.run(FEW_STEPS);
        return world.hash();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void errorsAnywhereCostNeitherALeaseNorAnId(Errors errors) {
        AtomicLong seeds = new AtomicLong(FIRST);
        onAllProcessors(() -> {
            for (long seed; (seed = seeds.getAndIncrement()) < FIRST + Math.max(1, SEEDS / 5); ) {
                new SimulatedWorld(seed, Fault.NONE, errors).run(FEW_STEPS);
            }
            return null;
        });
    }

    // Slow: throws at each of some 200 places, one after the other.
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void errorAtAnyPlaceOfAnAcquisitionCostsNeitherALeaseNorAnId(Cause cause) {
        AtomicInteger places = new AtomicInteger();
        AtomicInteger errors = new AtomicInteger();
        onAllProcessors(() -> {
            for (boolean more = true; more; ) {
                int place = places.incrementAndGet();
                more = new SimulatedErrors(cause, place, true).play();
                more |= new SimulatedErrors(cause, place, false).play();
                errors.addAndGet(more ? 1 : 0);
            }
            return null;
        });
        assertThat(errors).hasValueGreaterThan(50);
    }

    // Slow: simulates 20 worlds for each fault.
    @Tag("full")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void wouldFindAWrongProtocol(Fault fault) {
        AtomicLong seeds = new AtomicLong();
        AtomicLong found = new AtomicLong();
        onAllProcessors(() -> {
            for (long seed; (seed = seeds.incrementAndGet()) <= FEW_SEEDS; ) {
                try {
                    new SimulatedWorld(seed, fault, Errors.NONE).run(FEW_STEPS);
                } catch (AssertionError e) {
                    found.addAndGet(e.getCause() instanceof Ledger.Violation ? 1 : 0);
                }
            }
            return null;
        });
        System.out.printf("%s is found by %s of %s seeds%n", fault, found.get(), FEW_SEEDS);
        assertThat(found.get()).as("seeds of %s that find it", FEW_SEEDS).isGreaterThan(FEW_SEEDS / 2);
    }

    private static void onAllProcessors(Callable<Void> work) {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                all.add(pool.submit(work));
            }
            for (Future<Void> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof AssertionError wrong ? wrong : new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            pool.shutdownNow();
        }
    }

    /** The totals of all worlds. */
    private static final class Sum {

        private final long begin = System.nanoTime();
        private final Map<WorkerLease.State, Long> states = new EnumMap<>(WorkerLease.State.class);
        private long worlds;
        private long undecided;
        private long ids;
        private long faults;
        private long steps;
        private long said = begin;

        synchronized boolean isEnough(long seed) {
            return seed >= FIRST + SEEDS && ids >= IDS && faults >= FAULTS;
        }

        synchronized void add(SimulatedWorld world) {
            worlds++;
            undecided += world.isUndecided() ? 1 : 0;
            ids += world.ids();
            faults += world.faults();
            steps += world.steps();
            world.states().forEach((state, count) -> states.merge(state, count, Long::sum));
            if (System.nanoTime() - said > 60_000_000_000L) {
                said = System.nanoTime();
                System.out.println(this);
            }
        }

        @Override
        public String toString() {
            return "Simulated %,d worlds (%,d ended early), %,d ids, %,d faults, %,d steps, leases %s, in %s s"
                    .formatted(
                            worlds, undecided, ids, faults, steps, states, (System.nanoTime() - begin) / 1_000_000_000);
        }
    }
}
