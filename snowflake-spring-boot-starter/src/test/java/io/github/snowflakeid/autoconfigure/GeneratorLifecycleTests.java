package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

/** Generators that are made by several threads at once, as beans that are to be made in the background. */
class GeneratorLifecycleTests {

    private static final String NOT_LEASED =
            "No worker id of namespace 'default' leased within 1000 ms: the registry is not reachable (no answer).";

    private final GenericApplicationContext context = new GenericApplicationContext();
    private final GeneratorLifecycle lifecycle = new GeneratorLifecycle(
            context,
            context.getBeanFactory().getBeanProvider(WorkerRegistry.class),
            context.getBeanFactory().getBeanProvider(IdLayout.class));
    private final FailingRegistry registry = new FailingRegistry();
    private final CountDownLatch answers = new CountDownLatch(1);
    private Duration acquireTimeout = Duration.ofSeconds(30);
    private @Nullable SnowflakeIdGenerator generator;

    @BeforeEach
    void start() {
        context.refresh();
        registry.before(call -> answers.await());
    }

    @AfterEach
    void end() {
        lifecycle.destroy();
        context.close();
    }

    private void makeGenerator() {
        generator = lifecycle.ends(SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(registry).shared(false).acquireTimeout(acquireTimeout))
                .start());
        lifecycle.opens(new ConfiguredGenerator(
                generator, new SnowflakeProperties(), Duration.ZERO, Duration.ZERO, registry, Instant.EPOCH));
    }

    private State state() {
        return Objects.requireNonNull(generator).lease().orElseThrow().state();
    }

    @Test
    void threadWaitsForItsGeneratorsWhileAnotherOneDoesNot() throws Exception {
        CompletableFuture.runAsync(lifecycle::startsInBackground).get(60, TimeUnit.SECONDS);
        answers.countDown();

        makeGenerator();

        assertThat(state()).isEqualTo(State.HELD);
    }

    @Test
    void everyThreadThatAwaitsGeneratorsFindsThemOpen() throws Exception {
        lifecycle.startsInBackground();
        makeGenerator();
        assertThat(state()).isNotEqualTo(State.HELD);
        answers.countDown();

        CompletableFuture<State> other = CompletableFuture.supplyAsync(() -> {
            lifecycle.awaitOpen();
            return state();
        });
        lifecycle.awaitOpen();

        assertThat(state()).isEqualTo(State.HELD);
        assertThat(other.get(60, TimeUnit.SECONDS)).isEqualTo(State.HELD);
    }

    /** Who asked first may be made without it, as Spring makes an entity listener. */
    @Test
    void generatorThatCannotBeOpenedIsToldToAllThatAwaitIt() {
        acquireTimeout = Duration.ofSeconds(1);
        registry.fail(true);
        lifecycle.startsInBackground();
        makeGenerator();

        for (int time = 0; time < 2; time++) {
            assertThatExceptionOfType(StartupFailure.class)
                    .isThrownBy(lifecycle::awaitOpen)
                    .withMessage(NOT_LEASED);
        }
        assertThatExceptionOfType(StartupFailure.class)
                .isThrownBy(lifecycle::afterSingletonsInstantiated)
                .withMessage(NOT_LEASED);
    }

    @Test
    void errorWhileAGeneratorIsAwaitedIsToldToAllThatAwaitIt() {
        Thread awaiting = Thread.currentThread();
        answers.countDown();
        IdLayout layoutOfOthers =
                IdLayout.DEFAULT.toBuilder().epoch(Instant.EPOCH).build();
        try (SnowflakeIdGenerator other = SnowflakeIdGenerator.builder()
                .layout(layoutOfOthers)
                .lease(LeaseTerms.of(registry))
                .build()) {
            other.nextId();
            // It reads again to say what the others have.
            registry.before(call -> {
                if (Thread.currentThread().equals(awaiting)) {
                    throw new NoClassDefFoundError("of a driver");
                }
            });
            lifecycle.startsInBackground();
            makeGenerator();

            assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(lifecycle::awaitOpen);
            assertThatIllegalStateException()
                    .isThrownBy(lifecycle::afterSingletonsInstantiated)
                    .withMessage("A generator could not be opened")
                    .withRootCauseInstanceOf(NoClassDefFoundError.class);
        }
    }
}
