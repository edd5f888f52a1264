package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.internal.ForStarter;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening and closing generators with a lease, by several threads and by listeners. */
@Timeout(60)
class OpeningTests {

    private TimeSource time = new TimeSource(TimeSource.SYSTEM);
    private final InMemoryRegistry store = new InMemoryRegistry(() -> time.instant());
    private final HookedRegistry registry = new HookedRegistry(store);
    private final CountDownLatch answers = new CountDownLatch(1);
    private final List<SnowflakeIdGenerator> opened = new ArrayList<>();
    private LeaseTerms terms = LeaseTerms.of(registry);

    @AfterEach
    void closeAll() {
        answers.countDown();
        registry.hook(call -> {});
        opened.forEach(SnowflakeIdGenerator::close);
    }

    private SnowflakeIdGenerator open() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .time(time)
                .lease(terms)
                .maxWait(Duration.ofMillis(50))
                .build();
        opened.add(generator);
        return generator;
    }

    /** Lets each wait of the calling thread end in no time. */
    private ScriptedTime passWhileSleeping() {
        ScriptedTime scripted = ScriptedTime.at(Instant.parse("2026-03-01T00:00:00Z"));
        scripted.passWhileSleeping();
        time = scripted;
        return scripted;
    }

    private SnowflakeIdGenerator closed() {
        SnowflakeIdGenerator generator = open();
        generator.close();
        return generator;
    }

    private static Thread start(Runnable body) {
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void generatorsOfOneNamespaceLeaseAWorkerIdEach() {
        assertThat(List.of(open(), open(), open()))
                .extracting(generator -> generator.workerId().workerId())
                .containsExactly(0, 1, 2);
    }

    @Test
    void callersOfAGeneratorThatIsBeingReopenedWaitForItsLease() throws Exception {
        SnowflakeIdGenerator generator = closed();
        registry.hook(call -> {
            if (call.name().equals("read")) {
                answers.await();
            }
        });
        Thread reopening = start(generator::reopen);
        awaitWaiting(reopening);

        assertThat(generator.lease()).get().satisfies(lease -> {
            assertThat(lease.state()).isEqualTo(State.LOST);
            assertThat(lease.reason()).isEqualTo("the registry has granted no worker ID yet");
        });
        assertThat(generator.tryNextId()).isEmpty();
        assertThatExceptionOfType(WorkerLeaseExpiredException.class)
                .isThrownBy(generator::nextId)
                .withMessage(
                        "No ID issued: no worker ID has been leased within 50 ms (the registry has granted no worker ID yet)");

        answers.countDown();
        reopening.join();
        assertThat(generator.workerId().origin()).isEqualTo("leased, namespace 'orders'");
        assertThat(generator.nextId()).isPositive();
    }

    private SnowflakeIdGenerator opening() {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .time(time)
                .lease(terms)
                .maxWait(Duration.ZERO)
                .buildOpening(ForStarter.KEY, e -> new IllegalArgumentException("explained", e));
        opened.add(generator);
        return generator;
    }

    @Test
    void callersOfAGeneratorThatWasBuiltToOpenWaitForItsLeaseHoweverShortTheLongestWaitIs() throws Exception {
        registry.hook(call -> {
            if (call.name().equals("read")) {
                answers.await();
            }
        });
        SnowflakeIdGenerator generator = opening();
        assertThat(generator.tryNextId()).isEmpty();
        Queue<Object> got = new ConcurrentLinkedQueue<>();
        List<Thread> callers = List.of(
                start(() -> got.add(generator.nextId())),
                start(() -> got.add(generator.nextIds(3)[2])),
                start(() -> got.add(generator.workerId().origin())),
                start(() -> {
                    generator.reopen();
                    got.add("opened");
                }));
        callers.forEach(OpeningTests::awaitWaiting);
        assertThat(got).isEmpty();

        answers.countDown();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(got).hasSize(4).contains("opened", "leased, namespace 'orders'");
        generator.reopen();
        assertThat(generator.nextId()).isPositive();
    }

    @Test
    void interruptEndsNoWaitOfACallerForTheFirstWorkerId() throws Exception {
        registry.hook(call -> {
            if (call.name().equals("read")) {
                answers.await();
            }
        });
        SnowflakeIdGenerator generator = opening();
        Queue<Object> got = new ConcurrentLinkedQueue<>();
        Thread caller = start(() -> {
            Thread.currentThread().interrupt();
            got.add(catchThrowable(() -> got.add(generator.nextId())) == null);
            got.add(Thread.interrupted());
        });
        awaitWaiting(caller);
        caller.interrupt();

        answers.countDown();
        caller.join();
        assertThat(got).hasSize(3).endsWith(true, true);
    }

    /** Otherwise, the lease's thread would wait for itself. */
    @Test
    void listenerMayAskForTheWorkerIdAndAnIdWhileItsGeneratorIsOpened() {
        CompletableFuture<SnowflakeIdGenerator> own = new CompletableFuture<>();
        Queue<Object> got = new ConcurrentLinkedQueue<>();
        terms = terms.withAcquireTimeout(Duration.ofSeconds(10)).withListener(change -> {
            if (got.isEmpty()) {
                got.add(own.join().workerId().origin());
                got.add(own.join().nextId());
            }
        });
        own.complete(opening());
        own.join().reopen();

        assertThat(got).hasSize(2).contains("leased, namespace 'orders'");
    }

    @Test
    void allWhoWaitForAGeneratorThatCannotBeOpenedGetTheExplanation() throws Exception {
        passWhileSleeping();
        registry.hook(call -> {
            if (call.name().equals("read")) {
                throw new IllegalStateException("no answer");
            }
        });
        SnowflakeIdGenerator generator = opening();

        for (ThrowingCallable call :
                List.<ThrowingCallable>of(generator::nextId, generator::workerId, generator::reopen)) {
            assertThat(catchThrowable(call)).hasMessage("explained").cause().hasMessageContaining("no answer");
        }
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        registry.hook(call -> {});
        generator.reopen();
        assertThat(generator.nextId()).isPositive();
    }

    /** Servers lock accounts after a number of rejected logins. */
    @Test
    void registryThatRejectsTheOpeningIsNotAskedAgainUntilTheGeneratorIsOpenedAgain() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        List<Thread> started = new ArrayList<>();
        time = new TimeSource(TimeSource.SYSTEM) {
            @Override
            Thread start(String name, Runnable body) {
                Thread thread = super.start(name, body);
                started.add(thread);
                return thread;
            }
        };
        registry.hook(call -> {
            if (call.name().equals("read")) {
                reads.incrementAndGet();
                throw new WorkerIdUnavailableException(Reason.REGISTRY_UNUSABLE, "rejected", null);
            }
        });
        SnowflakeIdGenerator generator = opening();

        assertThat(catchThrowable(generator::nextId)).hasMessage("explained");
        Thread lease = started.get(0);
        // Longer than the pauses after the first failures.
        lease.join(500);
        assertThat(catchThrowable(generator::reopen)).hasMessage("explained");

        assertThat(reads).hasValue(1);
        lease.join();
    }

    @Test
    void generatorThatIsClosedWhileItIsOpenedReleasesWhatItAcquired() throws Exception {
        CountDownLatch acquired = new CountDownLatch(1);
        terms = terms.withListener(change -> {
            acquired.countDown();
            await(answers);
        });
        SnowflakeIdGenerator generator = opening();
        await(acquired);
        Thread closing = start(generator::close);
        awaitWaiting(closing);

        answers.countDown();
        closing.join();

        assertThat(store.read().entries()).extracting(Entry::owner).containsExactly((String) null);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
    }

    @Test
    void remainsClosedIfReopeningFails() {
        passWhileSleeping();
        SnowflakeIdGenerator generator = closed();
        registry.hook(call -> {
            if (!call.name().equals("namespace")) {
                throw new IllegalStateException("no answer");
            }
        });
        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(generator::reopen)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.REGISTRY_UNREACHABLE));
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);

        registry.hook(call -> {});
        generator.reopen();
        assertThat(generator.nextId()).isPositive();
    }

    @Test
    void leasesNothingIfItIsClosedWhileItIsReopened() throws Exception {
        terms = terms.withAcquireTimeout(Duration.ofSeconds(50));
        SnowflakeIdGenerator generator = closed();
        registry.hook(call -> {
            if (call.name().equals("read")) {
                answers.await();
            }
        });
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread reopening = start(() -> thrown.set(catchThrowable(generator::reopen)));
        awaitWaiting(reopening);

        generator.close();
        reopening.join();
        assertThat(thrown.get())
                .isInstanceOf(WorkerIdUnavailableException.class)
                .hasMessage("No worker ID of namespace 'orders' leased: the generator was closed while it waited");
        answers.countDown();
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        assertThat(store.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    @Test
    void interruptIsNotReportedAsAnUnreachableRegistry() {
        registry.hook(call -> {
            if (call.name().equals("read")) {
                answers.await();
            }
        });
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> SnowflakeIdGenerator.builder().lease(terms).build())
                .withMessage("No worker ID of namespace 'orders' leased: interrupted while waiting for an answer")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CANCELLED));
        assertThat(Thread.interrupted()).isTrue();
    }

    /** The thread that closes or opens waits for the thread that calls the listener. */
    @ParameterizedTest
    @EnumSource(names = {"HELD", "CLOSED"})
    void listenerThatReopensItsGeneratorHoldsUpNeitherItsOpeningNorItsEnd(State state) throws Exception {
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        terms = terms.withAcquireTimeout(Duration.ofSeconds(50)).withListener(change -> {
            SnowflakeIdGenerator generator = own.get();
            if (generator != null && change.state() == state && thrown.get() == null) {
                thrown.set(catchThrowable(generator::reopen));
            }
        });
        SnowflakeIdGenerator generator = closed();
        own.set(generator);
        Thread user = start(() -> {
            generator.reopen();
            generator.close();
        });
        user.join(30_000);

        assertThat(user.isAlive()).as("still opening or closing").isFalse();
        assertThat(thrown.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Generator not reopened: another thread is opening or closing it and waits for the listener to return");
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        generator.reopen();
        assertThat(generator.nextId()).isPositive();
    }

    /** Otherwise, the lease's thread would wait for itself. */
    @Test
    void listenerMayCloseItsGenerator() {
        ScriptedTime scripted = passWhileSleeping();
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        terms = terms.withListener(change -> {
            if (change.state() == State.LOST) {
                own.get().close();
            }
        });
        own.set(open());
        store.clear();
        scripted.passUntil(() -> own.get().lease().orElseThrow().state() == State.CLOSED);

        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(own.get()::nextId);
    }

    @Test
    void listenerMayCloseItsGeneratorWhileAnotherThreadCloses() throws Exception {
        ScriptedTime scripted = passWhileSleeping();
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        CountDownLatch notified = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        terms = terms.withListener(change -> {
            if (change.state() == State.LOST) {
                notified.countDown();
                await(closing);
                own.get().close();
            }
        });
        own.set(open());
        store.clear();
        scripted.passUntil(() -> notified.getCount() == 0);
        Thread closer = start(own.get()::close);
        awaitWaiting(closer);
        closing.countDown();
        closer.join(20_000);

        assertThat(closer.isAlive()).as("still closing").isFalse();
        own.get().reopen();
        assertThat(own.get().nextId()).isPositive();
    }

    @Test
    void generatorThatItsListenerClosesAndReopensReleasesBothLeases() {
        ScriptedTime scripted = passWhileSleeping();
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        AtomicInteger reopened = new AtomicInteger();
        terms = terms.withListener(change -> {
            if (change.state() == State.LOST && reopened.get() == 0) {
                own.get().close();
            } else if (change.state() == State.CLOSED && reopened.getAndIncrement() == 0) {
                own.get().reopen();
            }
        });
        own.set(open());
        store.clear();
        scripted.passUntil(() ->
                reopened.get() != 0 && own.get().lease().map(WorkerLease::state).orElseThrow() == State.HELD);
        assertThat(own.get().nextId()).isPositive();
        own.get().close();

        assertThat(store.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }

    @Test
    void generatorsThatComeAndGoAtOnceMakeNoIdTwice() throws Exception {
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        ConcurrentLinkedQueue<Long> twice = new ConcurrentLinkedQueue<>();
        LeaseTerms patient = terms.withAcquireTimeout(Duration.ofMinutes(1));
        WorkerRegistryContract.atOnce(8, thread -> {
            for (int round = 0; round < 40; round++) {
                try (SnowflakeIdGenerator generator =
                        SnowflakeIdGenerator.builder().lease(patient).build()) {
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
        assertThat(store.read().entries()).extracting(Entry::owner).containsOnlyNulls();
    }
}
