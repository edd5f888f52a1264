package io.github.snowflakeid.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes fetch numbers of one counter while stores fail, answers are lost, and processes stop, are killed and
 * continue after a checkpoint. Some are configured with the stores in another order, or with one of several stores. One
 * thread runs all of them in a random order. {@code -Dsegments.seeds=1000} starts a long run.
 */
class SegmentSimulationTests {

    private static final int SEEDS = Integer.getInteger("segments.seeds", 30);
    private static final int STEPS = 5_000;

    /** So long that no thread really waits. */
    private static final long SECOND = 1_000_000_000;

    private static final int PROCESSES = 4;

    private final List<Flaky> stores = new ArrayList<>();
    private final Set<Long> issued = new HashSet<>();
    private Random chance = new Random();
    private long nanos;

    /** A store that fails with the probability of the world, so that retries come to an end. */
    private static final class Flaky implements SegmentStore {

        private final InMemorySegmentStore store;
        private int failures;

        Flaky(int number) {
            store = new InMemorySegmentStore("store " + number);
        }

        private void fail() {
            if (failures > 0) {
                failures--;
                throw new IllegalStateException("away");
            }
        }

        @Override
        public String description() {
            return store.description();
        }

        @Override
        public @Nullable Counter read(String name) {
            fail();
            return store.read(name);
        }

        @Override
        public boolean write(String name, @Nullable Counter seen, Counter next) {
            fail();
            return store.write(name, seen, next);
        }
    }

    /** A process with its background tasks. */
    private final class Process {

        private final List<Runnable> background = new ArrayList<>();
        private final SegmentIdGenerator generator;
        private long last = -1;
        private boolean open = true;

        Process(List<? extends SegmentStore> stores) {
            generator = SegmentIdGenerator.builder()
                    .name("orders")
                    .stores(List.copyOf(stores))
                    .minStep(5)
                    .maxStep(40)
                    .maxWait(Duration.ofNanos(1))
                    .world(() -> nanos += SECOND + chance.nextInt(1000), background::add)
                    .build();
        }

        void ask() {
            OptionalLong number = generator.tryNextId();
            if (number.isPresent()) {
                assertThat(open).as("open").isTrue();
                assertThat(number.getAsLong()).isGreaterThan(last);
                last = number.getAsLong();
                assertThat(issued.add(last)).as("%s is new", last).isTrue();
            }
        }

        void work() {
            if (!background.isEmpty()) {
                background.remove(chance.nextInt(background.size())).run();
            }
        }

        void stop() {
            generator.close();
            open = false;
        }

        void goOn() {
            generator.reopen();
            open = true;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void noNumberIsIssuedTwiceAndEachProcessesNumbersAscend(int howMany) {
        long all = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            chance = new Random(seed);
            stores.clear();
            IntStream.range(0, howMany).forEach(store -> stores.add(new Flaky(store)));
            issued.clear();
            try {
                play();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            all += issued.size();
        }
        assertThat(all).as("numbers").isGreaterThan((long) SEEDS * STEPS / 10);
    }

    private void play() {
        List<Process> processes = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Flaky store = stores.get(chance.nextInt(stores.size()));
            switch (chance.nextInt(200)) {
                case 0, 1, 2, 3 -> store.failures = chance.nextInt(20);
                case 4 -> store.store.loseNextAnswer();
                case 5 -> begin(processes);
                case 6 -> stopOrContinue(processes);
                default -> processes.forEach(Process::ask);
            }
            processes.stream().filter(process -> chance.nextInt(4) == 0).forEach(Process::work);
        }
    }

    /** Starts a process. If there are enough, it replaces one that is killed. */
    private void begin(List<Process> processes) {
        try {
            Process process = new Process(configured());
            if (processes.size() == PROCESSES) {
                processes.remove(chance.nextInt(PROCESSES));
            }
            processes.add(process);
        } catch (NumbersUnavailableException e) {
            assertThat(e.reason()).isIn(Reason.STORE_UNREACHABLE, Reason.COUNTER_MISMATCH);
        }
    }

    /**
     * Returns the stores of a process. Sometimes they differ between processes: another order, or only the first store.
     */
    private List<Flaky> configured() {
        List<Flaky> configured = new ArrayList<>(stores);
        switch (chance.nextInt(20)) {
            case 0, 1 -> Collections.shuffle(configured, chance);
            case 2 -> configured.subList(1, configured.size()).clear();
            default -> {}
        }
        return configured;
    }

    private void stopOrContinue(List<Process> processes) {
        for (Process process : processes) {
            if (process.open) {
                process.stop();
            } else {
                try {
                    process.goOn();
                } catch (NumbersUnavailableException e) {
                    assertThat(e.reason()).isIn(Reason.STORE_UNREACHABLE, Reason.COUNTER_MISMATCH);
                }
            }
        }
    }
}
