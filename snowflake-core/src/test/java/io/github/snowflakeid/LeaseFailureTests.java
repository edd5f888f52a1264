package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry.Claim;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.WorkerRegistry.Snapshot;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that a lease survives: errors at any point, entries that do not answer, lost races. */
class LeaseFailureTests {

    private static final IdLayout FOUR_WORKERS =
            IdLayout.builder().datacenterBits(0).workerBits(2).build();

    private volatile Runnable atALook = () -> {};

    private final ScriptedTime time = new ScriptedTime(Instant.parse("2026-03-01T00:00:00Z")) {
        @Override
        long millis() {
            atALook.run();
            return super.millis();
        }

        @Override
        Instant instant() {
            atALook.run();
            return super.instant();
        }
    };

    private final InMemoryRegistry store = new InMemoryRegistry(time::now);
    private final HookedRegistry registry = new HookedRegistry(store);
    private final Queue<WorkerLease> changes = new ConcurrentLinkedQueue<>();
    private final List<SnowflakeIdGenerator> opened = new ArrayList<>();
    private Duration maxWait = Duration.ofMillis(500);
    private LeaseTerms terms = LeaseTerms.of(registry)
            .withTtl(Duration.ofSeconds(1))
            .withAcquireTimeout(Duration.ofSeconds(5))
            .withListener(changes::add);

    @BeforeEach
    void letTimePass() {
        time.passWhileSleeping();
    }

    @AfterEach
    void closeAll() {
        registry.hook(call -> {});
        opened.forEach(SnowflakeIdGenerator::close);
    }

    private SnowflakeIdGenerator open() {
        return open(time);
    }

    private SnowflakeIdGenerator open(TimeSource source) {
        SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .layout(FOUR_WORKERS)
                .time(source)
                .lease(terms)
                .maxWait(maxWait)
                .build();
        opened.add(generator);
        return generator;
    }

    /** Lets time pass until the lease has changed. */
    private WorkerLease next() {
        time.passUntil(() -> !changes.isEmpty());
        return changes.remove();
    }

    private WorkerLease next(State state) {
        WorkerLease change = next();
        while (change.state() != state) {
            change = next();
        }
        return change;
    }

    private void leasedByAnother(int workerId) {
        Instant later = time.now().plusSeconds(3600);
        store.put(Entry.of(0, workerId, "another", "another process", later, later, FOUR_WORKERS.fingerprint()));
    }

    private @Nullable String ownerOf(int workerId) {
        return store.read().entries().stream()
                .filter(entry -> entry.workerId() == workerId)
                .findFirst()
                .orElseThrow()
                .owner();
    }

    /** No process can have issued IDs of such an entry, so its layout does not matter. */
    @ParameterizedTest
    @CsvSource({"3, 0", "0, 4", "-1, 0", "0, -1"})
    void entryOfNumbersThatNoIdOfTheLayoutHasIsPassedOver(int datacenterId, int workerId) {
        store.put(Entry.of(datacenterId, workerId, null, "a mistake", Instant.EPOCH, Instant.EPOCH, "another layout"));
        for (int leased = 0; leased < 3; leased++) {
            leasedByAnother(leased);
        }

        assertThat(open().workerId().workerId()).isEqualTo(3);
        terms = terms.withAcquireTimeout(Duration.ofSeconds(2));
        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(this::open)
                .withMessageStartingWith(
                        "All 4 worker IDs of namespace 'orders' are leased; the next lease expires in ");
    }

    static Stream<Throwable> anything() {
        return Stream.of(
                new OutOfMemoryError("thrown by a test"),
                new StackOverflowError("thrown by a test"),
                new NoClassDefFoundError("thrown by a test"),
                new AssertionError("thrown by a test"),
                new IOException("checked, and thrown by a test"),
                new IllegalStateException("thrown by a test"));
    }

    @ParameterizedTest
    @MethodSource("anything")
    void errorWhileALeaseIsGrantedLeavesNoIdsOfAWorkerIdThatIsNotLeased(Throwable error) throws Exception {
        maxWait = Duration.ofSeconds(30);
        leasedByAnother(0);
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        AtomicInteger left = new AtomicInteger(1);
        registry.hook(call -> {
            if (call.name().equals("namespace") && left.getAndDecrement() > 0) {
                throw error;
            }
        });
        leasedByAnother(generator.workerId().workerId());
        next(State.LOST);

        for (int millis = 0; millis < 1_200; millis += 5) {
            long id = generator.nextId();
            assertThat(FOUR_WORKERS.decode(id).workerId()).isEqualTo(2);
            time.pass(Duration.ofMillis(5));
            time.awaitIdle();
        }
        assertThat(left).hasNonPositiveValue();
    }

    @ParameterizedTest
    @MethodSource("anything")
    void anyThrowableFromTheRegistryIsReportedAndSurvived(Throwable error) throws Exception {
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        registry.hook(call -> {
            if (call.name().equals("renew")) {
                throw error;
            }
        });

        assertThat(next(State.EXPIRING).reason()).isEqualTo(error.getMessage());
        registry.hook(call -> {});
        next(State.HELD);
        assertThat(generator.nextId()).isPositive();
        generator.close();
        assertThat(store.read().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.workerId()).isZero();
            assertThat(entry.owner()).isNull();
        });
    }

    @ParameterizedTest
    @MethodSource("anything")
    void whateverTheListenerThrowsIsSurvived(Throwable error) throws Exception {
        terms = terms.withListener(change -> {
            changes.add(change);
            throw HookedRegistry.<RuntimeException>sneakily(error);
        });
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        leasedByAnother(0);
        next(State.LOST);
        next(State.HELD);

        assertThat(generator.nextId()).isPositive();
        generator.close();
        assertThat(ownerOf(1)).isNull();
    }

    /** Each allocation may fail, including the allocations that handle the first failure. */
    @Test
    void errorsWhileAnErrorIsHandledAreSurvived() throws Exception {
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        Error indescribable = new Error() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new OutOfMemoryError("once more");
            }
        };
        AtomicInteger times = new AtomicInteger(2);
        registry.hook(call -> {
            if (call.name().equals("renew") && times.getAndDecrement() > 0) {
                throw indescribable;
            }
        });
        Instant renewed = generator.lease().orElseThrow().renewedAt();
        time.passUntil(() ->
                times.get() <= 0 && !generator.lease().orElseThrow().renewedAt().equals(renewed));
        assertThat(times).hasNonPositiveValue();
        assertThat(generator.nextId()).isPositive();
    }

    @Test
    void cyclicCausesAreReportedAndSurvived() throws Exception {
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        IllegalStateException one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));
        registry.hook(call -> {
            if (call.name().equals("renew")) {
                throw one;
            }
        });

        assertThat(next(State.EXPIRING).reason()).isIn("one", "one: other");
        registry.hook(call -> {});
        next(State.HELD);
        assertThat(generator.nextId()).isPositive();
    }

    @Test
    void heldWorkerIdIsReleasedEvenIfAnotherEntryDoesNotAnswer() throws Exception {
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        AtomicBoolean anotherAsked = new AtomicBoolean();
        registry.hook(call -> {
            if (call.workerId() > 0) {
                anotherAsked.set(true);
                throw new IllegalStateException("lock wait timeout exceeded");
            }
            if (call.name().equals("renew") && !anotherAsked.get()) {
                throw new IllegalStateException("lock wait timeout exceeded");
            }
        });
        next(State.EXPIRING);
        next(State.HELD);
        assertThat(anotherAsked).isTrue();
        generator.close();

        assertThat(ownerOf(0)).isNull();
    }

    @Test
    void acquireTimeoutBeginsWithTheFirstConnection() {
        List<String> calls = new CopyOnWriteArrayList<>();
        registry.hook(call -> {
            if (call.name().equals("connect")) {
                time.pass(Duration.ofSeconds(1));
            }
            calls.add(call.name());
        });
        terms = terms.withAcquireTimeout(Duration.ofMillis(800));

        assertThat(open().workerId().workerId()).isZero();
        assertThat(calls).containsOnlyOnce("connect");
    }

    @Test
    void startFailsOnceIfThereIsNoFirstConnectionWithinTheAcquireTimeout() {
        terms = terms.withAcquireTimeout(Duration.ofMillis(300));
        RuntimeException failure = new IllegalStateException() {
            /** Takes long, so that a caller who looks for the reason before it is known finds none. */
            @Override
            public String getMessage() {
                LockSupport.parkNanos(600_000_000);
                return "asleep";
            }
        };
        registry.hook(call -> {
            if (!call.name().equals("namespace")) {
                throw failure;
            }
        });

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> open(new TimeSource(TimeSource.SYSTEM)))
                .withMessage("No worker ID of namespace 'orders' leased within 300 ms: asleep");
    }

    /** Others may issue IDs of a worker ID until the end of a lease that they do not know to be lost. */
    @Test
    void registryThatWasLostIsNotTrustedWhileItIsEmpty() throws Exception {
        terms = terms.withTtl(Duration.ofSeconds(3));
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        AtomicBoolean isLost = new AtomicBoolean();
        registry.hook(call -> {
            if (call.name().equals("renew") && !isLost.getAndSet(true)) {
                store.clear();
                throw new WorkerIdUnavailableException(Reason.REGISTRY_LOST, "the table does not exist", null);
            }
        });
        assertThat(next(State.LOST).reason()).isEqualTo("the table does not exist");
        Instant lost = time.now();
        assertThat(next(State.LOST).reason())
                .isEqualTo("the registry has lost all leases, and other processes may issue IDs until theirs end");
        assertThatExceptionOfType(WorkerLeaseExpiredException.class).isThrownBy(generator::nextId);

        next(State.HELD);

        assertThat(time.now()).isEqualTo(lost.plus(terms.ttl()));
    }

    @Test
    void registryThatWasLostIsTrustedOnceItHasEntriesAgain() throws Exception {
        open();
        next(State.HELD);
        AtomicBoolean isLost = new AtomicBoolean();
        registry.hook(call -> {
            if (call.name().equals("renew") && !isLost.getAndSet(true)) {
                store.clear();
                leasedByAnother(0);
                throw new WorkerIdUnavailableException(Reason.REGISTRY_LOST, "the table does not exist", null);
            }
        });

        next(State.LOST);
        WorkerLease change = next();
        assertThat(change.state()).isEqualTo(State.HELD);
        assertThat(change.workerId()).isOne();
    }

    /** Also if the lease's thread hangs. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void workerIdThatCannotBeReleasedIsReported(boolean hangs) throws Exception {
        terms = terms.withTtl(Duration.ofMinutes(1)).withAcquireTimeout(Duration.ofMillis(500));
        SnowflakeIdGenerator generator = open();
        Instant free = next(State.HELD).fence().plus(terms.ttl());
        CountDownLatch goOn = new CountDownLatch(1);
        registry.hook(call -> {
            if (call.name().equals("release")) {
                if (hangs) {
                    goOn.await();
                }
                throw new IllegalStateException("connection refused");
            }
        });
        generator.close();

        String why = hangs ? "the registry has not answered" : "connection refused";
        assertThat(next(State.CLOSED).reason())
                .isEqualTo("it could not be released (%s). Another process can lease the worker ID from %s", why, free);
        goOn.countDown();
        time.awaitEnd();
        assertThat(changes).isEmpty();
    }

    /** The answer may be a failure, or confirm the renewal. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void renewalThatIsAnsweredAfterTheLeaseWasReportedAsClosedIsNotReported(boolean fails) {
        terms = terms.withTtl(Duration.ofSeconds(2)).withAcquireTimeout(Duration.ofMillis(300));
        CountDownLatch renewing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        registry.hook(call -> {
            if (call.name().equals("renew")) {
                renewing.countDown();
                goOn.await();
                if (fails) {
                    throw new IllegalStateException("connection refused");
                }
            }
        });
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        time.passUntil(() -> renewing.getCount() == 0);
        generator.close();
        next(State.CLOSED);
        goOn.countDown();

        time.awaitEnd();
        assertThat(changes).isEmpty();
        assertThat(generator.lease()).get().extracting(WorkerLease::state).isEqualTo(State.CLOSED);
    }

    @Test
    void releaseIsNotAwaitedIfTheLeaseEndedLongAgo() throws Exception {
        terms = terms.withTtl(Duration.ofSeconds(1)).withAcquireTimeout(Duration.ofMinutes(5));
        SnowflakeIdGenerator generator = open();
        registry.hook(call -> {
            throw new IllegalStateException("connection refused");
        });
        Instant free = next(State.EXPIRING).fence().plus(terms.ttl());
        time.pass(Duration.between(time.now(), free));

        generator.close();

        assertThat(time.now()).isEqualTo(free);
        assertThat(next(State.CLOSED).reason()).endsWith("Another process can lease the worker ID from " + free);
    }

    @Test
    void startThatHasFailedLeasesNothingAfterwards() throws Exception {
        terms = terms.withAcquireTimeout(Duration.ofSeconds(1));
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger acquisitions = new AtomicInteger();
        registry.hook(call -> {
            if (call.name().equals("read") && call.isAfter()) {
                goOn.await();
            } else if (call.name().equals("acquire")) {
                acquisitions.incrementAndGet();
            }
        });

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(this::open)
                .withMessageContaining("the registry has not answered yet");
        goOn.countDown();
        time.awaitEnd();
        assertThat(acquisitions).hasValue(0);
        assertThat(store.read().entries()).isEmpty();
    }

    /** So a log of the lease needs no thread to detect this. */
    @Test
    void listenerIsCalledWhenTheFenceHasPassed() throws Exception {
        terms = terms.withTtl(Duration.ofSeconds(1));
        open();
        next(State.HELD);
        registry.hook(call -> {
            throw new IllegalStateException("no answer");
        });

        WorkerLease failing = next(State.EXPIRING);
        WorkerLease ended = next(State.ENDED);

        assertThat(ended.fence()).isEqualTo(failing.fence()).isBeforeOrEqualTo(time.now());
        assertThat(ended.reason()).isEqualTo("no answer");
        registry.hook(call -> {});
        assertThat(next().state()).isEqualTo(State.HELD);
    }

    @Test
    void whateverTheClockThrowsIsSurvived() throws Exception {
        AtomicInteger times = new AtomicInteger();
        atALook = () -> {
            if (Thread.currentThread().getName().equals("snowflake-lease") && times.getAndDecrement() > 0) {
                throw new StackOverflowError("thrown by a clock");
            }
        };
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        times.set(3);

        next(State.EXPIRING);
        next(State.HELD);
        assertThat(generator.nextId()).isPositive();
    }

    /** Otherwise, the lease's thread would run without a pause. */
    @Test
    void leaseThreadThatARegistryHasInterruptedStillSleeps() throws Exception {
        AtomicInteger sleeps = new AtomicInteger();
        TimeSource counted = new TimeSource(TimeSource.SYSTEM) {
            @Override
            void sleep(long nanos) {
                sleeps.incrementAndGet();
                super.sleep(nanos);
            }
        };
        HookedRegistry interrupting = new HookedRegistry(new InMemoryRegistry(Instant::now));
        interrupting.hook(call -> Thread.currentThread().interrupt());
        terms = LeaseTerms.of(interrupting).withTtl(Duration.ofSeconds(1));
        open(counted);
        Thread.sleep(1000);

        assertThat(sleeps.get()).isLessThan(50);
    }

    @Test
    void registryThatFailsIsAskedLessAndLessOften() {
        AtomicInteger calls = new AtomicInteger();
        registry.hook(call -> {
            calls.addAndGet(call.name().equals("read") ? 1 : 0);
            if (!call.name().equals("namespace")) {
                throw new IllegalStateException("thrown by a test");
            }
        });
        terms = terms.withTtl(Duration.ofMinutes(1)).withAcquireTimeout(Duration.ofSeconds(2));

        assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this::open);
        // The pauses are 50, 100, 200 ms and so on, each reduced by up to a quarter.
        assertThat(calls.get()).isBetween(2, 8);
    }

    @Test
    void whereNoThreadCanStartTheGeneratorRemainsClosed() {
        TimeSource noThreads = new ScriptedTime(time.now()) {
            private boolean first = true;

            @Override
            Thread start(String name, Runnable body) {
                if (!first) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                first = false;
                return super.start(name, body);
            }
        };
        SnowflakeIdGenerator generator = open(noThreads);
        generator.nextId();
        generator.close();

        assertThatThrownBy(generator::reopen).isInstanceOf(OutOfMemoryError.class);
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        assertThatThrownBy(() -> open(noThreads)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void grantThatComesAfterTheGeneratorWasClosedAndOpenedAgainChangesNothing() throws Exception {
        terms = terms.withAcquireTimeout(Duration.ofSeconds(1));
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        registry.hook(call -> {
            if (call.name().equals("acquire") && call.isAfter()) {
                written.countDown();
                goOn.await();
            }
        });
        leasedByAnother(0);
        time.passUntil(() -> written.getCount() == 0);
        registry.hook(call -> {});
        generator.close();
        generator.reopen();
        int reopened = generator.workerId().workerId();
        goOn.countDown();

        time.passUntil(() -> ownerOf(1) == null);
        assertThat(reopened).isEqualTo(2);
        assertThat(generator.workerId().workerId()).isEqualTo(2);
        assertThat(FOUR_WORKERS.decode(generator.nextId()).workerId()).isEqualTo(2);
    }

    /**
     * Redis rejects renewals of an expired lease after a failover, since another process may have leased the worker ID
     * meanwhile.
     */
    @Test
    void leaseWhoseEntryIsUnchangedIsReportedAsExpired() {
        Instant end = Instant.parse("2026-11-21T09:30:00Z");
        Claim mine = Claim.of(0, 7, "token", "test", end.minusSeconds(60), end, "a layout");
        Entry unchanged = Entry.of(0, 7, "token", "test", end, end, "a layout");

        assertThat(LeaseFailures.reasonOfLoss(mine, Snapshot.of(end.plusSeconds(1), List.of(unchanged))))
                .isEqualTo("it expired before the store accepted a renewal");
    }

    /** The driver of PostgreSQL ends its message with a period. */
    @Test
    void rootCauseContinuesAMessageThatIsASentence() {
        IOException refused = new IOException("Connection refused");

        assertThat(LeaseFailures.messages(new IllegalStateException("No answer. Check the port.", refused)))
                .isEqualTo("No answer. Check the port: Connection refused");
    }

    /** The entry has the token of the lease, but not the end that the renewal asked for. */
    @Test
    void entryThatACopyHasRenewedWhileARenewalWasNotAnsweredIsLost() throws Exception {
        terms = terms.withTtl(Duration.ofSeconds(3));
        open();
        next(State.HELD);
        AtomicInteger left = new AtomicInteger(1);
        registry.hook(call -> {
            if (call.name().equals("renew") && left.getAndDecrement() > 0) {
                Entry mine = store.read().entries().get(0);
                Instant later = mine.reservedUntil().plusSeconds(3600);
                store.put(Entry.of(0, 0, mine.owner(), mine.ownerInfo(), later, mine.expiresAt(), mine.layout()));
                throw new IllegalStateException("connection lost before the answer");
            }
        });

        assertThat(next(State.EXPIRING).reason()).isEqualTo("connection lost before the answer");
        assertThat(next())
                .as("the next change")
                .extracting(WorkerLease::state, WorkerLease::reason)
                .containsExactly(State.LOST, "its entry was changed by a copy of this process or by hand");
        assertThat(next(State.HELD).workerId()).isOne();
    }

    /** @param isAnswered whether the first renewal is answered, or the loss is only noticed by the second one */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noIdIsIssuedOnceTheLeaseIsReportedAsLost(boolean isAnswered) throws Exception {
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        Queue<OptionalLong> tried = new ConcurrentLinkedQueue<>();
        terms = terms.withListener(change -> {
            if (change.state() == State.LOST) {
                tried.add(own.get().tryNextId());
            }
        });
        own.set(open());
        assertThat(own.get().tryNextId()).isPresent();
        AtomicBoolean fails = new AtomicBoolean(!isAnswered);
        registry.hook(call -> {
            if (call.name().equals("renew") && !call.isAfter()) {
                leasedByAnother(0);
                if (fails.getAndSet(false)) {
                    throw new IllegalStateException("no answer");
                }
            }
        });

        time.passUntil(() -> !tried.isEmpty());
        assertThat(tried).first().isEqualTo(OptionalLong.empty());
    }

    /** The registry may hang while the reason is read. */
    @Test
    void noIdIsIssuedWhileTheReasonForALossIsRead() throws Exception {
        Queue<OptionalLong> tried = new ConcurrentLinkedQueue<>();
        SnowflakeIdGenerator generator = open();
        registry.hook(call -> {
            if (call.name().equals("renew") && !call.isAfter()) {
                leasedByAnother(0);
            } else if (call.name().equals("read")) {
                tried.add(generator.tryNextId());
            }
        });

        time.passUntil(() -> !tried.isEmpty());
        assertThat(tried).first().isEqualTo(OptionalLong.empty());
    }

    // Selection of the worker ID

    @Test
    void layoutThatAnotherProcessStartsAtTheSameTimeIsRejectedEvenIfOnlyUnusedEntriesWereSeen() {
        store.put(Entry.of(0, 0, null, "a race", Instant.EPOCH, Instant.EPOCH, "another layout"));
        registry.hook(call -> {
            if (call.name().equals("acquire") && call.isAfter()) {
                Instant later = time.now().plusSeconds(60);
                store.put(Entry.of(0, 3, "another", "another process", later, later, "another layout"));
            }
        });

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(this::open)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LAYOUT_MISMATCH));
        assertThat(store.read().entries())
                .filteredOn(entry -> entry.workerId() == 0)
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.owner()).isNull();
                    assertThat(entry.reservedUntil()).isEqualTo(Instant.EPOCH);
                });
    }

    @Test
    void numberAboveAllThatWereUsedComesBeforeOneThatIsMissingInBetween() {
        leasedByAnother(1);

        assertThat(open().workerId().workerId()).isEqualTo(2);
        assertThat(open().workerId().workerId()).isEqualTo(3);
        assertThat(open().workerId().workerId()).isZero();
    }

    @Test
    void expiredNumberComesBeforeOneThatIsMissing() {
        leasedByAnother(3);
        Instant past = time.now().minusSeconds(60);
        store.put(Entry.of(0, 1, "killed", "a killed process", past, past, FOUR_WORKERS.fingerprint()));

        assertThat(open().workerId().workerId()).isOne();
        assertThat(open().workerId().workerId()).isZero();
    }

    /** A store that lost its last commits in a failover may have lost a renewal. */
    @Test
    void expiredWorkerIdIsLeasedOnlyAfterAnotherTtl() {
        Instant past = time.now().minusMillis(300);
        for (int workerId = 0; workerId < 4; workerId++) {
            store.put(Entry.of(0, workerId, "killed", "a killed process", past, past, FOUR_WORKERS.fingerprint()));
        }
        terms = terms.withAcquireTimeout(Duration.ofSeconds(10));
        open();

        assertThat(time.now()).isAfterOrEqualTo(past.plusSeconds(1));
    }

    @Test
    void entryThatDoesNotAnswerIsLeftForAnother() {
        registry.hook(call -> {
            if (call.name().equals("acquire") && call.workerId() == 0) {
                throw new IllegalStateException("lock wait timeout exceeded");
            }
        });

        assertThat(open().workerId().workerId()).isOne();
    }

    @Test
    void whereOnlyTheEntryOfTheLeaseDoesNotAnswerAnotherWorkerIdIsLeasedBeforeTheFence() throws Exception {
        SnowflakeIdGenerator generator = open();
        next(State.HELD);
        registry.hook(call -> {
            if (call.name().equals("renew") && call.workerId() == 0) {
                throw new IllegalStateException("lock wait timeout exceeded");
            }
        });
        long last = 0;
        for (int millis = 0; millis < 2_000; millis += 5) {
            long id = generator.nextId();
            assertThat(id).isGreaterThan(last);
            last = id;
            time.pass(Duration.ofMillis(5));
            time.awaitIdle();
        }

        assertThat(changes).extracting(WorkerLease::state).containsExactly(State.EXPIRING, State.HELD);
        assertThat(changes).last().extracting(WorkerLease::workerId).isEqualTo(1);
        assertThat(generator.workerId().workerId()).isOne();
    }

    @Test
    void severalEntriesThatDoNotAnswerAreLeftForAnother() throws Exception {
        SnowflakeIdGenerator generator = open();
        registry.hook(call -> {
            if (call.workerId() == 0 || call.workerId() == 1) {
                throw new IllegalStateException("lock wait timeout exceeded");
            }
        });
        time.passUntil(() -> generator.workerId().workerId() == 2);

        assertThat(generator.nextId()).isPositive();
        registry.hook(call -> {});
    }

    @Test
    void clockThatIsFarAheadForAMomentWhileALeaseIsGrantedHoldsIdsUpNoFurtherThanTheFence() {
        InMemoryRegistry ofThisClock = new InMemoryRegistry(time::instant);
        HookedRegistry stepping = new HookedRegistry(ofThisClock);
        stepping.hook(call -> {
            if (call.name().equals("acquire") && call.isAfter()) {
                time.stepClock(Duration.ofHours(1));
            }
        });
        terms = LeaseTerms.of(stepping).withTtl(Duration.ofSeconds(1));
        SnowflakeIdGenerator generator = open();
        time.stepClock(Duration.ofHours(-1));

        assertThat(FOUR_WORKERS.decode(generator.nextId()).timestamp())
                .isEqualTo(time.now().plusSeconds(1));
    }

    @Test
    void atTheEndOfALayoutsLifeTheLeaseIsRenewedInTimeAndNotForEachTick() throws Exception {
        time.pass(Duration.between(time.now(), FOUR_WORKERS.timestampOf(FOUR_WORKERS.endTick() - 300)));
        AtomicInteger renewals = new AtomicInteger();
        registry.hook(call -> {
            if (call.name().equals("renew") && call.isAfter()) {
                renewals.incrementAndGet();
            }
        });
        SnowflakeIdGenerator generator = open();
        for (int i = 0; i < 200; i++) {
            time.pass(Duration.ofMillis(1));
            generator.nextId();
            time.awaitIdle();
        }

        assertThat(renewals.get()).isLessThan(4);
    }
}
