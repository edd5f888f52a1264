package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.WorkerIdUnavailableException.Reason;
import io.github.snowflakeid.worker.HookedRegistry;
import io.github.snowflakeid.worker.InMemoryRegistry;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import io.github.snowflakeid.worker.WorkerLease.State;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Generators that are started, and open later. */
@Timeout(60)
class OpeningTests {

    private final HookedRegistry registry = new HookedRegistry(new InMemoryRegistry(Instant::now));
    private final CountDownLatch answers = new CountDownLatch(1);
    private LeaseTerms terms = LeaseTerms.of(registry);
    private TimeSource time = new TimeSource(TimeSource.SYSTEM);

    @AfterEach
    void answer() {
        answers.countDown();
    }

    private SnowflakeIdGenerator start() {
        return SnowflakeIdGenerator.builder()
                .lease(terms)
                .maxWait(Duration.ofMillis(50))
                .time(time)
                .start();
    }

    @Test
    void isStartedWhileTheRegistryHasNotAnswered() {
        registry.hook(call -> answers.await());
        try (SnowflakeIdGenerator generator = start()) {
            assertThat(generator.lease()).get().satisfies(lease -> {
                assertThat(lease.state()).isEqualTo(State.LOST);
                assertThat(lease.reason()).isEqualTo("the registry has granted none yet");
            });
            assertThat(generator.tryNextId()).isEmpty();
            assertThatExceptionOfType(WorkerLeaseExpiredException.class)
                    .isThrownBy(generator::nextId)
                    .withMessage(
                            "No worker id leased yet, waited 50 ms (the registry has granted none yet); no id issued");

            answers.countDown();
            generator.awaitOpen();
            assertThat(generator.workerId().origin()).isEqualTo("leased, namespace 'orders'");
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void isClosedWhereItIsAwaitedInVain() {
        terms = terms.acquireTimeout(Duration.ofSeconds(2));
        registry.hook(call -> {
            throw new IllegalStateException("no answer");
        });
        try (SnowflakeIdGenerator generator = start()) {
            assertThatExceptionOfType(WorkerIdUnavailableException.class)
                    .isThrownBy(generator::awaitOpen)
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.REGISTRY_UNREACHABLE));
            assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
            generator.awaitOpen();

            registry.hook(call -> {});
            generator.reopen();
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void leasesNothingIfItIsClosedBefore() {
        registry.hook(call -> answers.await());
        SnowflakeIdGenerator generator = start();
        generator.close();
        generator.awaitOpen();

        answers.countDown();
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        assertThat(registry.read().entries()).isEmpty();
    }

    @Test
    void reopeningAwaitsIt() {
        try (SnowflakeIdGenerator generator = start()) {
            generator.reopen();
            assertThat(generator.nextId()).isPositive();
        }
    }

    @Test
    void sharesTheLeaseThatIsThereAlready() {
        terms = terms.shared(true);
        try (SnowflakeIdGenerator one = start()) {
            one.awaitOpen();
            try (SnowflakeIdGenerator other = start()) {
                other.awaitOpen();
                assertThat(other.workerId()).isEqualTo(one.workerId());
                assertThat(other.nextId()).isNotEqualTo(one.nextId());
            }
            assertThat(one.nextId()).isPositive();
        }
    }

    @Test
    void timeBeforeItIsAwaitedDoesNotCount() throws InterruptedException {
        AtomicLong passed = new AtomicLong();
        time = new TimeSource(TimeSource.SYSTEM) {
            @Override
            long nanos() {
                return super.nanos() + passed.get();
            }

            @Override
            Thread start(String name, Runnable body) {
                return super.start(name, () -> {
                    awaitAnswers();
                    body.run();
                });
            }
        };
        try (SnowflakeIdGenerator generator = start()) {
            passed.set(terms.acquireTimeout().toNanos());
            Thread awaiting = new Thread(generator::awaitOpen);
            awaiting.start();
            while (awaiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            answers.countDown();
            awaiting.join();
            assertThat(generator.nextId()).isPositive();
        }
    }

    private void awaitAnswers() {
        try {
            answers.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void interruptIsNotTakenForARegistryThatCannotBeReached() {
        registry.hook(call -> {
            if (call.name().equals("read")) {
                answers.await();
            }
        });
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(WorkerIdUnavailableException.class)
                .isThrownBy(() -> SnowflakeIdGenerator.builder().lease(terms).build())
                .withMessage("No worker id of namespace 'orders' leased: interrupted while waiting for an answer")
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.CANCELLED));
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Whoever closes or opens waits for the thread that the listener is called by. */
    @ParameterizedTest
    @EnumSource(names = {"HELD", "CLOSED"})
    void listenerThatReopensItsGeneratorHoldsUpNeitherItsOpeningNorItsEnd(State state) throws Exception {
        AtomicReference<SnowflakeIdGenerator> own = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        terms = terms.acquireTimeout(Duration.ofSeconds(50)).listener(change -> {
            if (change.state() == state && thrown.get() == null) {
                while (own.get() == null) {
                    Thread.onSpinWait();
                }
                thrown.set(catchThrowable(own.get()::reopen));
            }
        });
        SnowflakeIdGenerator generator = start();
        Thread user = new Thread(() -> {
            generator.awaitOpen();
            generator.close();
        });
        user.start();
        while (user.getState() != Thread.State.TIMED_WAITING && user.isAlive()) {
            Thread.onSpinWait();
        }
        own.set(generator);
        user.join(30_000);

        assertThat(user.isAlive()).as("still opening or closing").isFalse();
        assertThat(thrown.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Generator not reopened: another thread opens or closes it, and waits for the listener to return");
        assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
        generator.reopen();
        assertThat(generator.nextId()).isPositive();
        generator.close();
    }

    @Test
    void isOpenAtOnceWhereNothingIsLeased() {
        try (SnowflakeIdGenerator generator = SnowflakeIdGenerator.builder()
                .worker(WorkerIdAssigner.fixed(0, 9))
                .start()) {
            assertThat(generator.nextId()).isPositive();
            generator.awaitOpen();
        }
    }
}
