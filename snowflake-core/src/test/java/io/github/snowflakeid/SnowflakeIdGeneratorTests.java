package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.snowflakeid.test.SettableClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnowflakeIdGeneratorTests {

    /** Two sequence bits: four IDs fill a tick. */
    private static final IdLayout NARROW = IdLayout.builder().sequenceBits(2).build();

    private final SettableClock clock = SettableClock.at(NARROW.timestampOf(1));

    // The fields of an ID

    @Test
    void idCarriesTheTimeTheWorkerAndTheSequence() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(17, 30))
                .clock(InstantSource.fixed(Instant.parse("2026-03-04T05:06:07.089Z")))
                .build();
        generator.nextId();

        assertThat(generator.layout().decode(generator.nextId()))
                .isEqualTo(new IdFields(Instant.parse("2026-03-04T05:06:07.089Z"), 17, 30, 1));
    }

    @Test
    void systemClockStampsIdsUnlessAnotherIsSet() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(0, 1))
                .build();
        long before = System.currentTimeMillis();
        IdFields fields = generator.layout().decode(generator.nextId());
        long after = System.currentTimeMillis();

        assertThat(fields.timestamp().toEpochMilli()).isBetween(before, after);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 1000})
    void ticksOfAnyLengthBeginAtTheirMultiplesOfTheEpoch(long tickMillis) {
        IdLayout layout = NARROW.toBuilder().tick(Duration.ofMillis(tickMillis)).build();
        SettableClock clock = SettableClock.at(layout.timestampOf(6));
        SnowflakeIdGenerator generator = with(layout, clock).build();

        clock.set(layout.timestampOf(7));
        assertThat(decode(generator.nextId(), layout)).containsExactly(7, 0);
        clock.advance(Duration.ofMillis(tickMillis - 1));
        assertThat(decode(generator.nextId(), layout)).containsExactly(7, 1);
        clock.advance(Duration.ofMillis(1));
        assertThat(decode(generator.nextId(), layout)).containsExactly(8, 0);
    }

    @Test
    void describesItsLayoutAndItsWorkerId() {
        WorkerId workerId = new WorkerId(3, 4, "somewhere", "perhaps");
        SnowflakeIdGenerator generator =
                with(NARROW, clock).worker(layout -> workerId).build();

        assertThat(generator.layout()).isSameAs(NARROW);
        assertThat(generator.workerId()).isSameAs(workerId);
        generator.close();
        assertThat(generator.workerId()).isSameAs(workerId);
    }

    @Test
    void assignerIsCalledOnceWithTheLayout() {
        List<IdLayout> asked = new ArrayList<>();
        SnowflakeIdGenerator generator = with(NARROW, clock)
                .worker(layout -> {
                    asked.add(layout);
                    return new WorkerId(0, 0, "counted");
                })
                .build();
        generator.nextId();
        generator.nextIds(3);

        assertThat(asked).containsExactly(NARROW);
    }

    // The clock

    @Test
    void rejectsWhenTheClockStepsBackAndChangesNothingAsTwitterSpecified() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ZERO).build();
        assertThat(decode(generator.nextId())).containsExactly(1, 0);
        assertThat(decode(generator.nextId())).containsExactly(1, 1);

        clock.set(NARROW.timestampOf(0));
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(ClockMovedBackwardsException.class)
                    .isThrownBy(generator::nextId)
                    .withMessage(
                            "No ID issued: the clock is 1 ms behind the last issued ID (tolerated: 0 ms). IDs resume when it has caught up")
                    .satisfies(e -> assertThat(e.behind()).isEqualTo(Duration.ofMillis(1)))
                    .satisfies(e -> assertThat(e.tolerated()).isZero());
        }

        clock.set(NARROW.timestampOf(1));
        assertThat(decode(generator.nextId())).containsExactly(1, 2);
    }

    @Test
    void rejectsImmediatelyIfDriftAndWaitTogetherAreTooShort() {
        clock.set(NARROW.timestampOf(5000));
        SnowflakeIdGenerator generator = with(NARROW, clock)
                .maxDrift(Duration.ofMillis(700))
                .maxWait(Duration.ofMillis(300))
                .build();
        generator.nextId();
        clock.set(NARROW.timestampOf(790));

        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the clock is 4210 ms behind the last issued ID (tolerated: 1000 ms). IDs resume when it has caught up")
                .satisfies(e -> assertThat(e.behind()).isEqualTo(Duration.ofMillis(4210)))
                .satisfies(e -> assertThat(e.tolerated()).isEqualTo(Duration.ofMillis(1000)));
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> generator.nextIds(2));

        clock.set(NARROW.timestampOf(5000));
        assertThat(decode(generator.nextId())).containsExactly(5000, 1);
    }

    @Test
    void batchThatCannotContinueClaimsNothingMore() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ZERO).build();
        generator.nextIds(3);

        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> generator.nextIds(4));
        assertThat(generator.lastTick()).isEqualTo(1);
    }

    @Test
    void keepsIncreasingWhenTheClockStepsBackWithinTheDrift() {
        clock.set(NARROW.timestampOf(100));
        SnowflakeIdGenerator generator = with(NARROW, clock)
                .maxDrift(Duration.ofMillis(10))
                .maxWait(Duration.ZERO)
                .build();
        assertThat(decode(generator.nextId())).containsExactly(100, 0);
        clock.set(NARROW.timestampOf(90));

        assertThat(decode(generator.nextId())).containsExactly(100, 1);
        assertThat(decode(generator.nextId())).containsExactly(100, 2);
        assertThat(decode(generator.nextId())).containsExactly(100, 3);
        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the clock is 10 ms behind the last issued ID (tolerated: 10 ms). IDs resume when it has caught up");
        clock.set(NARROW.timestampOf(91));
        assertThat(decode(generator.nextId())).containsExactly(101, 0);
    }

    @Test
    void doesNotRepeatASequenceWhenTheClockReturnsToATickItLeft() {
        clock.set(NARROW.timestampOf(100));
        SnowflakeIdGenerator generator = with(NARROW, clock)
                .maxDrift(Duration.ofMillis(50))
                .maxWait(Duration.ZERO)
                .build();
        List<Long> ids = new ArrayList<>();
        for (int tick : new int[] {100, 99, 100, 98, 100, 101, 100, 101, 90, 101}) {
            clock.set(NARROW.timestampOf(tick));
            ids.add(generator.nextId());
        }

        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void burstBeyondTheSequenceBorrowsFromTheDriftAndRunsOnThroughTheTicks() {
        SnowflakeIdGenerator generator = with(NARROW, clock)
                .maxDrift(Duration.ofMillis(2))
                .maxWait(Duration.ZERO)
                .build();

        for (int i = 0; i < 12; i++) {
            assertThat(decode(generator.nextId())).containsExactly(1 + i / 4, i % 4);
        }
        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the clock is 2 ms behind the last issued ID (tolerated: 2 ms). IDs resume when it has caught up");
        clock.advance(Duration.ofMillis(1));
        assertThat(decode(generator.nextId())).containsExactly(4, 0);
    }

    @Test
    void driftCountsInWholeTicks() {
        IdLayout seconds = NARROW.toBuilder().tick(Duration.ofSeconds(1)).build();
        SettableClock clock = SettableClock.at(seconds.timestampOf(9));
        SnowflakeIdGenerator generator = with(seconds, clock)
                .maxDrift(Duration.ofMillis(1999))
                .maxWait(Duration.ZERO)
                .build();
        clock.set(seconds.timestampOf(10));

        for (int i = 0; i < 8; i++) {
            assertThat(decode(generator.nextId(), seconds)).containsExactly(10 + i / 4, i % 4);
        }
        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the clock is 1000 ms behind the last issued ID (tolerated: 1999 ms). IDs resume when it has caught up");
    }

    @Test
    void reportsThatTheTickIsExhaustedIfTheClockIsNotTheReason() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ZERO).build();
        for (int i = 0; i < 4; i++) {
            generator.nextId();
        }

        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: all IDs of this tick are used, and the next tick begins in 1 ms (tolerated: 0 ms)")
                .satisfies(e -> assertThat(e.behind()).isEqualTo(Duration.ofMillis(1)));
    }

    @Test
    void driftWithoutBoundRunsAheadOfAStoppedClock() {
        SnowflakeIdGenerator generator = with(NARROW, clock)
                .maxDrift(Duration.ofSeconds(Long.MAX_VALUE))
                .maxWait(Duration.ofSeconds(Long.MAX_VALUE))
                .build();

        long[] ids = generator.nextIds(1_000_000);

        assertThat(decode(ids[999_999])).containsExactly(250_000, 3);
    }

    @Test
    void clockBeforeTheEpochIsRejectedLikeAnyStepBack() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ZERO).build();
        clock.set(NARROW.timestampOf(-5));

        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(generator::nextId);
        clock.set(NARROW.timestampOf(1));
        assertThat(decode(generator.nextId())).containsExactly(1, 0);
    }

    // Waiting

    @Test
    void waitsForTheNextTickWhenTheSequenceIsExhausted() throws Exception {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ofMinutes(1)).build();
        generator.nextIds(4);
        Caller caller = Caller.of(generator::nextId);

        caller.awaitWaiting();
        assertThat(caller.isDone()).isFalse();
        clock.advance(Duration.ofMillis(1));

        assertThat(decode(caller.id())).containsExactly(2, 0);
    }

    @Test
    void waitsForTheClockToComeNearEnough() throws Exception {
        clock.set(NARROW.timestampOf(500));
        SnowflakeIdGenerator generator = with(NARROW, clock)
                .maxDrift(Duration.ofMillis(100))
                .maxWait(Duration.ofMinutes(1))
                .build();
        generator.nextId();
        clock.set(NARROW.timestampOf(100));
        Caller caller = Caller.of(generator::nextId);

        caller.awaitWaiting();
        clock.set(NARROW.timestampOf(399));
        caller.awaitWaiting();
        assertThat(caller.isDone()).isFalse();
        clock.set(NARROW.timestampOf(400));

        assertThat(decode(caller.id())).containsExactly(500, 1);
    }

    @Test
    void waitersAreServedInTheOrderTheyCame() throws Exception {
        IdLayout oneEach = NARROW.toBuilder().sequenceBits(0).build();
        SettableClock clock = SettableClock.at(oneEach.timestampOf(1));
        SnowflakeIdGenerator generator =
                with(oneEach, clock).maxWait(Duration.ofMinutes(1)).build();
        generator.nextId();
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Caller caller = Caller.of(generator::nextId);
            caller.awaitWaiting();
            callers.add(caller);
        }

        for (int i = 0; i < 8; i++) {
            clock.advance(Duration.ofMillis(1));
            assertThat(decode(callers.get(i).id(), oneEach)).containsExactly(2 + i, 0);
            assertThat(callers.subList(i + 1, 8)).noneMatch(Caller::isDone);
        }
    }

    @Test
    void waitsNoLongerThanMaxWaitEvenIfTheClockStandsStill() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ofMillis(20)).build();
        generator.nextIds(4);
        long start = System.nanoTime();

        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: all IDs of this tick are used, and the next tick begins in 1 ms (tolerated: 20 ms)");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        clock.advance(Duration.ofMillis(1));
        assertThat(decode(generator.nextId())).containsExactly(2, 1);
    }

    @Test
    void waiterIsRejectedAsSoonAsTheClockStepsOutOfReach() throws Exception {
        clock.set(NARROW.timestampOf(60_000));
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ofSeconds(50)).build();
        generator.nextIds(4);
        Caller caller = Caller.of(generator::nextId);

        caller.awaitWaiting();
        clock.set(NARROW.timestampOf(1_000));

        assertThat(caller.failure())
                .isInstanceOf(ClockMovedBackwardsException.class)
                .hasMessage(
                        "No ID issued: the clock is 59000 ms behind the last issued ID (tolerated: 50000 ms). IDs resume when it has caught up");
    }

    @Test
    void interruptedThreadGetsItsIdAndKeepsItsFlag() throws Exception {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ofMinutes(1)).build();
        generator.nextIds(4);
        Caller caller = Caller.of(() -> {
            long id = generator.nextId();
            return Thread.currentThread().isInterrupted() ? id : -1;
        });

        caller.awaitWaiting();
        caller.interrupt();
        caller.awaitWaiting();
        assertThat(caller.isDone()).isFalse();
        clock.advance(Duration.ofMillis(1));

        assertThat(decode(caller.id())).containsExactly(2, 0);
    }

    @Test
    void threadThatWasInterruptedBeforeGetsItsIdsAndKeepsItsFlag() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(NARROW)
                .worker(WorkerIdAssigner.fixed(0, 2))
                .build();
        Thread.currentThread().interrupt();
        long[] ids = generator.nextIds(40);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    // Batches

    @Test
    void batchIsAscendingAndContinuesWhereSingleIdsEnded() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxDrift(Duration.ofSeconds(1)).build();
        generator.nextId();

        long[] ids = generator.nextIds(10);

        for (int i = 0; i < 10; i++) {
            assertThat(decode(ids[i])).containsExactly(1 + (i + 1) / 4, (i + 1) % 4);
        }
        assertThat(decode(generator.nextId())).containsExactly(3, 3);
    }

    @Test
    void batchStartsInTheTickOfTheClock() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxDrift(Duration.ofSeconds(1)).build();
        generator.nextId();
        clock.set(NARROW.timestampOf(9));

        assertThat(Arrays.stream(generator.nextIds(5)).mapToObj(SnowflakeIdGeneratorTests::decode))
                .containsExactly(List.of(9, 0), List.of(9, 1), List.of(9, 2), List.of(9, 3), List.of(10, 0));
    }

    @Test
    void batchLargerThanTheBudgetIsRejected() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ZERO).build();

        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> generator.nextIds(9));
        clock.advance(Duration.ofMillis(10));
        assertThat(generator.nextIds(4)).hasSize(4).isSorted();
    }

    /** Eight IDs fill a tick of 10 s. */
    private static final IdLayout TEN_SECONDS =
            NARROW.toBuilder().tick(Duration.ofSeconds(10)).sequenceBits(3).build();

    private final SettableClock slowClock = SettableClock.at(TEN_SECONDS.timestampOf(0));

    /** Returns a generator that has used half of the current tick. */
    private SnowflakeIdGenerator halfOfTheTickUsed(Duration maxDrift, Duration maxWait) {
        SnowflakeIdGenerator generator =
                with(TEN_SECONDS, slowClock).maxDrift(maxDrift).maxWait(maxWait).build();
        slowClock.set(TEN_SECONDS.timestampOf(1));
        generator.nextIds(4);
        slowClock.advance(Duration.ofMillis(1));
        return generator;
    }

    @Test
    void batchWhoseLastIdIsTooFarAheadIsRejectedImmediatelyAndClaimsNothing() {
        SnowflakeIdGenerator generator = halfOfTheTickUsed(Duration.ZERO, Duration.ofMillis(9998));

        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(ClockMovedBackwardsException.class)
                    .isThrownBy(() -> generator.nextIds(6))
                    .withMessage(
                            "No ID issued: a batch of 6 IDs needs 9999 ms of future ticks (tolerated: 9998 ms). Request fewer IDs at once")
                    .satisfies(e -> assertThat(e.behind()).isEqualTo(Duration.ofMillis(9999)))
                    .satisfies(e -> assertThat(e.tolerated()).isEqualTo(Duration.ofMillis(9998)));
        }

        assertThat(generator.statistics().waited()).isZero();
        for (int sequence = 4; sequence < 8; sequence++) {
            assertThat(decode(generator.nextIds(1)[0], TEN_SECONDS)).containsExactly(1, sequence);
        }
    }

    @Test
    void batchOfMoreIdsThanAreLeftOfANewTickClaimsNothingEither() {
        SnowflakeIdGenerator generator = halfOfTheTickUsed(Duration.ZERO, Duration.ZERO);
        slowClock.set(TEN_SECONDS.timestampOf(2));

        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(() -> generator.nextIds(9))
                .withMessage(
                        "No ID issued: a batch of 9 IDs needs 10000 ms of future ticks (tolerated: 0 ms). Request fewer IDs at once");
        assertThat(decode(generator.nextIds(8)[7], TEN_SECONDS)).containsExactly(2, 7);
    }

    @Test
    void batchWhoseLastIdIsNearEnoughWaitsForIt() throws Exception {
        SnowflakeIdGenerator generator = halfOfTheTickUsed(Duration.ZERO, Duration.ofMillis(9999));
        Caller caller = Caller.of(() -> generator.nextIds(6)[5]);

        caller.awaitWaiting();
        slowClock.set(TEN_SECONDS.timestampOf(2));
        assertThat(decode(caller.id(), TEN_SECONDS)).containsExactly(2, 1);
    }

    @Test
    void batchRunsAheadOfTheClockAsFarAsTheDriftAllows() {
        SnowflakeIdGenerator generator = halfOfTheTickUsed(Duration.ofSeconds(10), Duration.ZERO);

        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(() -> generator.nextIds(13))
                .withMessageStartingWith("No ID issued: a batch of");
        slowClock.set(TEN_SECONDS.timestampOf(2));
        assertThat(decode(generator.nextIds(11)[10], TEN_SECONDS)).containsExactly(3, 7);
    }

    @Test
    void batchIsNotTheReportedReasonIfTheClockIsBehind() {
        SnowflakeIdGenerator generator = halfOfTheTickUsed(Duration.ZERO, Duration.ZERO);
        slowClock.set(TEN_SECONDS.timestampOf(0));

        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(() -> generator.nextIds(6))
                .withMessage(
                        "No ID issued: the clock is 10000 ms behind the last issued ID (tolerated: 0 ms). IDs resume when it has caught up");
    }

    @Test
    void clockThatIsFarBehindWithoutALeaseIsNotAReasonToRestart() {
        slowClock.set(TEN_SECONDS.timestampOf(1_000));
        SnowflakeIdGenerator generator = with(TEN_SECONDS, slowClock)
                .maxDrift(Duration.ZERO)
                .maxWait(Duration.ZERO)
                .build();
        slowClock.set(TEN_SECONDS.timestampOf(1_001));
        generator.nextId();
        slowClock.set(TEN_SECONDS.timestampOf(641));

        assertThatExceptionOfType(ClockMovedBackwardsException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: the clock is 3600000 ms behind the last issued ID (tolerated: 0 ms). IDs resume when it has"
                                + " caught up. Do not restart this process before: it would repeat IDs. IDs resume at once with a worker ID"
                                + " that was never used");
    }

    @Test
    void batchOfNoneClaimsNothing() {
        SnowflakeIdGenerator generator = with(NARROW, clock).build();

        assertThat(generator.nextIds(0)).isEmpty();
        assertThat(decode(generator.nextId())).containsExactly(1, 0);
    }

    @Test
    void batchOfANegativeCountIsRejectedByEveryGenerator() {
        IdGenerator counting = new AtomicInteger()::getAndIncrement;

        for (IdGenerator generator : List.of(with(NARROW, clock).build(), counting)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> generator.nextIds(-1))
                    .withMessage("count must not be negative, but was -1");
        }
    }

    @Test
    void generatorsWithoutABatchOfTheirOwnCallNextIdInTurn() {
        IdGenerator counting = new AtomicInteger(5)::getAndIncrement;

        assertThat(counting.nextIds(3)).containsExactly(5, 6, 7);
    }

    // End of a layout

    @ParameterizedTest
    @CsvSource({"41, 12", "42, 12", "10, 3", "38, 15", "12, 0"})
    void lastTickOfALayoutsLifeIsUsedToItsLastIdAndThenNeverAgain(int timestampBits, int sequenceBits) {
        IdLayout layout = IdLayout.builder()
                .timestampBits(timestampBits)
                .sequenceBits(sequenceBits)
                .build();
        assertLastTickIsExhausted(layout);
    }

    @Test
    void lastTickOfSixtyThreeBitsWithoutAWorkerIsUsedToItsLastId() {
        assertLastTickIsExhausted(new IdLayout(Instant.EPOCH, Duration.ofMillis(1), 50, 0, 0, 13));
        assertLastTickIsExhausted(new IdLayout(Instant.EPOCH, Duration.ofMillis(1), 62, 0, 0, 1));
        assertLastTickIsExhausted(new IdLayout(Instant.EPOCH, Duration.ofMillis(1), 51, 0, 0, 13));
    }

    private static void assertLastTickIsExhausted(IdLayout layout) {
        long lastTick = layout.endTick() - 1;
        int perTick = layout.maxSequence() + 1;
        SettableClock clock = SettableClock.at(layout.timestampOf(lastTick));
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(layout)
                .worker(WorkerIdAssigner.fixed(layout.maxDatacenterId(), layout.maxWorkerId()))
                .clock(clock)
                .maxDrift(Duration.ofSeconds(5))
                .build();

        long[] ids = generator.nextIds(perTick);
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(ids[perTick - 1])
                .isEqualTo(layout.encode(new IdFields(
                        layout.end().minus(layout.tick()),
                        layout.maxDatacenterId(),
                        layout.maxWorkerId(),
                        layout.maxSequence())));
        for (long millis : new long[] {0, layout.tick().toMillis(), 1_000_000}) {
            clock.advance(Duration.ofMillis(millis));
            String message = (millis == 0
                            ? "No ID issued: the timestamp field ends at %s and has no tick left (layout %s)"
                            : "No ID issued: the timestamp field ended at %s (layout %s)")
                    .formatted(layout.end(), layout);
            assertThatExceptionOfType(TimestampExhaustedException.class)
                    .isThrownBy(generator::nextId)
                    .withMessage(message);
            assertThatExceptionOfType(TimestampExhaustedException.class)
                    .isThrownBy(() -> generator.nextIds(100))
                    .withMessage(message);
        }
    }

    @Test
    void batchAcrossTheEndOfTheLayoutIsRejectedAsAWhole() {
        IdLayout layout = NARROW.toBuilder().timestampBits(10).build();
        SettableClock clock = SettableClock.at(layout.timestampOf(1023));
        SnowflakeIdGenerator generator =
                with(layout, clock).maxDrift(Duration.ofSeconds(1)).build();
        generator.nextIds(2);

        assertThatExceptionOfType(TimestampExhaustedException.class).isThrownBy(() -> generator.nextIds(3));
    }

    @Test
    void generatorThatJoinsAnotherAtTheEndOfSixtyThreeBitsRepeatsNoId() {
        long end = System.currentTimeMillis() + 300_000;
        IdLayout layout = new IdLayout(Instant.ofEpochMilli(end - (1L << 62)), Duration.ofMillis(1), 62, 0, 0, 1);
        SnowflakeIdGenerator.Builder builder = SnowflakeIdGenerator.builder()
                .layout(layout)
                .worker(WorkerIdAssigner.fixed(0, 0))
                .maxDrift(Duration.ofHours(1));
        SnowflakeIdGenerator one = builder.build();
        assertThatExceptionOfType(TimestampExhaustedException.class).isThrownBy(() -> {
            while (true) {
                one.nextIds(1000);
            }
        });

        SnowflakeIdGenerator other = builder.build();
        for (SnowflakeIdGenerator each : List.of(other, one)) {
            assertThat(each.tryNextId()).isEmpty();
            assertThatExceptionOfType(TimestampExhaustedException.class).isThrownBy(each::nextId);
            assertThatExceptionOfType(TimestampExhaustedException.class).isThrownBy(() -> each.nextIds(2));
        }
    }

    // Building

    @Test
    void epochInTheFutureIsRejected() {
        clock.set(NARROW.timestampOf(-1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(NARROW, clock).build())
                .withMessage("epoch must not be in the future, but was 2025-01-01T00:00:00Z"
                        + " (this machine's clock is at 2024-12-31T23:59:59.999Z)");
        clock.set(NARROW.timestampOf(0));
        assertThat(with(NARROW, clock).build().nextId()).isZero();
    }

    @Test
    void layoutThatHasEndedIsRejected() {
        assertThatExceptionOfType(TimestampExhaustedException.class)
                .isThrownBy(() -> SnowflakeIdGenerator.builder()
                        .layout(IdLayout.BAIDU)
                        .worker(WorkerIdAssigner.fixed(0, 0))
                        .clock(SettableClock.at(IdLayout.BAIDU.timestampOf(1 << 28)))
                        .build())
                .withMessage(
                        "No ID issued: the timestamp field ended at 2024-11-20T13:24:16Z (layout 28+0+22+13 bits of 1 s from"
                                + " 2016-05-19T16:00:00Z (8192 IDs/s per worker, ends 2024-11-20T13:24:16Z))");
    }

    @ParameterizedTest
    @CsvSource({
        "0,  32, 'workerId must be in [0, 31] (5 worker bits), but was 32'",
        "0,  -1, 'workerId must be in [0, 31] (5 worker bits), but was -1'",
        "32, 0,  'datacenterId must be in [0, 31] (5 datacenter bits), but was 32'",
        "-1, 0,  'datacenterId must be in [0, 31] (5 datacenter bits), but was -1'"
    })
    void workerIdOutOfRangeIsRejected(int datacenterId, int workerId, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(NARROW, clock)
                        .worker(WorkerIdAssigner.fixed(datacenterId, workerId))
                        .build())
                .withMessage(message);
    }

    @Test
    @SuppressWarnings("NullAway") // A careless implementation.
    void assignerThatReturnsNullIsRejected() {
        WorkerIdAssigner careless = layout -> null;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(NARROW, clock).worker(careless).build())
                .withMessage("WorkerIdAssigner must return a worker ID, but returned null");
    }

    @Test
    void negativeDurationsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeIdGenerator.builder().maxDrift(Duration.ofMillis(-1)))
                .withMessage("maxDrift must not be negative, but was PT-0.001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeIdGenerator.builder().maxWait(Duration.ofNanos(-1)))
                .withMessage("maxWait must not be negative, but was PT-0.000000001S");
    }

    @Test
    void workerHasToBeSet() {
        assertThatIllegalStateException()
                .isThrownBy(() -> SnowflakeIdGenerator.builder().build())
                .withMessage(
                        "worker or lease must be set, for example .worker(WorkerIdAssigner.fixed(datacenterId, workerId))");
    }

    @Test
    void nullsAreRejectedWhenTheyArePassed() {
        SnowflakeIdGenerator.Builder builder = SnowflakeIdGenerator.builder();

        assertThatNullPointerException().isThrownBy(() -> builder.layout(null)).withMessage("layout");
        assertThatNullPointerException().isThrownBy(() -> builder.worker(null)).withMessage("worker");
        assertThatNullPointerException().isThrownBy(() -> builder.clock(null)).withMessage("clock");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.sequenceStart(null))
                .withMessage("sequenceStart");
        assertThatNullPointerException()
                .isThrownBy(() -> new WorkerId(0, 0, null))
                .withMessage("origin");
    }

    // Closing

    @Test
    void closedGeneratorIssuesNothing() {
        SnowflakeIdGenerator generator = with(NARROW, clock).build();
        generator.nextId();
        generator.close();
        generator.close();

        for (int tick : new int[] {-3, 0, 1, 2, 100_000}) {
            clock.set(NARROW.timestampOf(tick));
            assertThatExceptionOfType(GeneratorClosedException.class)
                    .isThrownBy(generator::nextId)
                    .withMessage("No ID issued: the generator is closed");
            assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(() -> generator.nextIds(3));
        }
    }

    @Test
    void closeRejectsWaitingCallers() throws Exception {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ofMinutes(1)).build();
        generator.nextIds(4);
        Caller caller = Caller.of(generator::nextId);
        caller.awaitWaiting();

        generator.close();

        assertThat(caller.failure()).isInstanceOf(GeneratorClosedException.class);
    }

    @Test
    void batchIsIssuedWithAClockThatEntersATickAtEachRead() {
        AtomicLong looks = new AtomicLong(IdLayout.DEFAULT.epoch().toEpochMilli());
        try (SnowflakeIdGenerator generator = with(
                        IdLayout.DEFAULT, () -> Instant.ofEpochMilli(looks.incrementAndGet()))
                .build()) {
            assertThat(generator.nextIds(100)).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void closeIsNoticedByWhoWaitsForAClockThatIsFarBehind() throws Exception {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxWait(Duration.ofHours(1)).build();
        generator.nextId();
        clock.advance(Duration.ofMillis(-1_800_000));
        Caller caller = Caller.of(generator::nextId);
        caller.awaitWaiting();

        generator.close();

        assertThat(caller.failure()).isInstanceOf(GeneratorClosedException.class);
    }

    @Test
    void idClaimedWhileTheGeneratorIsBeingClosedIsNotIssued() {
        AtomicReference<Runnable> atNextLook = new AtomicReference<>(() -> {});
        InstantSource interfering = new InstantSource() {
            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(millis());
            }

            @Override
            public long millis() {
                atNextLook.getAndSet(() -> {}).run();
                return clock.millis();
            }
        };
        SnowflakeIdGenerator one = with(NARROW, interfering).build();
        SnowflakeIdGenerator other = with(NARROW, interfering).build();
        one.nextId();
        other.nextId();

        // A call reads its allocation and then the clock. The generator is closed between the two.
        atNextLook.set(one::close);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(one::nextId);
        atNextLook.set(other::close);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(() -> other.nextIds(2));
    }

    /** Another process may have used the worker ID in between. */
    @Test
    void idClaimedBeforeTheGeneratorWasClosedAndOpenedAgainIsNotIssued() {
        AtomicReference<Runnable> atNextLook = new AtomicReference<>(() -> {});
        InstantSource interfering = () -> {
            atNextLook.getAndSet(() -> {}).run();
            return clock.instant();
        };
        SnowflakeIdGenerator generator = with(NARROW, interfering).build();
        generator.nextId();
        clock.advance(Duration.ofMillis(1));
        AtomicLong afterReopening = new AtomicLong();

        // A call reads its allocation and then the clock. All of the following happens between the two.
        atNextLook.set(() -> {
            generator.close();
            clock.advance(Duration.ofMillis(100));
            generator.reopen();
            afterReopening.set(generator.nextId());
        });
        assertThat(generator.nextId()).isGreaterThan(afterReopening.get());
    }

    @Test
    void closeWaitsUntilTheClockHasPassedTheLastId() throws Exception {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxDrift(Duration.ofMinutes(1)).build();
        generator.nextIds(40);
        Caller closing = Caller.of(() -> {
            generator.close();
            return 0L;
        });

        closing.awaitWaiting();
        clock.set(NARROW.timestampOf(10));
        closing.awaitWaiting();
        assertThat(closing.isDone()).isFalse();
        clock.set(NARROW.timestampOf(11));

        assertThat(closing.id()).isZero();
    }

    @Test
    void closeWaitsNoLongerThanTheDriftAndATick() {
        SnowflakeIdGenerator generator =
                with(NARROW, clock).maxDrift(Duration.ofMillis(20)).build();
        generator.nextIds(60);
        long start = System.nanoTime();

        generator.close();

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void closedGeneratorLeavesNothingToRepeatForTheNextProcess() {
        for (int i = 0; i < 20; i++) {
            SnowflakeIdGenerator first = ofAnotherProcess();
            long last = first.nextIds(200)[199];
            first.close();

            assertThat(ofAnotherProcess().nextId()).isGreaterThan(last);
        }
    }

    /** A generator with another clock does not share the worker ID with the other generators of this process. */
    private static SnowflakeIdGenerator ofAnotherProcess() {
        return with(NARROW, Instant::now).maxDrift(Duration.ofMillis(100)).build();
    }

    // Two generators of one process

    @Test
    void generatorsOfOneWorkerInOneProcessMakeDifferentIds() {
        SnowflakeIdGenerator one = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(9, 9))
                .build();
        SnowflakeIdGenerator other = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(9, 9))
                .maxDrift(Duration.ofSeconds(1))
                .build();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            ids.add(one.nextId());
            ids.add(other.nextId());
        }

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        one.close();
        assertThat(other.nextId()).isGreaterThan(ids.get(39_999));
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(one::nextId);
    }

    @Test
    void generatorsOfOneWorkerKeepEachToItsOwnDrift() {
        IdLayout layout = NARROW.toBuilder().tick(Duration.ofMillis(10)).build();
        SnowflakeIdGenerator.Builder builder = SnowflakeIdGenerator.builder()
                .layout(layout)
                .worker(WorkerIdAssigner.fixed(9, 7))
                .maxWait(Duration.ZERO);
        SnowflakeIdGenerator strict = builder.maxDrift(Duration.ZERO).build();
        SnowflakeIdGenerator lenient = builder.maxDrift(Duration.ofHours(1)).build();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            ids.add(lenient.nextId());
            strict.tryNextId().ifPresent(id -> {
                assertThat(layout.decode(id).timestamp()).isBeforeOrEqualTo(Instant.now());
                ids.add(id);
            });
        }

        assertThat(layout.decode(lenient.nextId()).timestamp())
                .isAfter(Instant.now().plusSeconds(10));
        assertThat(strict.tryNextId()).isEmpty();
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(strict::nextId);
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(() -> strict.nextIds(2));
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void systemClockOfAnyZoneIsTheSystemClock() {
        List<Long> ids = new ArrayList<>();
        List<InstantSource> clocks = List.of(
                InstantSource.system(), Clock.systemUTC(), Clock.systemUTC(), Clock.system(ZoneId.of("Asia/Tokyo")));
        List<SnowflakeIdGenerator> generators = clocks.stream()
                .map(system -> SnowflakeIdGenerator.builder()
                        .worker(WorkerIdAssigner.fixed(9, 11))
                        .clock(system)
                        .build())
                .toList();
        for (int i = 0; i < 10_000; i++) {
            generators.forEach(generator -> ids.add(generator.nextId()));
        }

        assertThat(ids).doesNotHaveDuplicates();
        generators.forEach(SnowflakeIdGenerator::close);
    }

    @Test
    void clockWithoutOtherZonesIsUsedAsItIs() {
        Clock ofATest = new Clock() {
            @Override
            public ZoneId getZone() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Instant instant() {
                return clock.instant();
            }
        };
        assertThat(with(NARROW, ofATest).build().nextId()).isPositive();
    }

    /** A caller that was paused in a claim while its generator was closed must not find its allocation again. */
    @Test
    void generatorGetsANewAllocationWheneverItIsOpened() {
        SnowflakeIdGenerator.Builder builder = SnowflakeIdGenerator.builder().worker(WorkerIdAssigner.fixed(9, 12));
        SnowflakeIdGenerator one = builder.build();
        SnowflakeIdGenerator other = builder.build();
        Allocation first = one.allocation();

        one.close();
        one.close();
        one.reopen();
        assertThat(one.allocation()).isNotSameAs(first);
        long last = one.nextId();
        one.close();
        assertThat(other.nextId()).isGreaterThan(last);
        other.close();
    }

    @Test
    void generatorsOfOneWorkerReportTheSourceOfTheWorkerIdSeparately() {
        WorkerId configured = new WorkerId(9, 8, "configured");
        WorkerId guessed = new WorkerId(9, 8, "guessed", "perhaps not unique");
        for (WorkerId workerId : List.of(configured, guessed)) {
            assertThat(SnowflakeIdGenerator.builder()
                            .worker(layout -> workerId)
                            .build()
                            .workerId())
                    .isEqualTo(workerId);
        }
    }

    @Test
    void generatorsOfDifferentLayoutsOrWorkersDoNotTouchEachOther() {
        List<SnowflakeIdGenerator> generators = List.of(
                SnowflakeIdGenerator.builder()
                        .worker(WorkerIdAssigner.fixed(9, 1))
                        .build(),
                SnowflakeIdGenerator.builder()
                        .worker(WorkerIdAssigner.fixed(1, 9))
                        .build(),
                SnowflakeIdGenerator.builder()
                        .worker(WorkerIdAssigner.fixed(9, 1))
                        .layout(IdLayout.TWITTER)
                        .build());
        for (SnowflakeIdGenerator generator : generators) {
            IdFields fields = generator.layout().decode(generator.nextId());

            assertThat(fields.datacenterId()).isEqualTo(generator.workerId().datacenterId());
            assertThat(fields.workerId()).isEqualTo(generator.workerId().workerId());
            assertThat(fields.sequence()).isZero();
        }
    }

    // Helpers

    private static SnowflakeIdGenerator.Builder with(IdLayout layout, InstantSource clock) {
        return SnowflakeIdGenerator.builder()
                .layout(layout)
                .worker(WorkerIdAssigner.fixed(0, 0))
                .clock(clock);
    }

    private static List<Integer> decode(long id) {
        return decode(id, NARROW);
    }

    /** Returns the tick and the sequence number of an ID. */
    private static List<Integer> decode(long id, IdLayout layout) {
        IdFields fields = layout.decode(id);
        long tick = Duration.between(layout.epoch(), fields.timestamp()).toMillis()
                / layout.tick().toMillis();
        return List.of((int) tick, fields.sequence());
    }
}
