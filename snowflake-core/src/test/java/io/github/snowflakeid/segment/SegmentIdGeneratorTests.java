package io.github.snowflakeid.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.internal.ForStarter;
import io.github.snowflakeid.segment.NumbersUnavailableException.Reason;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentIdGeneratorTests {

    private static final String ORDERS = "orders";

    private final InMemorySegmentStore store = new InMemorySegmentStore("store a");
    private final InMemorySegmentStore other = new InMemorySegmentStore("store b");

    /** Background tasks, run when the test says so. */
    private final Queue<Runnable> background = new ConcurrentLinkedQueue<>();

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<SegmentIdGenerator> made = new ArrayList<>();
    private long nanos;
    private long look = 1_000;

    @AfterEach
    void end() {
        store.failWith(null);
        other.failWith(null);
        made.forEach(SegmentIdGenerator::close);
    }

    private SegmentIdGenerator made(SegmentIdGenerator.Builder builder) {
        SegmentIdGenerator generator = builder.build();
        made.add(generator);
        return generator;
    }

    private SegmentIdGenerator.Builder orders() {
        return SegmentIdGenerator.builder()
                .name(ORDERS)
                .store(store)
                .minStep(10)
                .maxWait(Duration.ofMinutes(1))
                .listener(new Told());
    }

    /**
     * Returns a generator of orders whose segments are fetched by {@link #work()}. Each {@link #look} at the time takes
     * a microsecond.
     */
    private SegmentIdGenerator.Builder byHand() {
        return orders().world(() -> nanos += look, background::add).maxWait(Duration.ofNanos(2_000));
    }

    /** Returns numbers that are requested at this interval. */
    private long[] numbersEach(Duration pause, SegmentIdGenerator generator, int count) {
        return LongStream.range(0, count)
                .map(number -> {
                    nanos += pause.toNanos();
                    return generator.nextId();
                })
                .toArray();
    }

    private void work() {
        for (Runnable next = background.poll(); next != null; next = background.poll()) {
            next.run();
        }
    }

    /** Does the same in another thread, since it may not end if the generator does not stop. */
    private void workElsewhere() {
        for (Runnable next = background.poll(); next != null; next = background.poll()) {
            Thread thread = new Thread(next);
            thread.setDaemon(true);
            thread.start();
            assertThatNoException().isThrownBy(() -> thread.join(10_000));
            assertThat(thread.isAlive()).as("still looking").isFalse();
        }
    }

    private static long[] numbers(SegmentIdGenerator generator, int count) {
        return LongStream.generate(generator::nextId).limit(count).toArray();
    }

    private static long[] range(long first, long last) {
        return LongStream.rangeClosed(first, last).toArray();
    }

    private Counter counter() {
        return store.read(ORDERS);
    }

    private final class Told implements SegmentListener {

        @Override
        public void storeExcluded(String store, RuntimeException reason) {
            String news = store + " left out: " + reason.getMessage();
            if (!told.contains(news)) {
                told.add(news);
            }
        }

        @Override
        public void storeRecovered(String store, Duration away) {
            told.add(store + " taken back");
        }

        @Override
        public void numbersEnded(NumbersUnavailableException reason) {
            told.add("ended: " + reason.reason());
        }

        @Override
        public void numbersResumed(Duration away) {
            told.add("flow again");
        }
    }

    // ---- numbers

    @Test
    void numbersOfOneProcessHaveNoGaps() {
        SegmentIdGenerator generator = made(orders());
        assertThat(numbers(generator, 10_000)).isEqualTo(range(1, 10_000));
    }

    @Test
    void numbersBeginWhereTheyAreToStart() {
        assertThat(numbers(made(orders().initialValue(0)), 25)).isEqualTo(range(0, 24));
    }

    @Test
    void processesShareTheNumbersOfAName() {
        SegmentIdGenerator one = made(orders().maxStep(10));
        SegmentIdGenerator two = made(orders().maxStep(10));
        long[] ofOne = numbers(one, 500);
        long[] ofTwo = numbers(two, 500);
        assertThat(ofOne).isSorted();
        assertThat(ofTwo).isSorted();
        assertThat(LongStream.concat(Arrays.stream(ofOne), Arrays.stream(ofTwo)).distinct())
                .hasSize(1000);
    }

    @Test
    void otherNamesHaveNumbersOfTheirOwn() {
        made(orders()).nextId();
        assertThat(made(orders().name("invoices")).nextId()).isEqualTo(1);
    }

    @Test
    void batchGoesOverSegmentsInAscendingOrder() {
        SegmentIdGenerator generator = made(orders().maxStep(100));
        assertThat(generator.nextIds(1234)).isEqualTo(range(1, 1234));
        assertThat(generator.nextIds(0)).isEmpty();
        assertThat(generator.nextId()).isEqualTo(1235);
    }

    @Test
    void threadsGetDifferentNumbersThatAscendForEach() throws Exception {
        int threads = 8;
        int count = 50_000;
        List<SegmentIdGenerator> processes =
                List.of(made(orders().maxStep(1000)), made(orders().maxStep(1000)), made(orders().maxStep(1000)));
        List<CompletableFuture<long[]>> callers = IntStream.range(0, threads)
                .mapToObj(caller -> {
                    SegmentIdGenerator generator = processes.get(caller % processes.size());
                    CompletableFuture<long[]> numbers = new CompletableFuture<>();
                    new Thread(() -> numbers.complete(
                                    caller % 4 == 0 ? inBatches(generator, count) : numbers(generator, count)))
                            .start();
                    return numbers;
                })
                .toList();
        long[][] numbers = new long[threads][];
        for (int caller = 0; caller < threads; caller++) {
            numbers[caller] = callers.get(caller).get(60, TimeUnit.SECONDS);
            assertThat(numbers[caller]).isSorted();
        }
        assertThat(Arrays.stream(numbers)
                        .flatMapToLong(Arrays::stream)
                        .distinct()
                        .count())
                .isEqualTo((long) threads * count);
    }

    private static long[] inBatches(SegmentIdGenerator generator, int count) {
        return IntStream.range(0, count / 50)
                .mapToObj(batch -> generator.nextIds(50))
                .flatMapToLong(Arrays::stream)
                .toArray();
    }

    // ---- fetching

    @Test
    void nextSegmentIsFetchedBeforeThisOneEnds() {
        SegmentIdGenerator generator = made(byHand().minStep(80).maxStep(80));
        numbersEach(Duration.ofSeconds(1), generator, 60);
        assertThat(background).isEmpty();
        assertThat(numbersEach(Duration.ofSeconds(1), generator, 5)).endsWith(65);
        assertThat(background).hasSize(1);
        work();
        assertThat(counter().last()).isEqualTo(160);
        assertThat(generator.statistics().remaining()).isEqualTo(95);
        assertThat(numbers(generator, 60)).isEqualTo(range(66, 125));
    }

    @Test
    void nextSegmentIsFetchedTheEarlierTheFasterNumbersAreUsed() {
        SegmentIdGenerator generator = made(byHand().minStep(80).maxStep(80));
        numbersEach(Duration.ofNanos(10), generator, 45);
        assertThat(background).hasSize(1);
    }

    @Test
    void callerWaitsForAnAnswerOnlyAsLongAsItTakes() throws Exception {
        store.answerAfter(Duration.ofMillis(20));
        SegmentIdGenerator generator = made(orders());
        assertThat(numbers(generator, 2000)).isEqualTo(range(1, 2000));
        assertThat(told).isEmpty();
    }

    @Test
    void onlyWhoFindsNoNumberHasWaited() {
        SegmentIdGenerator generator = made(byHand().maxStep(10));
        numbers(generator, 10);
        work();
        generator.nextId();
        assertThat(generator.statistics().waited()).isZero();
        numbers(generator, 9);
        assertThatExceptionOfType(NumbersUnavailableException.class).isThrownBy(generator::nextId);
        assertThat(generator.statistics().waited()).isPositive();
    }

    @Test
    void numbersOfAWriteWhoseAnswerWasLostAreNeverIssued() {
        SegmentIdGenerator generator = made(byHand().maxStep(10));
        store.loseNextAnswer();
        look = 1_000_000_000;
        numbers(generator, 10);
        work();
        assertThat(numbers(generator, 10)).isEqualTo(range(21, 30));
    }

    @Test
    void errorOfTheStoreDoesNotEndTheFetching() {
        AtomicInteger errors = new AtomicInteger(2);
        SegmentStore failing = new SegmentStore() {

            @Override
            public String description() {
                return store.description();
            }

            @Override
            public Counter read(String name) {
                if (look > 1_000 && errors.getAndDecrement() > 0) {
                    throw new StackOverflowError("deep");
                }
                return store.read(name);
            }

            @Override
            public boolean write(String name, Counter seen, Counter next) {
                return store.write(name, seen, next);
            }
        };
        SegmentIdGenerator generator = made(byHand().maxStep(10).store(failing));
        look = 1_000_000_000;
        numbers(generator, 10);
        work();
        assertThat(generator.nextId()).isEqualTo(11);
        assertThat(generator.statistics().failures()).isPositive();
    }

    @Test
    void unavailableStoreIsNoticedOnlyWhenNumbersAreExhausted() throws Exception {
        SegmentIdGenerator generator = made(orders().maxWait(Duration.ofMillis(200)));
        store.failWith(new IllegalStateException("connection refused"));
        assertThat(numbers(generator, 10)).isEqualTo(range(1, 10));
        while (generator.statistics().failures() == 0) {
            Thread.onSpinWait();
        }
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::nextId)
                .withMessage("No numbers of 'orders' left, and no store delivered more within 200 ms"
                        + " (connection refused)")
                .matches(refused -> refused.reason() == Reason.STORE_UNREACHABLE)
                .withCause(new IllegalStateException("connection refused"));
        assertThat(generator.unavailability()).isPresent();
        assertThat(generator.statistics().refused()).isEqualTo(1);
        assertThat(generator.excludedStores()).containsExactly("store a");
        store.failWith(null);
        CompletableFuture<Long> waits = CompletableFuture.supplyAsync(() -> {
            while (true) {
                try {
                    return generator.nextId();
                } catch (NumbersUnavailableException e) {
                    Thread.onSpinWait();
                }
            }
        });
        assertThat(waits.get(60, TimeUnit.SECONDS)).isEqualTo(11);
        assertThat(generator.unavailability()).isEmpty();
        while (told.size() < 4) {
            Thread.onSpinWait();
        }
        assertThat(told)
                .containsExactly(
                        "store a left out: connection refused",
                        "ended: STORE_UNREACHABLE",
                        "store a taken back",
                        "flow again");
    }

    @Test
    void outageDoesNotChangeHowManyNumbersAreFetched() throws Exception {
        SegmentIdGenerator generator = made(orders().minStep(10).maxStep(1000).maxWait(Duration.ofMillis(100)));
        while (generator.statistics().step() < 1000) {
            generator.tryNextId();
        }
        store.failWith(new IllegalStateException("away"));
        assertThatExceptionOfType(NumbersUnavailableException.class).isThrownBy(() -> {
            while (true) {
                generator.nextId();
            }
        });
        while (generator.statistics().failures() < 5) {
            Thread.sleep(10);
        }
        assertThat(generator.statistics().step()).isEqualTo(1000);
    }

    @Test
    void idIsTriedForWithoutWaiting() {
        SegmentIdGenerator generator = made(byHand().maxStep(10));
        for (int number = 1; number <= 10; number++) {
            assertThat(generator.tryNextId()).hasValue(number);
        }
        assertThat(generator.tryNextId()).isEmpty();
        work();
        assertThat(generator.tryNextId()).hasValue(11);
    }

    @Test
    void callerThatMustNotWaitTriggersTheNextFetch() {
        SegmentIdGenerator generator = made(byHand().maxStep(10).maxWait(Duration.ZERO));
        assertThatExceptionOfType(NumbersUnavailableException.class).isThrownBy(() -> generator.nextIds(15));
        work();
        assertThat(generator.nextId()).isEqualTo(11);
    }

    @Test
    void batchOverSeveralSegmentsWaitsNoLongerThanASingleNumber() throws Exception {
        Queue<Runnable> fetches = new ConcurrentLinkedQueue<>();
        AtomicLong time = new AtomicLong();
        SegmentIdGenerator generator =
                made(orders().maxStep(10).maxWait(Duration.ofSeconds(10)).world(time::get, fetches::add));
        CompletableFuture<long[]> batch = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                batch.complete(generator.nextIds(40));
            } catch (RuntimeException e) {
                batch.completeExceptionally(e);
            }
        });
        caller.start();
        for (int segment = 0; segment < 2; segment++) {
            while (fetches.isEmpty()) {
                Thread.onSpinWait();
            }
            time.addAndGet(6_000_000_000L);
            fetches.remove().run();
        }
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> batch.get(60, TimeUnit.SECONDS))
                .withCauseInstanceOf(NumbersUnavailableException.class);
        for (Runnable next = fetches.poll(); next != null; next = fetches.poll()) {
            next.run();
        }
    }

    @Test
    void interruptDoesNotEndAWait() throws Exception {
        SegmentIdGenerator generator = made(orders().maxStep(10).world(System::nanoTime, background::add));
        numbers(generator, 10);
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread caller = new Thread(() -> result.complete(
                generator.nextId() + " " + Thread.currentThread().isInterrupted()));
        caller.start();
        caller.interrupt();
        while (caller.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        work();
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("11 true");
    }

    // ---- end of the numbers

    @Test
    void numbersEndWhereTheyAreTo() {
        SegmentIdGenerator generator = made(byHand().maxValue(23));
        long[] numbers = new long[23];
        for (int i = 0; i < 23; i++) {
            numbers[i] = generator.nextId();
            work();
        }
        assertThat(numbers).isEqualTo(range(1, 23));
        for (int call = 0; call < 3; call++) {
            assertThatExceptionOfType(NumbersUnavailableException.class)
                    .isThrownBy(generator::nextId)
                    .withMessage("Counter 'orders' in store a is exhausted: its last number is 23")
                    .matches(refused -> refused.reason() == Reason.EXHAUSTED);
        }
        assertThat(told).containsExactly("ended: EXHAUSTED");
    }

    @Test
    void lastNumberOfALongIsIssued() {
        SegmentIdGenerator generator = made(byHand().initialValue(Long.MAX_VALUE - 4));
        assertThat(numbers(generator, 5)).isEqualTo(range(Long.MAX_VALUE - 4, Long.MAX_VALUE));
        work();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::nextId)
                .matches(refused -> refused.reason() == Reason.EXHAUSTED);
    }

    @Test
    void generatorDoesNotStartIfNumbersAreExhausted() {
        numbers(made(orders().maxValue(10)), 10);
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(orders().maxValue(10)::build)
                .withMessage("Counter 'orders' in store a is exhausted: its last number is 10");
    }

    // ---- invalid counters

    @Test
    void nameInUseWithAnotherStartDoesNotStart() {
        made(orders());
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(orders().initialValue(1000)::build)
                .withMessage(
                        "Counter 'orders' in store a has start 1 and increment 1, but this process is configured for start 1000 and increment 1."
                                + " Configure the same initial value and the same stores in the same order in all processes, or use another name")
                .matches(refused -> refused.reason() == Reason.COUNTER_MISMATCH);
    }

    @Test
    void nameInUseWithAnotherIncrementDoesNotStart() {
        made(orders());
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(orders().stores(List.of(other, store))::build)
                .withMessageStartingWith(
                        "Counter 'orders' in store a has start 1 and increment 1, but this process is configured for start 2 and increment 2.");
        assertThat(other.read(ORDERS))
                .as("nothing is taken before all stores were looked at")
                .isNull();
    }

    @Test
    void counterThatStandsAtANumberOfAnotherStoreDoesNotStart() {
        store.put(ORDERS, new Counter(1, 2, 1000, "set by hand"));
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(orders().stores(List.of(store, other))::build)
                .withMessage(
                        "Counter 'orders' in store a has the value 1000, which is not a number of this store (start 1, increment 2),"
                                + " so its next numbers may already be in use. Set it to a number of this store above the highest number in use")
                .matches(refused -> refused.reason() == Reason.COUNTER_MISMATCH);
    }

    @Test
    void counterThatMovedBackStopsTheGenerator() {
        SegmentIdGenerator generator = made(byHand().minStep(80).maxStep(80));
        store.put(ORDERS, new Counter(1, 1, 40, "restored"));
        numbers(generator, 70);
        work();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "Counter 'orders' in store a moved back, so numbers may be issued twice: it has the value 40, but this process has"
                                + " reserved numbers up to 80. The store was emptied or restored. Stop all processes, set the counter"
                                + " above the highest number in use, and start them again")
                .matches(refused -> refused.reason() == Reason.COUNTER_MOVED_BACK);
        assertThat(told).containsExactly("ended: COUNTER_MOVED_BACK");
        generator.close();
        assertThat(counter().last()).as("nothing is given back").isEqualTo(40);
    }

    @Test
    void counterThatIsGoneStopsTheGenerator() {
        SegmentIdGenerator generator = made(byHand().minStep(80).maxStep(80));
        store.clear();
        numbers(generator, 70);
        work();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(() -> generator.nextIds(5))
                .withMessageStartingWith(
                        "Counter 'orders' in store a moved back, so numbers may be issued twice: it no longer exists, but this process has reserved numbers up to 80");
        assertThat(generator.tryNextId()).isEmpty();
    }

    @Test
    void counterThatWasEmptiedWhileTheGeneratorWasClosedKeepsItFromOpening() {
        SegmentIdGenerator generator = made(byHand());
        numbers(generator, 9);
        work();
        generator.close();
        store.put(ORDERS, new Counter(1, 1, 8, "restored"));
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::reopen)
                .matches(refused -> refused.reason() == Reason.COUNTER_MOVED_BACK)
                .withMessageContaining("has the value 8, but this process has reserved numbers up to 9");
    }

    // ---- closing

    @Test
    void closingGivesTheRestBack() {
        SegmentIdGenerator generator = made(byHand());
        numbers(generator, 7);
        generator.close();
        assertThat(counter().last()).isEqualTo(7);
        assertThat(made(orders()).nextId()).isEqualTo(8);
    }

    @Test
    void closingReleasesTheSegmentThatWasReadyAsWell() {
        SegmentIdGenerator generator = made(byHand().maxStep(10));
        numbers(generator, 9);
        work();
        assertThat(counter().last()).isEqualTo(20);
        generator.close();
        assertThat(counter().last()).isEqualTo(9);
    }

    @Test
    void generatorThatGaveItsWholeSegmentBackOpensAgainAfterAnotherOneGaveBackNumbersBeforeIt() {
        SegmentIdGenerator another = made(byHand().maxStep(10));
        SegmentIdGenerator generator = made(byHand());
        generator.close();
        numbers(another, 9);
        work();
        another.close();
        assertThat(counter().last()).isEqualTo(9);
        generator.reopen();
        assertThat(generator.nextId()).isEqualTo(11);
    }

    @Test
    void nothingIsReleasedIfAnotherProcessHasFetchedNumbersSince() {
        SegmentIdGenerator generator = made(byHand());
        SegmentIdGenerator another = made(byHand());
        numbers(generator, 3);
        assertThat(another.nextId()).isEqualTo(11);
        generator.close();
        assertThat(counter().last()).isEqualTo(20);
    }

    @Test
    void numbersAreReleasedOnlyOnce() {
        SegmentIdGenerator generator = made(byHand());
        numbers(generator, 3);
        generator.close();
        SegmentIdGenerator next = made(byHand());
        assertThat(numbers(next, 7)).isEqualTo(range(4, 10));
        generator.close();
        assertThat(counter().last()).isEqualTo(13);
    }

    @Test
    void segmentThatArrivesAfterTheEndGoesBack() throws Exception {
        SegmentIdGenerator generator =
                made(orders().maxStep(10).maxWait(Duration.ZERO).world(System::nanoTime, background::add));
        numbers(generator, 10);
        generator.close();
        work();
        assertThat(counter().last()).isEqualTo(10);
    }

    @Test
    void unavailableStoreDoesNotPreventAGeneratorFromClosing() {
        SegmentIdGenerator generator = made(byHand());
        store.failWith(new IllegalStateException("away"));
        generator.close();
        store.failWith(null);
        assertThat(counter().last()).isEqualTo(10);
    }

    /** Never answers while it hangs. */
    private final class Hanging implements SegmentStore {

        private final CountDownLatch end = new CountDownLatch(1);
        private final CountDownLatch asked = new CountDownLatch(1);
        private volatile boolean hangs;

        @Override
        public String description() {
            return store.description();
        }

        @Override
        public Counter read(String name) {
            hang();
            return store.read(name);
        }

        @Override
        public boolean write(String name, Counter seen, Counter next) {
            hang();
            return store.write(name, seen, next);
        }

        private void hang() {
            if (hangs) {
                asked.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closingEndsAlthoughTheStoreHangs(boolean whileFetching) throws Exception {
        Hanging hanging = new Hanging();
        SegmentIdGenerator generator = orders().maxStep(10)
                .store(hanging)
                .maxWait(Duration.ofMillis(100))
                .build();
        try {
            hanging.hangs = true;
            if (whileFetching) {
                generator.nextIds(9);
                hanging.asked.await();
            }
            CompletableFuture.runAsync(generator::close, body -> new Thread(body).start())
                    .get(60, TimeUnit.SECONDS);
            assertThat(generator.isClosed()).isTrue();
        } finally {
            hanging.end.countDown();
        }
    }

    /** Fails when interrupted, as databases and Redis do. */
    private final class FailsWhenInterrupted implements SegmentStore {

        @Override
        public String description() {
            return store.description();
        }

        @Override
        public Counter read(String name) {
            check();
            return store.read(name);
        }

        @Override
        public boolean write(String name, Counter seen, Counter next) {
            check();
            return store.write(name, seen, next);
        }

        private void check() {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
        }
    }

    @Test
    void interruptedThreadOpensAndClosesAsAnyOther() {
        Thread.currentThread().interrupt();
        SegmentIdGenerator generator = made(byHand().store(new FailsWhenInterrupted()));
        assertThat(Thread.interrupted()).isTrue();
        numbers(generator, 3);
        Thread.currentThread().interrupt();
        generator.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(counter().last()).isEqualTo(3);
    }

    @Test
    void closedGeneratorIssuesNothing() throws Exception {
        SegmentIdGenerator generator = made(orders().maxStep(10).world(System::nanoTime, background::add));
        numbers(generator, 10);
        CompletableFuture<Throwable> waiting = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                generator.nextId();
                waiting.complete(new AssertionError("issued"));
            } catch (RuntimeException e) {
                waiting.complete(e);
            }
        });
        caller.start();
        while (caller.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        new Thread(generator::close).start();
        assertThat(waiting.get(60, TimeUnit.SECONDS)).isInstanceOf(GeneratorClosedException.class);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(() -> generator.nextIds(3));
        assertThat(generator.tryNextId()).isEmpty();
        assertThat(generator.statistics().issued()).isEqualTo(10);
        work();
    }

    @Test
    void generatorThatIsOpenedAgainContinues() {
        SegmentIdGenerator generator = made(byHand());
        numbers(generator, 7);
        generator.close();
        work();
        generator.reopen();
        generator.reopen();
        assertThat(numbers(generator, 5)).isEqualTo(range(8, 12));
        assertThat(told).isEmpty();
    }

    @Test
    void generatorIsNotOpenedAgainWhileAStoreHasNotAnswered() {
        SegmentIdGenerator generator = made(byHand().maxStep(10));
        numbers(generator, 10);
        generator.close();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::reopen)
                .withMessage("No numbers of 'orders' left, and no store delivered more within 0 ms");
        work();
        generator.reopen();
        assertThat(generator.nextId()).isEqualTo(11);
    }

    @Test
    void generatorThatIsBuiltClosedReservesNumbersWhenItIsOpened() {
        try (SegmentIdGenerator generator = orders().buildClosed(ForStarter.KEY)) {
            assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
            assertThat(generator.isClosed()).isTrue();
            assertThat(counter()).isNull();

            generator.reopen();

            assertThat(generator.nextId()).isEqualTo(1);
        }
    }

    @Test
    void generatorThatCannotBeOpenedAgainRemainsClosed() {
        SegmentIdGenerator generator = made(byHand());
        generator.close();
        store.failWith(new IllegalStateException("away"));
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::reopen)
                .withMessage("No store delivered numbers of 'orders' within 0 ms (away)");
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        store.failWith(null);
        generator.reopen();
        assertThat(generator.nextId()).isEqualTo(1);
    }

    // ---- several stores

    private SegmentIdGenerator.Builder tickets() {
        return byHand().stores(List.of(store, other)).maxStep(10);
    }

    /** Simulates that a process has begun the counter in both stores, and issued nothing. */
    private void begin() {
        tickets().build().close();
        background.clear();
    }

    private static void issueUntil(BooleanSupplier end, SegmentIdGenerator generator, List<Long> numbers) {
        long began = System.nanoTime();
        while (!end.getAsBoolean()) {
            numbers.add(generator.nextId());
            assertThat(System.nanoTime() - began).as("waited for").isLessThan(30_000_000_000L);
        }
    }

    @Test
    void storesTakeTurnsAndHaveNoNumberInCommon() {
        SegmentIdGenerator generator = made(tickets());
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            numbers.add(generator.nextId());
            work();
        }
        assertThat(numbers).startsWith(1L, 3L, 5L).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.subList(0, 10)).allMatch(number -> number % 2 == 1);
        assertThat(numbers.subList(10, 20)).allMatch(number -> number % 2 == 0);
        assertThat(numbers.subList(20, 30)).allMatch(number -> number % 2 == 1);
    }

    @Test
    void storeThatLagsIsLifted() {
        store.put(ORDERS, new Counter(1, 2, 10_001, "ahead"));
        SegmentIdGenerator generator = made(tickets());
        numbers(generator, 10);
        work();
        assertThat(generator.nextId()).isEqualTo(10_022);
    }

    @Test
    void storeThatIsDownIsExcludedAndUsedAgainLater() {
        begin();
        // Time passes a hundred times as fast.
        SegmentIdGenerator generator = made(tickets()
                .maxWait(Duration.ofHours(1))
                .world(() -> System.nanoTime() * 100, task -> new Thread(task).start()));
        other.failWith(new IllegalStateException("down"));
        List<Long> numbers = new ArrayList<>();
        while (told.isEmpty()) {
            numbers.add(generator.nextId());
        }
        for (int i = 0; i < 50; i++) {
            numbers.add(generator.nextId());
        }
        assertThat(numbers).allMatch(number -> number % 2 == 1);
        assertThat(generator.excludedStores()).containsExactly("store b");
        other.failWith(null);
        while (told.size() == 1) {
            numbers.add(generator.nextId());
        }
        for (int i = 0; i < 50; i++) {
            numbers.add(generator.nextId());
        }
        assertThat(numbers).isSorted().doesNotHaveDuplicates().anyMatch(number -> number % 2 == 0);
        assertThat(told).containsExactly("store b left out: down", "store b taken back");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void firstStoreThatAnswersIsUsedAfterAllFailedAtOnce(boolean isFirst) throws Exception {
        begin();
        SegmentIdGenerator generator = made(tickets()
                .maxWait(Duration.ofHours(1))
                .world(() -> System.nanoTime() * 100, task -> new Thread(task).start()));
        store.failWith(new IllegalStateException("down"));
        other.failWith(new IllegalStateException("down"));
        CompletableFuture<long[]> numbers = CompletableFuture.supplyAsync(() -> generator.nextIds(30));
        while (generator.excludedStores().size() < 2) {
            Thread.onSpinWait();
        }
        (isFirst ? store : other).failWith(null);
        assertThat(numbers.get(60, TimeUnit.SECONDS)).isSorted().doesNotHaveDuplicates();
        assertThat(generator.excludedStores()).containsExactly(isFirst ? "store b" : "store a");
    }

    @Test
    void startsAsLongAsOneStoreAnswersOnceTheCounterHasBegun() {
        begin();
        store.failWith(new IllegalStateException("down"));
        SegmentIdGenerator generator = made(tickets());
        assertThat(numbers(generator, 3)).containsExactly(2, 4, 6);
        assertThat(told).containsExactly("store a left out: down");
    }

    @Test
    void errorOfOneStoreLeavesItOut() {
        SegmentStore broken = new SegmentStore() {

            @Override
            public String description() {
                return "broken";
            }

            @Override
            public Counter read(String name) {
                throw new NoClassDefFoundError("driver");
            }

            @Override
            public boolean write(String name, Counter seen, Counter next) {
                throw new AssertionError();
            }
        };
        begin();
        SegmentIdGenerator generator = made(tickets().stores(List.of(broken, other)));
        assertThat(numbers(generator, 3)).containsExactly(2, 4, 6);
        assertThat(told).containsExactly("broken left out: broken failed: java.lang.NoClassDefFoundError: driver");
    }

    @Test
    void storeThatIsLeftOutIsAskedWhenTheOthersHaveEnded() {
        begin();
        other.failWith(new IllegalStateException("down"));
        SegmentIdGenerator generator = made(tickets().maxValue(10));
        assertThat(numbers(generator, 5)).containsExactly(1, 3, 5, 7, 9);
        other.failWith(null);
        look = 1_000_000_000;
        work();
        assertThat(generator.nextId()).isEqualTo(10);
    }

    @Test
    void orderHoldsAtTheLastNumberOfALong() {
        SegmentIdGenerator generator = made(tickets().initialValue(Long.MAX_VALUE - 9));
        look = 1_000_000_000;
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            generator.tryNextId().ifPresent(numbers::add);
            work();
        }
        assertThat(numbers).isSorted().doesNotHaveDuplicates().allMatch(number -> number > 0);
    }

    @Test
    void closedGeneratorReportsIt() {
        SegmentIdGenerator generator = made(byHand());
        assertThat(generator.isClosed()).isFalse();
        generator.close();
        assertThat(generator.isClosed()).isTrue();
        generator.reopen();
        assertThat(generator.isClosed()).isFalse();
    }

    @Test
    void storesInAnotherOrderDoNotStart() {
        made(tickets());
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(byHand().stores(List.of(other, store))::build)
                .withMessageStartingWith(
                        "Counter 'orders' in store b has start 2 and increment 2, but this process is configured for start 1 and increment 2.");
    }

    /** A server that only answers reads. */
    private static final class ReadOnly implements SegmentStore {

        private final InMemorySegmentStore store;
        private volatile boolean refuses;

        ReadOnly(InMemorySegmentStore store) {
            this.store = store;
        }

        @Override
        public String description() {
            return "read-only";
        }

        @Override
        public Counter read(String name) {
            return store.read(name);
        }

        @Override
        public boolean write(String name, Counter seen, Counter next) {
            if (refuses) {
                throw new NumbersUnavailableException(Reason.STORE_UNUSABLE, "cannot be written", null);
            }
            return store.write(name, seen, next);
        }
    }

    @Test
    void storeWithoutNumbersIsUsedAgainWhenItHasNumbers() {
        ReadOnly readOnly = new ReadOnly(other);
        SegmentIdGenerator generator = made(tickets()
                .stores(List.of(store, readOnly))
                .maxWait(Duration.ofHours(1))
                .world(() -> System.nanoTime() * 1000, task -> new Thread(task).start()));
        readOnly.refuses = true;
        long until = System.nanoTime() + 200_000_000;
        while (System.nanoTime() < until || generator.excludedStores().isEmpty()) {
            generator.nextId();
        }
        assertThat(generator.excludedStores()).containsExactly("read-only");
        assertThat(told).containsExactly("read-only left out: cannot be written");
        readOnly.refuses = false;
        while (told.size() < 2) {
            generator.nextId();
        }
        assertThat(generator.excludedStores()).isEmpty();
        assertThat(told).containsExactly("read-only left out: cannot be written", "read-only taken back");
    }

    @Test
    void storeThatWasLeftOutIsNotAskedAgainAtStartup() {
        begin();
        int before = other.reads();
        other.failWith(new IllegalStateException("down"));
        made(tickets());
        assertThat(other.reads() - before).isEqualTo(1);
    }

    @Test
    void twoStoresThatAreOneDoNotStart() {
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(byHand().stores(List.of(store, store))::build)
                .withMessageStartingWith(
                        "Counter 'orders' in store a has start 1 and increment 2, but this process is configured for start 2 and increment 2.");
    }

    @Test
    void storeThatComesBackWithAnotherCounterStopsTheGeneratorForGood() {
        begin();
        other.failWith(new IllegalStateException("down"));
        SegmentIdGenerator generator = made(tickets().maxStep(100));
        assertThat(numbers(generator, 6)).containsExactly(1, 3, 5, 7, 9, 11);
        other.put(ORDERS, new Counter(7, 2, 9, "of another process"));
        other.failWith(null);
        look = 1_000_000_000;
        workElsewhere();
        assertThat(generator.tryNextId()).as("a number at hand").isEmpty();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::nextId)
                .withMessageStartingWith(
                        "Counter 'orders' in store b has start 7 and increment 2, but this process is configured for start 2")
                .matches(refused -> refused.reason() == Reason.COUNTER_MISMATCH);
        assertThat(told).containsExactly("store b left out: down", "ended: COUNTER_MISMATCH");
        workElsewhere();
        assertThat(generator.tryNextId()).isEmpty();

        other.put(ORDERS, new Counter(2, 2, 1_000, "mended"));
        generator.close();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::reopen)
                .matches(refused -> refused.reason() == Reason.COUNTER_MISMATCH);
    }

    @Test
    void segmentThatArrivesAfterAMismatchIsNotIssued() {
        begin();
        other.failWith(new IllegalStateException("down"));
        SegmentIdGenerator generator = made(tickets());
        numbers(generator, 10);
        List<Runnable> tasks = List.copyOf(background);
        background.clear();
        other.put(ORDERS, new Counter(7, 2, 9, "of another process"));
        other.failWith(null);
        look = 1_000_000_000;
        // First the look at the excluded store, then the fetch that was begun before.
        assertThat(tasks).hasSize(2);
        background.addAll(tasks);
        workElsewhere();
        assertThat(generator.tryNextId()).isEmpty();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::nextId)
                .matches(refused -> refused.reason() == Reason.COUNTER_MISMATCH);
    }

    @Test
    void mismatchNoticedByAFetchStopsNumbersAtHandAsWell() {
        SegmentIdGenerator generator = made(byHand().minStep(80).maxStep(80));
        store.put(ORDERS, new Counter(1, 2, 1_001, "of two stores"));
        numbers(generator, 70);
        work();
        assertThat(generator.tryNextId()).isEmpty();
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(generator::nextId)
                .matches(refused -> refused.reason() == Reason.COUNTER_MISMATCH);
    }

    @Test
    void listOfStoresThatHasGrownDoesNotBeginWhileTheOldStoreIsDown() {
        assertThat(numbers(made(byHand().maxStep(100)), 10)).isEqualTo(range(1, 10));
        store.failWith(new IllegalStateException("down"));
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(tickets()::build)
                .withMessage(
                        "No store delivered numbers of 'orders' within 0 ms (Counter 'orders' does not exist in store b, and"
                                + " cannot be created because store a did not answer (down). Start that store, or insert the counter"
                                + " into store b above the highest number in use)")
                .matches(refused -> refused.reason() == Reason.STORE_UNREACHABLE);
        assertThat(other.read(ORDERS)).isNull();

        store.failWith(null);
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(tickets()::build)
                .withMessageStartingWith(
                        "Counter 'orders' in store a has start 1 and increment 1, but this process is configured for start 1 and increment 2.");
        assertThat(other.read(ORDERS)).isNull();
    }

    @Test
    void storesInAnotherOrderDoNotBeginInDifferentStores() {
        other.failWith(new IllegalStateException("down"));
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(tickets()::build)
                .withMessageContaining("'orders' does not exist in store a");
        other.failWith(null);
        store.failWith(new IllegalStateException("down"));
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(tickets().stores(List.of(other, store))::build)
                .withMessageContaining("'orders' does not exist in store b");
        store.failWith(null);
        assertThat(store.read(ORDERS)).isNull();
        assertThat(other.read(ORDERS)).isNull();
    }

    @Test
    void storesInAnotherOrderDoNotStartWhileOneIsDown() {
        begin();
        store.failWith(new IllegalStateException("down"));
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(tickets().stores(List.of(other, store))::build)
                .withMessageStartingWith(
                        "Counter 'orders' in store b has start 2 and increment 2, but this process is configured for start 1");
    }

    @Test
    void storesInAnotherOrderDoNotBeginAtTheSameTime() {
        List<SegmentIdGenerator> first = new ArrayList<>();
        SegmentStore late = new SegmentStore() {

            @Override
            public String description() {
                return store.description();
            }

            @Override
            public Counter read(String name) {
                return store.read(name);
            }

            @Override
            public boolean write(String name, Counter seen, Counter next) {
                if (first.isEmpty()) {
                    // Both processes have seen that there is no counter.
                    first.add(made(tickets().stores(List.of(other, store))));
                }
                return store.write(name, seen, next);
            }
        };
        assertThatExceptionOfType(NumbersUnavailableException.class)
                .isThrownBy(tickets().stores(List.of(late, other))::build)
                .matches(refused -> refused.reason() == Reason.COUNTER_MISMATCH);
        assertThat(numbers(first.get(0), 3)).containsExactly(1, 3, 5);
    }

    @Test
    void counterBeginsWhenTheLastStoreAnswers() {
        other.failWith(new IllegalStateException("starting"));
        SegmentIdGenerator generator =
                made(tickets().maxWait(Duration.ofHours(1)).listener(new SegmentListener() {
                    @Override
                    public void storeExcluded(String store, RuntimeException reason) {
                        other.failWith(null);
                    }
                }));
        assertThat(numbers(generator, 3)).containsExactly(1, 3, 5);
        assertThat(other.read(ORDERS).increment()).isEqualTo(2);
    }

    @Test
    void counterThatIsMissingInOneStoreBeginsThereAboveThoseOfTheOthers() {
        other.put(ORDERS, new Counter(2, 2, 10_000, "ahead"));
        SegmentIdGenerator generator = made(tickets());
        assertThat(numbers(generator, 3)).containsExactly(10_001, 10_003, 10_005);
    }

    @Test
    void storeThatHasLostItsCounterRemainsLeftOutUntilEveryStoreHasAnswered() {
        InMemorySegmentStore third = new InMemorySegmentStore("store c");
        SegmentIdGenerator.Builder three = tickets()
                .stores(List.of(store, other, third))
                .maxWait(Duration.ofHours(1))
                .world(() -> System.nanoTime() * 100, task -> new Thread(task).start());
        three.build().close();
        other.clear();
        other.failWith(new IllegalStateException("down"));
        third.failWith(new IllegalStateException("down"));
        SegmentIdGenerator generator = made(three);
        other.failWith(null);
        List<Long> numbers = new ArrayList<>();
        issueUntil(
                () -> told.stream().anyMatch(news -> news.contains("does not exist in store b")), generator, numbers);
        assertThat(other.read(ORDERS)).isNull();
        assertThat(generator.excludedStores()).containsExactlyInAnyOrder("store b", "store c");

        long before = generator.nextId();
        third.failWith(null);
        issueUntil(() -> other.read(ORDERS) != null, generator, numbers);
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(other.read(ORDERS).last()).isGreaterThan(before - 3);
    }

    // ---- other behavior

    @Test
    void statisticsCountFetchesAndFailures() {
        SegmentIdGenerator generator = made(byHand().maxStep(10));
        numbers(generator, 10);
        work();
        generator.nextId();
        SegmentStatistics statistics = generator.statistics();
        assertThat(statistics.issued()).isEqualTo(11);
        assertThat(statistics.fetches()).isEqualTo(2);
        assertThat(statistics.failures()).isZero();
        assertThat(statistics.refused()).isZero();
        assertThat(statistics.step()).isEqualTo(10);
        assertThat(statistics.remaining()).isEqualTo(9);
        assertThat(statistics.last()).isEqualTo(20);
        assertThat(generator.name()).isEqualTo(ORDERS);
        assertThat(generator.stores()).containsExactly(store);
    }

    @Test
    void whatAListenerThrowsIsNoFailure() {
        SegmentIdGenerator generator = made(byHand().maxStep(10).listener(new SegmentListener() {
            @Override
            public void storeExcluded(String store, RuntimeException reason) {
                throw new IllegalStateException("listener");
            }
        }));
        numbers(generator, 10);
        look = 1_000_000_000;
        List<Throwable> uncaught = new ArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
            uncaught.add(thrown);
            store.failWith(null);
        });
        try {
            store.failWith(new IllegalStateException("away"));
            work();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
        assertThat(uncaught).singleElement().extracting(Throwable::getMessage).isEqualTo("listener");
        assertThat(generator.nextId()).isEqualTo(11);
    }

    @Test
    void impossibleSettingsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(SegmentIdGenerator.builder().store(store)::build)
                .withMessage("name must be set");
        assertThatIllegalArgumentException()
                .isThrownBy(SegmentIdGenerator.builder().name(ORDERS)::build)
                .withMessage("stores must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders().name(""))
                .withMessage("name must have from 1 to 100 characters, but has 0: ''");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders().name("orders "))
                .withMessage("name must not begin or end with a blank, but was 'orders '");
        assertThatIllegalArgumentException()
                .isThrownBy(orders().initialValue(-1)::build)
                .withMessage("initialValue must not be negative, but was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(orders().initialValue(5).maxValue(4)::build)
                .withMessage(
                        "maxValue must leave at least one number for each of 1 stores, from initialValue 5 on, but was 4");
        assertThatIllegalArgumentException()
                .isThrownBy(orders().stores(List.of(store, other)).maxValue(1)::build)
                .withMessage(
                        "maxValue must leave at least one number for each of 2 stores, from initialValue 1 on, but was 1");
        assertThatIllegalArgumentException()
                .isThrownBy(orders().minStep(0)::build)
                .withMessage("minStep must be at least 1, but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(orders().minStep(10).maxStep(9)::build)
                .withMessage("maxStep must not be less than minStep, 10, but was 9");
        assertThatIllegalArgumentException()
                .isThrownBy(orders().targetDuration(Duration.ZERO)::build)
                .withMessage("targetDuration must be from 1 ms to 1 d, but was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(orders().maxWait(Duration.ofDays(2))::build)
                .withMessage("maxWait must be from 0 to 1 d, but was PT48H");
    }
}
