package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.test.SettableClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process may be killed and restarted within one long tick, and without a lease, no record shows which slots it has
 * used.
 */
class FirstTickTests {

    /** Four IDs fill a tick of a second. */
    private static final IdLayout SECONDS =
            IdLayout.builder().tick(Duration.ofSeconds(1)).sequenceBits(2).build();

    private final SettableClock clock = SettableClock.at(SECONDS.timestampOf(10));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void noIdIsIssuedBeforeTheClockHasReachedTheNextTickWhateverTheDrift(int driftTicks) {
        SnowflakeIdGenerator generator = generator(SECONDS, clock)
                .maxDrift(Duration.ofSeconds(driftTicks))
                .maxWait(Duration.ZERO)
                .build();

        for (int millis : new int[] {0, 1, 998}) {
            clock.advance(Duration.ofMillis(millis));
            assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(generator::nextId);
            assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> generator.nextIds(1));
            assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> generator.nextIds(6));
            assertThat(generator.tryNextId()).isEmpty();
        }
        clock.advance(Duration.ofMillis(1));

        for (int i = 0; i < 4 * (driftTicks + 1); i++) {
            assertThat(decode(generator.nextId())).containsExactly(11 + i / 4, i % 4);
        }
        assertThat(generator.tryNextId()).isEmpty();
    }

    @Test
    void tryNextIdAloneFindsTheFirstTick() {
        SnowflakeIdGenerator generator =
                generator(SECONDS, clock).maxDrift(Duration.ofSeconds(3)).build();
        assertThat(generator.tryNextId()).isEmpty();
        clock.set(SECONDS.timestampOf(11));

        assertThat(generator.idsBeginAt()).isEmpty();
        assertThat(decode(generator.tryNextId().orElseThrow())).containsExactly(11, 0);
        clock.set(SECONDS.timestampOf(10));
        assertThat(generator.idsBeginAt()).isEmpty();
    }

    /** Another thread begins the tick just before this thread reads the clock. */
    @Test
    void callerWhoIsOvertakenByAnotherAtTheFirstTickGetsAnId() {
        AtomicInteger reads = new AtomicInteger(Integer.MIN_VALUE);
        AtomicReference<SnowflakeIdGenerator> opened = new AtomicReference<>();
        InstantSource overtaking = () -> {
            Instant read = clock.instant();
            if (reads.incrementAndGet() == 2) {
                clock.set(SECONDS.timestampOf(11));
                assertThat(opened.get().tryNextId()).isPresent();
            }
            return read;
        };
        opened.set(generator(SECONDS, overtaking).maxWait(Duration.ZERO).build());
        reads.set(0);

        assertThat(decode(opened.get().nextId())).containsExactly(11, 1);
    }

    @Test
    void batchesAloneFindTheFirstTick() {
        SnowflakeIdGenerator generator =
                generator(SECONDS, clock).maxDrift(Duration.ofSeconds(3)).build();
        clock.set(SECONDS.timestampOf(11));

        assertThat(decode(generator.nextIds(5)[4])).containsExactly(12, 0);
    }

    /** The ticker sets a limit, below which callers do not check the drift. */
    @Test
    void lookAtTheClockForAllCallersDoesNotLetIdsOutEarlier() {
        SnowflakeIdGenerator generator = generator(SECONDS, clock)
                .maxDrift(Duration.ofSeconds(5))
                .maxWait(Duration.ZERO)
                .build();
        generator.advance(1000);

        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(generator::nextId);
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> generator.nextIds(3));
        assertThat(generator.tryNextId()).isEmpty();
        clock.set(SECONDS.timestampOf(11));
        generator.advance(1000);
        assertThat(decode(generator.nextId())).containsExactly(11, 0);
    }

    @Test
    void callersWaitForTheFirstTick() throws Exception {
        SnowflakeIdGenerator generator =
                generator(SECONDS, clock).maxWait(Duration.ofMinutes(1)).build();
        clock.advance(Duration.ofMillis(400));
        Caller caller = Caller.of(generator::nextId);

        caller.awaitWaiting();
        clock.advance(Duration.ofMillis(599));
        caller.awaitWaiting();
        assertThat(caller.isDone()).isFalse();
        clock.advance(Duration.ofMillis(1));

        assertThat(decode(caller.id())).containsExactly(11, 0);
    }

    @Test
    void callFailsAtOnceIfTheFirstTickIsTooFarAwayAndReportsWhenIdsAreIssued() {
        SnowflakeIdGenerator generator = generator(SECONDS, clock)
                .maxDrift(Duration.ofSeconds(5))
                .maxWait(Duration.ofMillis(500))
                .build();
        clock.advance(Duration.ofMillis(400));

        assertThat(generator.idsBeginAt()).contains(Instant.parse("2025-01-01T00:00:11Z"));
        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the first ID can be issued at 2025-01-01T00:00:11Z, in 600 ms (tolerated: 500 ms),"
                                + " because another process with this worker ID may have used the tick of 1000 ms before it")
                .satisfies(e -> assertThat(e.behind()).isEqualTo(Duration.ofMillis(600)))
                .satisfies(e -> assertThat(e.tolerated()).isEqualTo(Duration.ofMillis(500)));
        assertThat(generator.statistics().waited()).isZero();
        assertThat(generator.statistics().refusals()).containsEntry(GeneratorStatistics.Refusal.CLOCK, 1L);
    }

    @Test
    void waitForTheFirstTickEndsWithTheGenerator() throws Exception {
        SnowflakeIdGenerator generator =
                generator(SECONDS, clock).maxWait(Duration.ofMinutes(1)).build();
        Caller caller = Caller.of(generator::nextId);
        caller.awaitWaiting();

        generator.close();

        assertThat(caller.failure()).isInstanceOf(GeneratorClosedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 11})
    void onlyTicksOfMoreThanTenMillisecondsAreSkipped(long tickMillis) {
        IdLayout layout =
                SECONDS.toBuilder().tick(Duration.ofMillis(tickMillis)).build();
        SnowflakeIdGenerator generator = generator(layout, SettableClock.at(layout.timestampOf(10)))
                .maxWait(Duration.ZERO)
                .build();

        assertThat(generator.idsBeginAt().isEmpty()).isEqualTo(tickMillis <= 10);
        assertThat(generator.tryNextId().isPresent()).isEqualTo(tickMillis <= 10);
    }

    /** Another process may have used the worker ID in between. */
    @Test
    void generatorThatIsOpenedAgainBeginsWithTheNextTick() {
        SnowflakeIdGenerator generator =
                generator(SECONDS, clock).maxWait(Duration.ZERO).build();
        clock.set(SECONDS.timestampOf(11));
        assertThat(decode(generator.nextId())).containsExactly(11, 0);
        generator.close();
        clock.set(SECONDS.timestampOf(20));
        generator.reopen();

        assertThat(generator.tryNextId()).isEmpty();
        clock.set(SECONDS.timestampOf(21));
        assertThat(decode(generator.nextId())).containsExactly(21, 0);
    }

    /** The next generator issues no ID of that tick. */
    @Test
    void closeWaitsOnlyUntilTheClockHasReachedTheTickOfTheLastId() throws Exception {
        SnowflakeIdGenerator generator =
                generator(SECONDS, clock).maxDrift(Duration.ofSeconds(2)).build();
        clock.set(SECONDS.timestampOf(11));
        generator.nextIds(9);
        Caller closing = Caller.of(() -> {
            generator.close();
            return 0L;
        });
        closing.awaitWaiting();
        clock.set(SECONDS.timestampOf(13));
        closing.id();

        SnowflakeIdGenerator next =
                generator(SECONDS, clock).maxWait(Duration.ZERO).build();
        assertThat(next.tryNextId()).isEmpty();
        clock.set(SECONDS.timestampOf(14));
        assertThat(decode(next.nextId())).containsExactly(14, 0);
        next.close();
    }

    @Test
    void generatorThatHasIssuedNothingIsClosedAtOnce() {
        IdLayout hours = SECONDS.toBuilder().tick(Duration.ofHours(1)).build();
        SnowflakeIdGenerator generator =
                generator(hours, SettableClock.at(hours.timestampOf(10))).build();

        generator.close();

        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
    }

    @Test
    void lastTickOfALayoutIsTooLateToBegin() {
        IdLayout layout = SECONDS.toBuilder().timestampBits(10).build();
        SnowflakeIdGenerator generator =
                generator(layout, SettableClock.at(layout.timestampOf(1023))).build();

        assertThatExceptionOfType(TimestampExhaustedException.class).isThrownBy(generator::nextId);
        assertThat(generator.tryNextId()).isEmpty();
    }

    @Test
    void generatorThatJoinsAnotherOfItsWorkerNeedsNoFirstTick() {
        try (SnowflakeIdGenerator first =
                generator(SECONDS, InstantSource.system()).build()) {
            long id = awaitId(first);
            try (SnowflakeIdGenerator second =
                    generator(SECONDS, InstantSource.system()).build()) {
                assertThat(second.nextId()).isGreaterThan(id);
            }
        }
    }

    private static long awaitId(SnowflakeIdGenerator generator) {
        while (true) {
            try {
                return generator.nextId();
            } catch (ClockMovedBackwardsException e) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * The second process is already running when the first one is killed, because a machine under load may start it too
     * slowly.
     */
    @Test
    void processThatIsKilledAndFollowedByAnotherWithinOneTickLeavesNoIdToRepeat() throws Exception {
        try (OtherProcess killed = new OtherProcess();
                OtherProcess next = new OtherProcess()) {
            killed.awaitReady();
            next.awaitReady();
            List<Long> ids = killed.idsUntilItIsKilled("early in a tick");
            ids.addAll(next.idsUntilItIsKilled("now"));

            assertThat(ids).hasSize(2 * OtherProcess.IDS).isSorted().doesNotHaveDuplicates();
        }
    }

    /** A JVM that opens a generator on request, and is killed after it has printed some IDs. */
    static final class OtherProcess implements AutoCloseable {

        static final int IDS = 5;

        /** The layout has ended with its original epoch. */
        private static final IdLayout LAYOUT = IdLayout.BAIDU.toBuilder()
                .epoch(Instant.parse("2024-11-20T13:24:16Z"))
                .build();

        private final Process process;
        private final BufferedReader out;

        OtherProcess() throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            OtherProcess.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            out = process.inputReader(StandardCharsets.UTF_8);
        }

        void awaitReady() throws IOException {
            assertThat(out.readLine()).isEqualTo("ready");
        }

        List<Long> idsUntilItIsKilled(String when) throws Exception {
            process.outputWriter(StandardCharsets.UTF_8).append(when + "\n").flush();
            List<Long> ids = new ArrayList<>();
            for (@Nullable String id = out.readLine(); id != null; id = out.readLine()) {
                ids.add(Long.parseLong(id));
            }
            assertThat(process.waitFor()).isEqualTo(137);
            return ids;
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }

        public static void main(String[] args) throws Exception {
            PrintStream out = System.out;
            try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                SnowflakeIdGenerator.builder()
                        .worker(WorkerIdAssigner.fixed(0, 1))
                        .build()
                        .close();
                out.println("ready");
                boolean anyTime = "now".equals(in.readLine());
                while (!anyTime && System.currentTimeMillis() % 1000 > 100) {
                    Thread.onSpinWait();
                }
                SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .layout(LAYOUT)
                        .worker(WorkerIdAssigner.fixed(0, 1))
                        .maxWait(Duration.ofMinutes(1))
                        .build();
                for (long id : generator.nextIds(IDS)) {
                    out.println(id);
                }
                out.flush();
                Runtime.getRuntime().halt(137);
            }
        }
    }

    private static SnowflakeIdGenerator.Builder generator(IdLayout layout, InstantSource clock) {
        return SnowflakeIdGenerator.builder()
                .layout(layout)
                .worker(WorkerIdAssigner.fixed(3, 4))
                .clock(clock);
    }

    /** Returns the tick and the sequence number of an ID. */
    private static List<Integer> decode(long id) {
        IdFields fields = SECONDS.decode(id);
        return List.of(
                (int) Duration.between(SECONDS.epoch(), fields.timestamp()).toSeconds(), fields.sequence());
    }
}
