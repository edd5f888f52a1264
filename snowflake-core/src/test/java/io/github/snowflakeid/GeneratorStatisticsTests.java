package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.test.SettableClock;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GeneratorStatisticsTests {

    /** Sixteen IDs fill a tick. */
    private static final IdLayout LAYOUT =
            IdLayout.builder().workerBits(14).sequenceBits(4).build();

    private final SettableClock clock = SettableClock.at(LAYOUT.timestampOf(100));
    private final List<SnowflakeIdGenerator> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(SnowflakeIdGenerator::close);
    }

    private SnowflakeIdGenerator open(SnowflakeIdGenerator.Builder builder) {
        SnowflakeIdGenerator generator = builder.layout(LAYOUT).build();
        opened.add(generator);
        return generator;
    }

    private SnowflakeIdGenerator.Builder assigned() {
        return SnowflakeIdGenerator.builder()
                .clock(clock)
                .worker(WorkerIdAssigner.fixed(0, 1))
                .maxWait(Duration.ZERO);
    }

    @Test
    void newGeneratorHasDoneNothing() {
        GeneratorStatistics statistics = open(assigned()).statistics();

        Map<Refusal, Long> none =
                Arrays.stream(Refusal.values()).collect(Collectors.toMap(reason -> reason, reason -> 0L));
        assertThat(statistics)
                .usingRecursiveComparison()
                .isEqualTo(new StatisticsValues(0, Duration.ZERO, none, Duration.ZERO, false, 0, 0, 0));
    }

    @Test
    void countsIdsHoweverTheyAreIssuedAndWhereverTicksBegin() {
        SnowflakeIdGenerator generator = open(assigned().sequenceStart(SequenceStart.rotating(7)));
        for (int tick = 101; tick < 200; tick += 3) {
            clock.set(LAYOUT.timestampOf(tick));
            generator.nextId();
            assertThat(generator.tryNextId()).isPresent();
            generator.nextIds(2);
        }

        assertThat(generator.statistics().issued()).isEqualTo(33 * 4);
    }

    @Test
    void countsIdsThatRunAheadOfTheClockAndSaysHowFarTheyAre() {
        SnowflakeIdGenerator generator = open(assigned().maxDrift(Duration.ofMillis(10)));

        generator.nextIds(16 + 16 + 1);

        assertThat(generator.statistics().issued()).isEqualTo(33);
        assertThat(generator.statistics().drift()).isEqualTo(Duration.ofMillis(2));
        clock.set(LAYOUT.timestampOf(300));
        assertThat(generator.statistics().drift()).isZero();
        assertThat(generator.statistics().issued()).isEqualTo(33);
    }

    @Test
    void countsOnAfterItWasClosedAndReopened() {
        SnowflakeIdGenerator generator = open(assigned());
        generator.nextIds(3);
        generator.close();
        clock.set(LAYOUT.timestampOf(101));
        generator.reopen();
        generator.nextIds(4);

        assertThat(generator.statistics().issued()).isEqualTo(7);
    }

    @Test
    void countsRejectionsByReasonAndNoIdsForThem() {
        SnowflakeIdGenerator generator = open(assigned());
        generator.nextIds(16);
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(generator::nextId);
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> generator.nextIds(2));
        assertThat(generator.tryNextId()).isEmpty();
        clock.set(LAYOUT.timestampOf(LAYOUT.endTick()));
        assertThatExceptionOfType(TimestampExhaustedException.class).isThrownBy(generator::nextId);
        generator.close();
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);

        assertThat(generator.statistics().refusals())
                .isEqualTo(Map.of(
                        Refusal.CLOCK,
                        2L,
                        Refusal.LEASE,
                        0L,
                        Refusal.LAYOUT,
                        1L,
                        Refusal.CLOSED,
                        1L,
                        Refusal.NO_WAIT,
                        1L));
        assertThat(generator.statistics().issued()).isEqualTo(16);
    }

    @Test
    void numberOfIdsNeverFallsAndMayIncludeSlotsThatWereNotIssued() {
        TimeSource stepsBack = new TimeSource(clock) {
            @Override
            void sleep(long nanos) {
                clock.set(LAYOUT.timestampOf(50));
            }
        };
        SnowflakeIdGenerator generator = open(assigned().time(stepsBack).maxWait(Duration.ofMillis(20)));
        generator.nextIds(16);

        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(generator::nextId);

        assertThat(generator.statistics().issued()).isBetween(16L, 17L);
    }

    @Test
    void countsTheTimeThatCallersWait() {
        TimeSource sleepsAt = new TimeSource(clock) {
            private long nanos;

            @Override
            long nanos() {
                return nanos;
            }

            @Override
            void sleep(long nanosToSleep) {
                nanos += nanosToSleep;
                clock.advance(Duration.ofMillis(1));
            }
        };
        SnowflakeIdGenerator generator = open(assigned().time(sleepsAt).maxWait(Duration.ofMillis(20)));
        generator.nextIds(17);

        assertThat(generator.statistics().waited()).isEqualTo(Duration.ofMillis(1));
        assertThat(generator.statistics().issued()).isEqualTo(17);
    }

    @Test
    void idsOfThreadsThatEnterTicksAtOnceAreCountedOnceEach() throws Exception {
        SnowflakeIdGenerator generator = open(SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(0, 2))
                .maxWait(Duration.ofSeconds(10)));
        int threads = 4;
        int each = 5000;
        List<Thread> makers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            makers.add(new Thread(() -> {
                for (int count = 0; count < each; count++) {
                    generator.nextId();
                }
            }));
        }
        makers.forEach(Thread::start);
        long before = 0;
        while (makers.stream().anyMatch(Thread::isAlive)) {
            long issued = generator.statistics().issued();
            assertThat(issued).isBetween(before, (long) threads * each);
            before = issued;
        }
        for (Thread maker : makers) {
            maker.join();
        }

        assertThat(generator.statistics().issued()).isEqualTo((long) threads * each);
    }

    @Test
    void countsEventsOfLeasesAndIdsOfAllGenerators() {
        ScriptedTime time = ScriptedTime.at(LAYOUT.timestampOf(100));
        time.passWhileSleeping();
        InMemoryRegistry registry = new InMemoryRegistry(time::now);
        Queue<State> changes = new ConcurrentLinkedQueue<>();
        SnowflakeIdGenerator generator = open(SnowflakeIdGenerator.builder()
                .time(time)
                .lease(LeaseTerms.of(registry)
                        .withTtl(Duration.ofSeconds(1))
                        .withListener(change -> changes.add(change.state()))));
        generator.nextIds(5);
        assertThat(generator.statistics().acquisitions()).isOne();
        assertThat(generator.leaseTerms())
                .get()
                .extracting(LeaseTerms::registry)
                .isSameAs(registry);

        registry.failWith(new IllegalStateException("no answer"));
        time.passUntil(() -> changes.contains(State.EXPIRING));
        registry.failWith(null);
        time.passUntil(() -> changes.size() == 3);
        registry.clear();
        time.passUntil(() -> changes.size() == 5);
        assertThat(changes).containsExactly(State.HELD, State.EXPIRING, State.HELD, State.LOST, State.HELD);
        generator.nextIds(6);

        GeneratorStatistics statistics = generator.statistics();
        assertThat(statistics.issued()).isEqualTo(11);
        assertThat(statistics.acquisitions()).isEqualTo(2);
        assertThat(statistics.renewals()).isPositive();
        assertThat(statistics.failures()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void generatorsThatShareAWorkerIdAreCountedTogether() {
        SnowflakeIdGenerator first = open(SnowflakeIdGenerator.builder().worker(WorkerIdAssigner.fixed(0, 3)));
        first.nextIds(5);
        SnowflakeIdGenerator second = open(SnowflakeIdGenerator.builder().worker(WorkerIdAssigner.fixed(0, 3)));
        second.nextIds(2);

        assertThat(first.statistics().issued()).isEqualTo(7);
        assertThat(second.statistics().issued()).isEqualTo(7);
    }
}
