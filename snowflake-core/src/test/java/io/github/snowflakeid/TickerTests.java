package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.test.SettableClock;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TickerTests {

    /** Sixteen IDs fill a tick; four of them start the ticker. */
    private static final IdLayout LAYOUT =
            IdLayout.builder().workerBits(14).sequenceBits(4).build();

    /** More slots than any test claims. */
    private static final long MANY = 1 << 20;

    /** A time source whose ticker runs only when the test calls {@link #tick}. */
    private static final class ByHand extends TimeSource {
        private final SettableClock clock;
        private final List<String> started = new ArrayList<>();
        private final List<Runnable> bodies = new ArrayList<>();
        private int looks;
        private boolean noMoreThreads;
        private long nanos;
        private Runnable meanwhile = () -> {};
        private Runnable atALook = () -> {};

        ByHand(SettableClock clock) {
            super(clock);
            this.clock = clock;
        }

        @Override
        int manyInAMillisecond() {
            return 4;
        }

        @Override
        long millis() {
            looks++;
            atALook.run();
            return super.millis();
        }

        @Override
        Thread start(String name, Runnable body) {
            started.add(name);
            if (!name.startsWith("snowflake-ticker")) {
                return super.start(name, body);
            }
            if (noMoreThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            bodies.add(body);
            return new Thread(body);
        }

        @Override
        long nanos() {
            return nanos == 0 ? super.nanos() : nanos;
        }

        @Override
        void sleep(long nanos) {
            if (this.nanos == 0) {
                super.sleep(nanos);
            } else {
                meanwhile.run();
            }
        }

        void tick(SnowflakeIdGenerator generator, long tick) {
            clock.set(LAYOUT.timestampOf(tick));
            generator.advance(MANY);
        }
    }

    private final ByHand time = new ByHand(SettableClock.at(LAYOUT.timestampOf(100)));

    private SnowflakeIdGenerator.Builder builder() {
        return SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .time(time)
                .worker(WorkerIdAssigner.fixed(0, 1))
                .maxWait(Duration.ZERO);
    }

    private static Allocation leased(int workerId, long firstSlot, long fence) {
        WorkerId worker = new WorkerId(0, workerId, "test");
        return Allocation.leased(
                new Allocation.Grant(worker, LAYOUT, 0, fence, fence), firstSlot, Allocation.none(worker));
    }

    private static long tickOf(long id) {
        return LAYOUT.tickAtOrAfter(LAYOUT.decode(id).timestamp());
    }

    private static int sequenceOf(long id) {
        return LAYOUT.decode(id).sequence();
    }

    @Test
    void beginsOnceManyIdsFallIntoATick() {
        try (SnowflakeIdGenerator generator = builder().build()) {
            generator.nextIds(4);
            assertThat(time.started).isEmpty();

            generator.nextIds(8);
            assertThat(time.started).containsExactly("snowflake-ticker");
        }
    }

    @Test
    void hasTheNameOfItsGenerator() {
        try (SnowflakeIdGenerator generator =
                builder().name("orders").maxDrift(Duration.ofMillis(50)).build()) {
            assertThat(generator.name()).isEqualTo("orders");
            generator.nextIds(20 * 16);
            for (int i = 0; i < 40; i++) {
                generator.nextId();
            }
            assertThat(time.started).containsExactly("snowflake-ticker-orders");
        }
    }

    @Test
    void doesNotBeginForFewIdsIfABatchHasLeftThemAheadOfTheClock() {
        try (SnowflakeIdGenerator generator =
                builder().maxDrift(Duration.ofMillis(50)).build()) {
            for (int i = 0; i < 10; i++) {
                generator.nextIds(4 * 16);
            }
            for (int i = 0; i < 35; i++) {
                time.clock.advance(Duration.ofMillis(1));
                generator.nextId();
            }
            assertThat(tickOf(generator.nextId())).isGreaterThan(136);
            assertThat(time.started).isEmpty();
        }
    }

    /** For example after a burst whose ticker has ended, or because another generator shares the worker ID. */
    @Test
    void beginsForManyIdsAheadOfTheClockAsWell() {
        try (SnowflakeIdGenerator generator =
                builder().maxDrift(Duration.ofMillis(50)).build()) {
            generator.nextIds(20 * 16);
            for (int i = 0; i < 40; i++) {
                generator.nextId();
            }
            assertThat(tickOf(generator.nextId())).isGreaterThan(120);
            assertThat(time.started).containsExactly("snowflake-ticker");
        }
    }

    @Test
    void countsClaimedSlotsAndNotSkippedOnes() {
        try (SnowflakeIdGenerator generator =
                builder().maxDrift(Duration.ofMillis(50)).build()) {
            time.tick(generator, 101);
            long before = generator.allocation().next();
            generator.nextIds(5);
            assertThat(generator.claimedSince(before)).isEqualTo(5);

            time.tick(generator, 102);
            assertThat(generator.claimedSince(before)).isZero();
            generator.nextIds(40);
            assertThat(generator.claimedSince(generator.allocation().next() - 40))
                    .isEqualTo(40);
        }
    }

    @Test
    void looksAtTheClockForAllCallersAndMovesThemToTheNextTick() {
        try (SnowflakeIdGenerator generator = builder().build()) {
            time.tick(generator, 101);
            time.looks = 0;
            long last = 0;
            for (int i = 0; i < 10; i++) {
                last = generator.nextId();
            }
            assertThat(tickOf(last)).isEqualTo(101);
            assertThat(time.looks).isZero();

            time.tick(generator, 102);
            time.looks = 0;
            long[] batch = generator.nextIds(5);
            assertThat(tickOf(batch[0])).isEqualTo(102);
            assertThat(sequenceOf(batch[4])).isEqualTo(4);
            assertThat(time.looks).isZero();
        }
    }

    @Test
    void whereItIsLateCallersLookAtTheClockThemselvesOnceTheTickIsFull() {
        try (SnowflakeIdGenerator generator = builder().build()) {
            time.tick(generator, 101);
            time.clock.set(LAYOUT.timestampOf(110));
            long last = 0;
            for (int i = 0; i < 16; i++) {
                last = generator.nextId();
            }
            assertThat(tickOf(last)).isEqualTo(101);
            assertThat(tickOf(generator.nextId())).isEqualTo(110);
        }
    }

    @Test
    void callerThatFindsTheSlotsOfALateTickerExhaustedReadsTheClockInstead() {
        try (SnowflakeIdGenerator generator = builder().build()) {
            generator.nextIds(4);
            generator.nextId();
            assertThat(time.started).containsExactly("snowflake-ticker");
            time.clock.set(LAYOUT.timestampOf(101));
            generator.advance(3);
            time.clock.set(LAYOUT.timestampOf(110));
            time.looks = 0;
            for (int i = 0; i < 3; i++) {
                assertThat(tickOf(generator.nextId())).isEqualTo(101);
            }
            assertThat(time.looks).isZero();

            assertThat(tickOf(generator.nextId())).isEqualTo(110);
            time.looks = 0;
            assertThat(tickOf(generator.nextId())).isEqualTo(110);
            assertThat(tickOf(generator.nextId())).isEqualTo(110);
            assertThat(time.looks).isZero();
        }
    }

    @Test
    void limitThatAnotherGeneratorOfTheWorkerHasRemovedLeavesNoOldIdsBehind() {
        long hour = 3_600_000;
        try (SnowflakeIdGenerator one = builder().build();
                SnowflakeIdGenerator other = builder().build()) {
            other.replace(other.allocation(), one.allocation());
            for (int size = 1; size <= 3; size += 2) {
                time.tick(one, size * hour);
                time.tick(other, size * hour);
                time.looks = 0;
                assertThat(tickOf(other.nextId())).isEqualTo(size * hour);
                assertThat(time.looks).isZero();

                one.unlimit();
                time.clock.set(LAYOUT.timestampOf((size + 1) * hour));
                long id = size == 1 ? other.nextId() : other.nextIds(size)[0];
                assertThat(tickOf(id)).isEqualTo((size + 1) * hour);
            }
        }
    }

    /** However often this happens, for example because the machine pauses after each claim. */
    @Test
    void runsThatAreTooLateAreGivenUpOneAfterTheOther() {
        int times = 50_000;
        AtomicInteger late = new AtomicInteger();
        try (SnowflakeIdGenerator generator = builder().build()) {
            time.clock.set(LAYOUT.timestampOf(101));
            generator.advance(1);
            Runnable[] tooLate = new Runnable[1];
            tooLate[0] = () -> {
                time.atALook = () -> {};
                time.clock.set(LAYOUT.timestampOf(101 + late.incrementAndGet()));
                generator.advance(1);
                time.atALook = late.get() < times ? tooLate[0] : () -> {};
            };
            time.atALook = tooLate[0];

            assertThat(Arrays.stream(generator.nextIds(8)).map(TickerTests::tickOf))
                    .contains(101L + times)
                    .isSorted();
            assertThat(late).hasValue(times);
        }
    }

    /**
     * Twice the slots claimed since the last read, but not fewer than start the ticker, and not fewer than half as many
     * as before.
     */
    @Test
    void letsCallersDoWithoutTheClockForAsLongAsTwoLooksTake() {
        SnowflakeIdGenerator generator =
                builder().maxDrift(Duration.ofSeconds(10)).build();
        generator.nextIds(4);
        generator.nextId();
        time.nanos = 1;
        List<Long> slots = new ArrayList<>();
        int[][] claimedInMillis = {{1, 1}, {10, 1}, {1000, 1}, {1000, 4}, {400, 1}, {10, 1}, {10, 1}, {1, 200}};
        Iterator<int[]> load = List.of(claimedInMillis).iterator();
        time.meanwhile = () -> {
            slots.add(generator.allocation().limit()
                    - Long.MIN_VALUE
                    - generator.allocation().next());
            if (load.hasNext()) {
                int[] next = load.next();
                generator.nextIds(next[0]);
                time.nanos += next[1] * 1_000_000L;
            } else {
                time.clock.set(LAYOUT.timestampOf(20_000));
                generator.close();
            }
        };
        time.bodies.get(0).run();

        assertThat(slots).containsExactly(4L, 4L, 20L, 2000L, 1000L, 800L, 400L, 200L, 100L);
    }

    /** The caller that noticed the ticker was delayed, and by now the generator has another worker ID and no ticker. */
    @Test
    void batchesLookAtTheClockIfOnlyAnEarlierLeaseHadATicker() {
        time.noMoreThreads = true;
        SnowflakeIdGenerator generator =
                builder().maxDrift(Duration.ofMillis(1)).build();
        generator.nextIds(12);
        Allocation first = generator.allocation();
        first.limitTo(100 * 16 + 14);
        time.atALook = () -> {
            if (generator.allocation() == first) {
                generator.replace(first, leased(2, 101 * 16, 100_000));
            }
        };
        generator.nextId();

        time.clock.set(LAYOUT.timestampOf(50_000));
        assertThat(Arrays.stream(generator.nextIds(8)).map(TickerTests::tickOf)).containsOnly(50_000L);
    }

    @Test
    void largeBatchLeavesIdsToOthersInBetween() {
        SnowflakeIdGenerator generator =
                builder().maxDrift(Duration.ofSeconds(1)).build();
        List<Long> others = new ArrayList<>();
        Runnable another = () -> {
            Runnable again = time.atALook;
            time.atALook = () -> {};
            others.add(generator.nextId());
            time.atALook = again;
        };
        time.atALook = another;
        long[] batch = generator.nextIds(160);
        time.atALook = () -> {};

        assertThat(others).filteredOn(id -> batch[0] < id && id < batch[159]).hasSizeGreaterThanOrEqualTo(9);
        assertThat(Stream.concat(others.stream(), Arrays.stream(batch).boxed())).doesNotHaveDuplicates();
    }

    @Test
    void callersReadTheClockThemselvesIfNoThreadCanBeStarted() {
        time.noMoreThreads = true;
        try (SnowflakeIdGenerator generator = builder().build()) {
            for (int tick = 101; tick < 110; tick++) {
                time.clock.set(LAYOUT.timestampOf(tick));
                for (int i = 0; i < 16; i++) {
                    assertThat(tickOf(generator.nextId())).isEqualTo(tick);
                }
            }
            assertThat(time.started).containsExactly("snowflake-ticker");
        }
    }

    @Test
    void afterAStepBackOfTheClockCallersClaimNoUnusableSlots() {
        try (SnowflakeIdGenerator generator = builder().build()) {
            time.tick(generator, 101);
            long first = generator.nextId();
            time.tick(generator, 90);

            long next = generator.lastTick();
            for (int i = 0; i < 100; i++) {
                assertThatExceptionOfType(ClockMovedBackwardsException.class)
                        .isThrownBy(generator::nextId)
                        .withMessage(
                                "No ID issued: the clock is 11 ms behind the last issued ID (tolerated: 0 ms). IDs resume when it has caught up");
            }
            assertThat(generator.lastTick()).isEqualTo(next);
            time.clock.set(LAYOUT.timestampOf(101));
            assertThat(generator.nextId()).isEqualTo(first + 1);
        }
    }

    @Test
    void atMostOneSlotIsLostWhenATickIsFull() {
        try (SnowflakeIdGenerator generator = builder().build()) {
            time.tick(generator, 101);
            generator.nextIds(16);
            for (int i = 0; i < 100; i++) {
                assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(generator::nextId);
            }
            time.tick(generator, 102);
            long next = generator.nextId();
            assertThat(tickOf(next)).isEqualTo(102);
            assertThat(sequenceOf(next)).isOne();
        }
    }

    @Test
    void letsIdsRunAheadAsFarAsTheDriftAllows() {
        try (SnowflakeIdGenerator generator =
                builder().maxDrift(Duration.ofMillis(3)).build()) {
            time.tick(generator, 101);
            time.looks = 0;
            long last = 0;
            for (int i = 0; i < 4 * 16; i++) {
                last = generator.nextId();
            }
            assertThat(time.looks).isZero();
            assertThat(tickOf(last)).isEqualTo(104);
            assertThat(sequenceOf(last)).isEqualTo(15);
            assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(generator::nextId);
        }
    }

    @Test
    void neverLetsAnIdPassTheFence() {
        InMemoryRegistry registry = new InMemoryRegistry(time::instant);
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .time(time)
                .lease(LeaseTerms.of(registry).withTtl(Duration.ofSeconds(10)).withMaxClockSkew(Duration.ofDays(1)))
                .maxDrift(Duration.ofHours(1))
                .maxWait(Duration.ofMillis(20))
                .build()) {
            registry.failWith(new IllegalStateException("down"));
            Instant fence = generator.lease().orElseThrow().fence();
            time.tick(generator, 101);
            assertThatExceptionOfType(WorkerLeaseExpiredException.class).isThrownBy(() -> {
                while (true) {
                    assertThat(LAYOUT.decode(generator.nextId()).timestamp()).isBefore(fence);
                }
            });
            registry.failWith(null);
        }
    }

    @Test
    void lookAtAClockThatIsPastTheFenceIsLeftToTheCallers() {
        InMemoryRegistry registry = new InMemoryRegistry(time::instant);
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(LAYOUT)
                .time(time)
                .lease(LeaseTerms.of(registry).withTtl(Duration.ofSeconds(1)).withMaxClockSkew(Duration.ofDays(1)))
                .maxWait(Duration.ofMillis(20))
                .build()) {
            registry.failWith(new IllegalStateException("down"));
            time.tick(generator, 101);
            generator.nextId();
            time.tick(generator, 5000);

            assertThatExceptionOfType(WorkerLeaseExpiredException.class).isThrownBy(generator::nextId);
            registry.failWith(null);
        }
    }

    @Test
    void nothingIsIssuedAfterCloseNorByAnOldLimitAfterReopening() {
        SnowflakeIdGenerator generator = builder().build();
        time.tick(generator, 101);
        long last = generator.nextId();
        time.clock.set(LAYOUT.timestampOf(102));
        generator.close();
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);

        generator.advance(MANY);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);

        time.clock.set(LAYOUT.timestampOf(200));
        generator.reopen();
        long next = generator.nextId();
        assertThat(next).isGreaterThan(last);
        assertThat(tickOf(next)).isEqualTo(200);
        generator.close();
    }

    @Test
    void batchBeyondTheLimitIsRejectedImmediatelyIfItsLastIdIsTooFarAhead() {
        IdLayout tenSeconds = LAYOUT.toBuilder().tick(Duration.ofSeconds(10)).build();
        try (SnowflakeIdGenerator generator = builder().layout(tenSeconds).build()) {
            time.clock.set(tenSeconds.timestampOf(generator.lastTick() + 1));
            generator.nextId();
            generator.advance(MANY);
            generator.nextIds(11);

            assertThatExceptionOfType(ClockMovedBackwardsException.class)
                    .isThrownBy(() -> generator.nextIds(6))
                    .withMessage(
                            "No ID issued: a batch of 6 IDs needs 10000 ms of future ticks (tolerated: 0 ms). Request fewer IDs at once");
            assertThat(generator.statistics().waited()).isZero();
        }
    }

    @Test
    void lookAtAClockBeforeTheEpochSkipsNothing() {
        IdLayout layout = LAYOUT.toBuilder().epoch(time.instant()).build();
        try (SnowflakeIdGenerator generator =
                builder().layout(layout).maxDrift(Duration.ofSeconds(1)).build()) {
            generator.nextIds(3);
            time.clock.advance(Duration.ofMillis(-5));
            generator.advance(MANY);

            assertThat(layout.decode(generator.nextId()).sequence()).isEqualTo(3);
            assertThat(layout.decode(generator.nextId()).sequence()).isEqualTo(4);
        }
    }

    @Test
    void reachedLimitIsNotRemovedIfAnotherOneExists() {
        Allocation allocation = leased(1, 0, 1000);
        allocation.limitTo(16 * 2);
        long reached = allocation.limit();
        allocation.limitTo(16 * 3);
        allocation.unlimit(reached);
        assertThat(allocation.limit()).isEqualTo(16 * 3 + Long.MIN_VALUE);
        allocation.unlimit(allocation.limit());
        assertThat(allocation.limit()).isEqualTo(Allocation.NO_LIMIT);
    }

    @Test
    void skippingMovesForwardOnly() {
        Allocation allocation = leased(1, 10, 1000);
        assertThat(allocation.skip(32, 32)).isTrue();
        assertThat(allocation.next()).isEqualTo(32);
        allocation.claim(3);
        assertThat(allocation.skip(64, 64)).isTrue();
        assertThat(allocation.next()).isEqualTo(64);
        assertThat(allocation.skip(48, 48)).isTrue();
        assertThat(allocation.next()).isEqualTo(64);
    }

    @Test
    void whoEntersATickAfterAnotherSkipsNoneOfIts() {
        Allocation allocation = leased(1, 10, 1000);
        assertThat(allocation.claimFrom(10, 32, 33)).isEqualTo(33);
        assertThat(allocation.claimFrom(10, 32, 47)).isEqualTo(34);
        assertThat(allocation.skip(32, 40)).isTrue();
        assertThat(allocation.next()).isEqualTo(35);
    }

    @Test
    void threadExistsUnderLoadOnlyAndEndsWithTheGenerator() throws Exception {
        awaitNoTicker();
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(31, 31))
                .maxDrift(Duration.ofSeconds(1))
                .build();
        generator.nextId();
        assertThat(tickers()).isEmpty();

        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertThat(awaitTicker(generator)).allSatisfy(thread -> {
                assertThat(thread.isDaemon()).isTrue();
                assertThat(thread.getContextClassLoader()).isSameAs(SnowflakeIdGenerator.class.getClassLoader());
            });
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        awaitNoTicker();
        generator.nextId();

        awaitTicker(generator);
        generator.close();
        awaitNoTicker();
    }

    @Test
    void generatorsOfOneWorkerDoNotKeepEachOthersTickersAwake() throws Exception {
        try (SnowflakeIdGenerator one = ofOneWorker();
                SnowflakeIdGenerator other = ofOneWorker()) {
            while (tickers().size() < 2) {
                awaitNoTicker();
                for (int i = 0; i < 3_000; i++) {
                    one.nextId();
                    other.nextId();
                }
            }
            awaitNoTicker();
        }
    }

    private static SnowflakeIdGenerator ofOneWorker() {
        return SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(31, 30))
                .build();
    }

    /** The ticker of another test may be about to end. */
    private static void awaitNoTicker() throws InterruptedException {
        while (!tickers().isEmpty()) {
            Thread.sleep(1);
        }
    }

    private static List<Thread> awaitTicker(SnowflakeIdGenerator generator) {
        List<Thread> found = tickers();
        while (found.isEmpty()) {
            for (int i = 0; i < 100_000; i++) {
                generator.nextId();
            }
            found = tickers();
        }
        return found;
    }

    private static List<Thread> tickers() {
        return Stream.of(Thread.getAllStackTraces().keySet().toArray(Thread[]::new))
                .filter(thread -> thread.getName().equals("snowflake-ticker"))
                .toList();
    }

    @Test
    void anIdAllocatesNothing() throws Exception {
        IdLayout wide = IdLayout.builder()
                .datacenterBits(0)
                .workerBits(0)
                .sequenceBits(22)
                .build();
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(wide)
                .worker(WorkerIdAssigner.fixed(0, 0))
                .maxDrift(Duration.ofSeconds(1))
                .build()) {
            long[] target = new long[256];
            makeIds(generator, target, 200_000);
            long before = allocatedBytes();
            makeIds(generator, target, 200_000);

            // A caller that reaches the limit allocates an object, once in some thousand IDs.
            assertThat(allocatedBytes() - before).isLessThan(100_000);
        }
    }

    private static void makeIds(SnowflakeIdGenerator generator, long[] target, int times) {
        for (int i = 0; i < times; i++) {
            generator.nextId();
        }
        for (int i = 0; i < times / 256; i++) {
            generator.nextIds(target);
        }
    }

    /** By reflection, because this module does not read the JVM's management modules. */
    private static long allocatedBytes() throws ReflectiveOperationException {
        Object threads = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        return (long) Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getThreadAllocatedBytes", long.class)
                .invoke(threads, Thread.currentThread().getId());
    }
}
