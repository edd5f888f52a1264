package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.internal.failure.Problem;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.test.util.ReflectionTestUtils;

/** The lease is acquired while the context creates its beans. */
@Timeout(120)
class LeaseAtStartupTests {

    private final FailingRegistry registry = new FailingRegistry();
    private final CountDownLatch answers = new CountDownLatch(1);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowflakeAutoConfiguration.class))
            .withPropertyValues("snowflake.worker.lease.acquire-timeout=60s")
            .withBean("registry", WorkerRegistry.class, () -> registry);

    /** The generator's bean exists before the lease does, and the lease exists before the context serves anything. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void beansAreCreatedWhileTheStoreIsAsked(CapturedOutput output) {
        registry.before(call -> {
            if (call.equals("read")) {
                answers.await();
            }
        });
        runner.withBean(CountDownLatch.class, () -> answers)
                .withBean("late", Late.class)
                .withBean("server", Server.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Server.class).lease).isEqualTo(WorkerLease.State.HELD);
                    assertThat(output).contains("Generating IDs with worker ID 0, datacenter ID 0 (leased");
                });
        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly((String) null);
    }

    static final class Late {

        Late(IdGenerator ids, CountDownLatch answers) {
            assertThat(ids).isNotNull();
            answers.countDown();
        }
    }

    static final class Server implements SmartLifecycle {

        private final SnowflakeIdGenerator generator;
        private WorkerLease.State lease;

        Server(SnowflakeIdGenerator generator) {
            this.generator = generator;
        }

        @Override
        public void start() {
            lease = generator.lease().orElseThrow().state();
        }

        @Override
        public void stop() {
            lease = null;
        }

        @Override
        public boolean isRunning() {
            return lease != null;
        }

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE;
        }
    }

    @Test
    void beanThatNeedsAnIdWhileItIsCreatedGetsIt() {
        runner.withPropertyValues("snowflake.clock.max-wait=0ms")
                .withBean("early", Early.class)
                .run(context -> assertThat(context.getBean(Early.class).id).isPositive());
    }

    static final class Early {

        private final long id;

        Early(IdGenerator ids) {
            id = ids.nextId();
        }
    }

    static final class Initializing implements SmartInitializingSingleton {

        private final IdGenerator ids;

        Initializing(IdGenerator ids) {
            this.ids = ids;
        }

        @Override
        public void afterSingletonsInstantiated() {
            ids.nextId();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Object.class, Early.class, Initializing.class})
    void startupFailsWithOneAnalysisWhoeverWaitsForTheLease(Class<?> other) {
        registry.before(call -> {
            if (call.equals("read")) {
                throw Problem.STORE_LOCKED
                        .exception("The store is locked", "Set {snowflake}.worker.lease.namespace.")
                        .unusable();
            }
        });
        runner.withBean("other", other).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = ActionAssertions.analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).isEqualTo("The store is locked.");
            assertThat(analysis.getAction())
                    .startsWith("Set snowflake.worker.lease.namespace.")
                    .doesNotContain("Alternatively, use fixed worker IDs");
        });
    }

    @Test
    void contextThatFailsForAnotherReasonReleasesTheLease() {
        CountDownLatch acquired = new CountDownLatch(1);
        registry.before(call -> {
            if (call.equals("acquire")) {
                acquired.countDown();
            }
        });
        runner.withBean(CountDownLatch.class, () -> acquired)
                .withBean("failing", Failing.class)
                .run(context -> assertThat(context).getFailure().hasRootCauseMessage("another reason"));

        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly((String) null);
    }

    static final class Failing {

        Failing(IdGenerator ids, CountDownLatch acquired) throws InterruptedException {
            assertThat(ids).isNotNull();
            acquired.await();
            throw new IllegalStateException("another reason");
        }
    }

    private ApplicationContextRunner onDemand() {
        return runner.withInitializer(context -> context.addBeanFactoryPostProcessor(
                beans -> beans.getBeanDefinition(beans.getBeanNamesForType(IdGenerator.class, true, false)[0])
                        .setLazyInit(true)));
    }

    @Test
    void generatorThatIsCreatedOnDemandHasItsLease() {
        onDemand().run(context -> {
            assertThat(registry.read().entries()).isEmpty();
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease())
                    .get()
                    .extracting(WorkerLease::state)
                    .isEqualTo(WorkerLease.State.HELD);
        });
    }

    @Test
    void generatorThatCannotBeCreatedOnDemandIsNotKept() {
        AtomicBoolean fails = new AtomicBoolean(true);
        registry.before(call -> {
            if (fails.get() && call.equals("read")) {
                throw Problem.STORE_LOCKED.exception("The store is locked", "").unusable();
            }
        });
        onDemand().run(context -> {
            for (int i = 0; i < 3; i++) {
                assertThat(catchThrowable(() -> context.getBean(SnowflakeIdGenerator.class)))
                        .hasMessageContaining("The store is locked");
            }
            fails.set(false);
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            assertThat(ReflectionTestUtils.getField(context.getBean(GeneratorLifecycle.class), "created"))
                    .isEqualTo(List.of(generator));
        });
        assertThat(registry.read().entries()).extracting(Entry::owner).containsExactly((String) null);
    }
}
