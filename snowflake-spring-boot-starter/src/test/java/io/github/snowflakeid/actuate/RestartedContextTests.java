package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.actuate.boot3.SnowflakeHealthBoot3AutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.micrometer.SnowflakeMicrometerAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.SpringProperties;

/** A context that stops and starts again, as before and after a checkpoint. */
class RestartedContextTests {

    private final FailingRegistry registry = new FailingRegistry();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SnowflakeAutoConfiguration.class,
                    SnowflakeHealthBoot3AutoConfiguration.class,
                    SnowflakeMicrometerAutoConfiguration.class))
            .withBean(FailingRegistry.class, () -> registry);

    private String owner() {
        return registry.read().entries().get(0).owner();
    }

    private static String health(ApplicationContext context) {
        return context.getBean(HealthIndicator.class).health().getStatus().getCode();
    }

    @Test
    void releasesItsLeaseAndLeasesAgain() {
        runner.run(context -> {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            context.getBean(MeterBinder.class).bindTo(meters);
            long id = generator.nextId();
            String owner = owner();
            WorkerLease before = generator.lease().orElseThrow();
            assertThat(before.state()).isEqualTo(State.HELD);
            assertThat(health(context)).isEqualTo("UP");
            assertThat(owner).isNotNull();
            assertThat(meters.get("snowflake.lease.remaining").timeGauge().value())
                    .isPositive();

            context.getSourceApplicationContext().stop();

            assertThat(owner()).isNull();
            assertThat(generator.lease().orElseThrow().state()).isEqualTo(State.CLOSED);
            assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
            assertThat(health(context)).isEqualTo("DOWN");
            assertThat(meters.get("snowflake.lease.remaining").timeGauge().value())
                    .isZero();
            assertThat(meters.get("snowflake.ids.refused")
                            .tag("reason", "closed")
                            .functionCounter()
                            .count())
                    .isOne();
            assertThat(meters.get("snowflake.lease.acquisitions")
                            .functionCounter()
                            .count())
                    .isOne();

            context.getSourceApplicationContext().start();

            WorkerLease after = generator.lease().orElseThrow();
            assertThat(after.state()).isEqualTo(State.HELD);
            assertThat(after.fence()).isAfterOrEqualTo(before.fence());
            assertThat(owner()).isNotNull().isNotEqualTo(owner);
            assertThat(generator.nextId()).isGreaterThan(id);
            assertThat(health(context)).isEqualTo("UP");
            assertThat(meters.get("snowflake.lease.remaining").timeGauge().value())
                    .isPositive();
            assertThat(meters.get("snowflake.lease.acquisitions")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
        });
    }

    /** The state that a checkpoint on refresh contains: no bean is started yet. */
    private final class Image implements SmartLifecycle {

        private final ApplicationContext context;
        private volatile boolean running;

        Image(ApplicationContext context) {
            this.context = context;
        }

        @Override
        public void start() {
            // Not before: beans that depend on the generator start after it.
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            assertThat(owner()).isNull();
            assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(generator::nextId);
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE;
        }
    }

    @Test
    void hasNoLeaseInACheckpointOnRefresh() {
        // Spring reads the property once, when the class is loaded, and would take a checkpoint.
        assertThat(new DefaultLifecycleProcessor().isRunning()).isFalse();
        SpringProperties.setProperty(
                DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME, DefaultLifecycleProcessor.ON_REFRESH_VALUE);

        runner.withInitializer(context ->
                        ((GenericApplicationContext) context).registerBean(Image.class, () -> new Image(context)))
                .run(context -> {
                    assertThat(context.getBean(Image.class).isRunning()).isTrue();
                    assertThat(owner()).isNotNull();
                    assertThat(context.getBean(SnowflakeIdGenerator.class).nextId())
                            .isPositive();
                });
    }

    @AfterEach
    void withoutCheckpoints() {
        SpringProperties.setProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME, null);
    }
}
