package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Generators of one process, as those of many application contexts, that have one lease in common. */
@Timeout(60)
class SharedLeaseTests {

    private static final IdLayout TWO_WORKERS =
            IdLayout.builder().datacenterBits(0).workerBits(1).build();

    private final InMemoryRegistry store = new InMemoryRegistry(Instant::now);
    private final List<SnowflakeIdGenerator> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(SnowflakeIdGenerator::close);
    }

    private static LeaseTerms terms(WorkerRegistry registry) {
        return LeaseTerms.of(registry).shared(true).ttl(Duration.ofSeconds(1)).acquireTimeout(Duration.ofSeconds(5));
    }

    private SnowflakeIdGenerator open(LeaseTerms terms) {
        SnowflakeIdGenerator generator =
                SnowflakeIdGenerator.builder().layout(TWO_WORKERS).lease(terms).build();
        opened.add(generator);
        return generator;
    }

    private static WorkerLease next(BlockingQueue<WorkerLease> changes) throws InterruptedException {
        WorkerLease change = changes.poll(10, TimeUnit.SECONDS);
        assertThat(change).as("a change of the lease within 10 s").isNotNull();
        return change;
    }

    @Test
    void fortyGeneratorsOfOneProcessUseUpOneWorkerIdAndMakeDifferentIds() {
        List<Long> ids = new ArrayList<>();
        // Longer than any pause: none of them leases a second time.
        Duration ttl = Duration.ofMinutes(1);
        for (int i = 0; i < 40; i++) {
            open(terms(new HookedRegistry(store)).ttl(ttl));
        }
        for (int i = 0; i < 100; i++) {
            opened.forEach(generator -> ids.add(generator.nextId()));
        }

        assertThat(opened)
                .extracting(SnowflakeIdGenerator::workerId)
                .hasSize(40)
                .containsOnly(opened.get(0).workerId());
        assertThat(store.read().entries()).hasSize(1);
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    /** One context after the other: the second one finds the lease of the first one as soon as that has opened. */
    @Test
    void leaseIsOfferedBeforeTheFirstGeneratorHasOpened() {
        AtomicReference<SnowflakeIdGenerator> second = new AtomicReference<>();
        SnowflakeIdGenerator first = open(terms(store).listener(change -> {
            if (second.get() == null) {
                second.set(open(terms(store)));
            }
        }));

        assertThat(second.get().workerId()).isEqualTo(first.workerId());
        assertThat(store.read().entries()).hasSize(1);
    }

    @Test
    void whoDoesNotShareHasAWorkerIdOfItsOwn() {
        open(terms(store));
        assertThat(open(terms(store).shared(false)).workerId().workerId()).isOne();
    }

    /** Nor would one with the same URL be: only the token in the entry proves that it is the same store. */
    @Test
    void storeThatOnlyLooksTheSameIsNotShared() {
        SnowflakeIdGenerator one = open(terms(store));
        Entry mine = store.read().entries().get(0);
        InMemoryRegistry looksTheSame = new InMemoryRegistry(Instant::now);
        looksTheSame.put(new Entry(
                0, 0, "other token", mine.ownerInfo(), mine.reservedUntil(), mine.expiresAt(), mine.layout()));

        SnowflakeIdGenerator other = open(terms(looksTheSame));

        assertThat(one.workerId().workerId()).isZero();
        assertThat(other.workerId().workerId()).isOne();
    }

    @Test
    void leaseOfAnotherDatacenterOrOfAnotherClockIsNotShared() {
        IdLayout layout = IdLayout.builder().datacenterBits(1).workerBits(1).build();
        SnowflakeIdGenerator.Builder builder = SnowflakeIdGenerator.builder().layout(layout);
        opened.add(builder.lease(terms(store).datacenterId(0)).build());
        opened.add(builder.lease(terms(store).datacenterId(1)).build());
        opened.add(builder.lease(terms(store)).build());
        opened.add(builder.lease(terms(store)).clock(Clock.systemUTC()).build());
        opened.add(builder.lease(terms(store)).clock(Instant::now).build());

        assertThat(opened.stream()
                        .map(generator -> generator.workerId().datacenterId() * 2
                                + generator.workerId().workerId()))
                .containsExactly(0, 2, 3, 3, 1);
    }

    @Test
    void afterTheFirstIsClosedTheRegistryOfTheNextOneIsAskedAndTheLastOneGivesTheWorkerIdBack() throws Exception {
        HookedRegistry ofFirst = new HookedRegistry(store);
        HookedRegistry ofSecond = new HookedRegistry(store);
        BlockingQueue<WorkerLease> toldFirst = new LinkedBlockingQueue<>();
        BlockingQueue<WorkerLease> toldSecond = new LinkedBlockingQueue<>();
        SnowflakeIdGenerator first = open(terms(ofFirst).listener(toldFirst::add));
        SnowflakeIdGenerator second = open(terms(ofSecond).listener(toldSecond::add));
        assertThat(next(toldFirst).state()).isEqualTo(State.HELD);
        assertThat(next(toldSecond).state()).isEqualTo(State.HELD);

        first.close();
        ofFirst.hook(call -> {
            throw new IllegalStateException("the database of a context that is closed");
        });
        CountDownLatch renewals = new CountDownLatch(3);
        ofSecond.hook(call -> {
            if (call.name().equals("renew") && call.isAfter()) {
                renewals.countDown();
            }
        });

        assertThat(renewals.await(10, TimeUnit.SECONDS)).isTrue();
        WorkerLease closed = next(toldFirst);
        assertThat(closed.state()).isEqualTo(State.CLOSED);
        assertThat(closed.reason()).isEqualTo("other generators of this process go on with it");
        assertThat(first.lease()).get().extracting(WorkerLease::state).isEqualTo(State.CLOSED);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(first::nextId);
        assertThat(second.nextId()).isPositive();
        assertThat(toldSecond).isEmpty();
        assertThat(store.read().entries().get(0).owner()).isNotNull();
        second.close();
        assertThat(store.read().entries().get(0).owner()).isNull();
        assertThat(next(toldSecond).state()).isEqualTo(State.CLOSED);
    }

    @Test
    void allThatCloseAtOnceGiveTheWorkerIdBack() throws Exception {
        for (int round = 0; round < 200; round++) {
            List<SnowflakeIdGenerator> together = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                together.add(open(terms(store)));
            }
            WorkerRegistryContract.atOnce(4, thread -> {
                together.get(thread).close();
                return thread;
            });
            assertThat(store.read().entries()).extracting(Entry::owner).containsOnlyNulls();
        }
    }

    /** It would stand in the way of itself, and of all who share the lease. */
    @Test
    void listenerMayCloseItsGenerator() throws Exception {
        List<SnowflakeIdGenerator> closedByListener = new CopyOnWriteArrayList<>();
        SnowflakeIdGenerator usual = open(terms(store));
        LeaseTerms closing = terms(store).listener(change -> {
            if (change.state() == State.LOST) {
                closedByListener.forEach(SnowflakeIdGenerator::close);
            }
        });
        closedByListener.add(open(closing));
        closedByListener.add(open(closing.shared(false)));
        Instant later = Instant.now().plusSeconds(3600);
        for (Entry entry : store.read().entries()) {
            store.put(new Entry(0, entry.workerId(), "another", "another process", later, later, entry.layout()));
        }
        while (closedByListener.stream()
                .anyMatch(generator -> generator.lease().orElseThrow().state() != State.CLOSED)) {
            Thread.sleep(5);
        }
        store.clear();

        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(closedByListener.get(0)::nextId);
        while (usual.lease().orElseThrow().state() != State.HELD) {
            Thread.sleep(5);
        }
        assertThat(usual.nextId()).isPositive();
    }

    @Test
    void listenerOfOneDoesNotHoldUpTheLeaseOfTheOthers() throws Exception {
        SnowflakeIdGenerator usual = open(terms(store));
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread slow = new Thread(() -> open(terms(store).listener(change -> {
            told.countDown();
            awaitUninterruptibly(goOn);
        })));
        slow.start();
        told.await();
        Instant renewed = usual.lease().orElseThrow().renewedAt();
        while (!usual.lease().orElseThrow().renewedAt().isAfter(renewed)) {
            Thread.sleep(5);
        }
        goOn.countDown();
        slow.join();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whereTheRegistryOfTheFirstFailsThatOfAnotherIsAsked() throws Exception {
        HookedRegistry ofFirst = new HookedRegistry(store);
        SnowflakeIdGenerator first = open(terms(ofFirst));
        SnowflakeIdGenerator second = open(terms(store));
        ofFirst.hook(call -> {
            throw new IllegalStateException("its pool is exhausted");
        });
        Instant fence = first.lease().orElseThrow().fence();
        while (!first.lease().orElseThrow().fence().isAfter(fence.plusMillis(500))) {
            Thread.sleep(5);
        }

        assertThat(first.workerId().workerId()).isZero();
        assertThat(first.nextId()).isLessThan(second.nextId());
    }

    @Test
    void closingOfOneLeavesNoLimitBehindThatNobodyKeeps() throws Exception {
        SnowflakeIdGenerator busy = open(terms(store));
        SnowflakeIdGenerator other = open(terms(store));
        long[] many = new long[4096];
        for (int i = 0; i < 2000; i++) {
            busy.nextIds(many);
            other.nextIds(many);
            for (int k = 0; k < 1000; k++) {
                busy.nextId();
                other.nextId();
            }
        }
        busy.close();
        Thread.sleep(1500);

        Instant before = Instant.now();
        assertThat(TWO_WORKERS.decode(other.nextId()).timestamp()).isAfter(before.minusMillis(100));
    }

    @Test
    void closeWaitsUntilItsRegistryIsNotAskedAnyMore() throws Exception {
        HookedRegistry ofFirst = new HookedRegistry(store);
        SnowflakeIdGenerator first = open(terms(ofFirst));
        open(terms(store));
        CountDownLatch asked = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        ofFirst.hook(call -> {
            inside.addAndGet(call.isAfter() ? -1 : 1);
            if (!call.isAfter()) {
                asked.countDown();
                Thread.sleep(200);
            }
        });
        asked.await();
        first.close();

        assertThat(inside).hasValue(0);
    }

    @Test
    void lossIsToldToAllAndAllGoOnWithOneOtherWorkerId() throws Exception {
        BlockingQueue<WorkerLease> changes = new LinkedBlockingQueue<>();
        SnowflakeIdGenerator one = open(terms(store).listener(changes::add));
        SnowflakeIdGenerator other = open(terms(store).listener(changes::add));
        Entry mine = store.read().entries().get(0);
        Instant later = Instant.now().plusSeconds(3600);
        store.put(new Entry(0, 0, "another", "another process", later, later, mine.layout()));
        long last = Math.max(one.nextId(), other.nextId());
        List<WorkerLease> six = new ArrayList<>();
        while (six.size() < 6) {
            six.add(next(changes));
        }

        assertThat(six)
                .extracting(WorkerLease::state)
                .containsExactly(State.HELD, State.HELD, State.LOST, State.LOST, State.HELD, State.HELD);
        assertThat(one.workerId().workerId()).isOne();
        assertThat(other.workerId().workerId()).isOne();
        long next = one.nextId();
        assertThat(next).isGreaterThan(last);
        assertThat(other.nextId()).isGreaterThan(next);
    }

    private SnowflakeIdGenerator openThatMayBeAhead() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(TWO_WORKERS)
                .lease(terms(store))
                .maxDrift(Duration.ofMinutes(1))
                .build();
        opened.add(generator);
        return generator;
    }

    @Test
    void reopenedGeneratorThatComesToASharedLeaseGoesOnBehindItsLastId() {
        SnowflakeIdGenerator ahead = openThatMayBeAhead();
        long[] manyIds = ahead.nextIds(4096 * 500);
        ahead.close();
        open(terms(store)).nextId();
        ahead.reopen();

        assertThat(ahead.nextId()).isGreaterThan(manyIds[manyIds.length - 1]);
    }

    /** Its last id lies behind all that the lease has reserved yet. */
    @Test
    void reopenedGeneratorThatLeavesASharedLeaseBeforeItsFenceHasMovedGoesOnBehindItsLastIdElsewhere() {
        SnowflakeIdGenerator ahead = openThatMayBeAhead();
        long[] manyIds = ahead.nextIds(4096 * 5000);
        ahead.close();
        SnowflakeIdGenerator other = open(terms(store));
        ahead.reopen();
        ahead.close();
        other.close();
        Instant later = Instant.now().plusSeconds(3600);
        Entry ofAhead = store.read().entries().get(0);
        store.put(new Entry(0, 0, "another", "another process", later, later, ofAhead.layout()));
        ahead.reopen();

        assertThat(ahead.nextId()).isGreaterThan(manyIds[manyIds.length - 1]);
    }

    @Test
    void whoseIdsAreFarAheadOfTheClockHasALeaseOfItsOwnAndHoldsUpNobody() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now().plusSeconds(20));
        TimeSource clock = new TimeSource(now::get);
        LeaseTerms terms = terms(new InMemoryRegistry(now::get)).ttl(Duration.ofSeconds(60));
        SnowflakeIdGenerator ahead = open(terms, clock);
        long last = ahead.nextId();
        ahead.close();
        now.set(now.get().minusSeconds(20));
        SnowflakeIdGenerator usual = open(terms, clock);

        ahead.reopen();

        assertThat(ahead.workerId()).isNotEqualTo(usual.workerId());
        assertThat(IdLayout.DEFAULT.decode(usual.nextId()).timestamp())
                .isEqualTo(now.get().truncatedTo(ChronoUnit.MILLIS));
        assertThatExceptionOfType(ClockMovedBackwardsException.class).isThrownBy(ahead::nextId);
        now.set(now.get().plusSeconds(20));
        assertThat(ahead.nextId()).isGreaterThan(last);
    }

    private SnowflakeIdGenerator open(LeaseTerms terms, TimeSource clock) {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .lease(terms)
                .time(clock)
                .maxWait(Duration.ofMillis(50))
                .build();
        opened.add(generator);
        return generator;
    }

    /** Whoever closes waits for the thread that the listener is called by. */
    @Test
    void listenerMayCloseItsGeneratorWhileAnotherThreadCloses() throws Exception {
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        own.set(open(terms(store)
                .shared(false)
                .acquireTimeout(Duration.ofSeconds(50))
                .listener(change -> {
                    if (change.state() == State.LOST) {
                        told.countDown();
                        awaitUninterruptibly(closing);
                        own.get().close();
                    }
                })));
        store.clear();
        told.await();
        Thread closer = new Thread(own.get()::close);
        closer.start();
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        closing.countDown();
        closer.join(20_000);

        assertThat(closer.isAlive()).as("still closing").isFalse();
        own.get().reopen();
        assertThat(own.get().nextId()).isPositive();
    }

    @Test
    void generatorThatItsListenerReopensWhileItLeavesASharedLeaseGivesTheNewOneBack() {
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        AtomicInteger reopened = new AtomicInteger();
        SnowflakeIdGenerator first = open(terms(store));
        own.set(open(terms(store).listener(change -> {
            if (change.state() == State.CLOSED && reopened.getAndIncrement() == 0) {
                own.get().reopen();
            }
        })));
        own.get().close();
        assertThat(own.get().nextId()).isPositive();
        own.get().close();
        first.close();

        assertThat(store.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    @Test
    void generatorsThatComeAndGoAtOnceMakeNoIdTwice() throws Exception {
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        ConcurrentLinkedQueue<Long> twice = new ConcurrentLinkedQueue<>();
        WorkerRegistryContract.atOnce(8, thread -> {
            for (int round = 0; round < 40; round++) {
                try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                        .lease(terms(store).acquireTimeout(Duration.ofSeconds(20)))
                        .build()) {
                    for (int i = 0; i < 200; i++) {
                        long id = generator.nextId();
                        if (!ids.add(id)) {
                            twice.add(id);
                        }
                    }
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(5));
                    }
                }
            }
            return thread;
        });

        assertThat(twice).isEmpty();
        assertThat(ids).hasSize(8 * 40 * 200);
        Set<String> owners = new HashSet<>();
        store.read().entries().forEach(entry -> owners.add(String.valueOf(entry.owner())));
        assertThat(owners).containsExactly("null");
    }
}
