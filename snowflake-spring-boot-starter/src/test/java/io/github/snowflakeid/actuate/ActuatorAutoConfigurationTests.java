package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.actuate.boot3.SnowflakeHealthBoot3AutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.internal.actuate.SnowflakeEndpoint;
import io.github.snowflakeid.micrometer.SnowflakeMicrometerAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

@ExtendWith(OutputCaptureExtension.class)
class ActuatorAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SnowflakeAutoConfiguration.class,
                    SnowflakeActuatorAutoConfiguration.class,
                    SnowflakeHealthBoot3AutoConfiguration.class,
                    SnowflakeMicrometerAutoConfiguration.class));

    private final ApplicationContextRunner fixed = runner.withPropertyValues("snowflake.worker.id=7");

    @Test
    void generatorsAreShownButByTheEndpointThatHasToBeExposed() {
        fixed.run(context -> {
            assertThat(context)
                    .hasSingleBean(HealthIndicator.class)
                    .hasSingleBean(InfoContributor.class)
                    .hasSingleBean(MeterBinder.class)
                    .doesNotHaveBean(SnowflakeEndpoint.class);
            Health health = context.getBean("snowflakeHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus().getCode()).isEqualTo("UP");
            assertThat(health.getDetails()).containsOnlyKeys("default");
        });
        fixed.withPropertyValues("management.endpoints.jmx.exposure.include=snowflake", "spring.jmx.enabled=true")
                .run(context -> assertThat(context).hasSingleBean(SnowflakeEndpoint.class));
    }

    @Test
    void eachCanBeDisabled() {
        fixed.withPropertyValues("management.health.snowflake.enabled=false", "management.info.snowflake.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(HealthIndicator.class)
                        .doesNotHaveBean(InfoContributor.class)
                        .hasSingleBean(SnowflakeIdGenerator.class));
        fixed.withPropertyValues("snowflake.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(HealthIndicator.class)
                        .doesNotHaveBean(InfoContributor.class)
                        .doesNotHaveBean(MeterBinder.class));
    }

    @Test
    void endpointsThatShowValuesMaskPasswordsAndTokens() {
        fixed.run(context -> {
            SanitizingFunction sanitizer = context.getBean(SanitizingFunction.class);
            assertThat(List.of(
                            "snowflake.worker.jdbc.password",
                            "snowflake.worker.consul.token",
                            "snowflake.generators.effective.orders.snowflake.worker.kubernetes.token",
                            "SNOWFLAKE_WORKER_CONSUL_TOKEN"))
                    .allSatisfy(key -> assertThat(sanitizer
                                    .apply(new SanitizableData(null, key, "tiger"))
                                    .getValue())
                            .isEqualTo(SanitizableData.SANITIZED_VALUE));
            assertThat(sanitizer
                            .apply(new SanitizableData(null, "snowflake.worker.kubernetes.token-file", "/token"))
                            .getValue())
                    .isEqualTo("/token");
        });
    }

    @Test
    void applicationWithoutActuatorAndMicrometerHasGenerators() {
        fixed.withClassLoader(new FilteredClassLoader(
                        InfoContributor.class, HealthIndicator.class, MeterRegistry.class, MeterBinder.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(SnowflakeIdGenerator.class)
                        .doesNotHaveBean("snowflakeHealthIndicator")
                        .doesNotHaveBean("snowflake.infoContributor")
                        .doesNotHaveBean("snowflake.meters"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        final BlockingQueue<SnowflakeLeaseEvent> events = new LinkedBlockingQueue<>();

        @Bean
        WorkerRegistry registry() {
            return new FailingRegistry();
        }

        @Bean
        ApplicationListener<PayloadApplicationEvent<SnowflakeLeaseEvent>> listener() {
            return event -> events.add(event.getPayload());
        }
    }

    /** As with a pool that waits for a connection, or a server that does not respond: the call times out. */
    @Test
    void storeThatHangsIsInTheLogInAnEventAndInTheHealthWhenHalfOfTheLeaseIsOver(CapturedOutput output) {
        runner.withUserConfiguration(Listening.class)
                .withPropertyValues(
                        "snowflake.worker.lease.ttl=8s", "management.health.snowflake.expiring-status=OUT_OF_SERVICE")
                .run(context -> {
                    Listening store = context.getBean(Listening.class);
                    FailingRegistry registry = context.getBean(FailingRegistry.class);
                    assertThat(next(store.events).kind()).isEqualTo(Kind.HELD);
                    CountDownLatch answers = new CountDownLatch(1);
                    registry.before(call -> answers.await());

                    SnowflakeLeaseEvent expiring = next(store.events);

                    Instant told = Instant.now();
                    Health health = context.getBean("snowflakeHealthIndicator", HealthIndicator.class)
                            .health();
                    assertThat(expiring.kind()).isEqualTo(Kind.EXPIRING);
                    WorkerLease lease = expiring.lease();
                    assertThat(told).isBetween(lease.renewedAt().plusSeconds(4), lease.fence());
                    assertThat(lease.state()).isEqualTo(State.EXPIRING);
                    assertThat(lease.reason()).isEqualTo("the registry did not answer within 2500 ms");
                    assertThat(output)
                            .contains("The lease of worker ID 0, datacenter ID 0 could not be renewed ("
                                    + lease.reason() + ")");
                    assertThat(health.getStatus().getCode()).isEqualTo("OUT_OF_SERVICE");
                    assertThat(health.getDetails().toString())
                            .contains("state=expiring", "reason=" + lease.reason(), "issuesIds=true");
                    answers.countDown();
                    assertThat(next(store.events).kind()).isEqualTo(Kind.RECOVERED);
                });
    }

    private static SnowflakeLeaseEvent next(BlockingQueue<SnowflakeLeaseEvent> events) throws InterruptedException {
        SnowflakeLeaseEvent event = events.poll(60, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    @Configuration(proxyBeanMethods = false)
    static class Lazily {

        @Bean
        @Lazy
        SnowflakeIdGenerator ids() {
            return SnowflakeIdGenerator.builder()
                    .worker(WorkerIdAssigner.fixed(0, 17))
                    .build();
        }
    }

    @Test
    void lazyGeneratorIsNotCreatedByAReadAndIsIncludedOnceItExists() {
        runner.withUserConfiguration(Lazily.class).run(context -> {
            HealthIndicator health = context.getBean("snowflakeHealthIndicator", HealthIndicator.class);
            context.getBean(MeterBinder.class).bindTo(new SimpleMeterRegistry());
            assertThat(health.health().getDetails()).isEmpty();
            assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("ids"))
                    .isFalse();

            context.getBean("ids");

            assertThat(health.health().getDetails()).containsOnlyKeys("ids");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class DeclaredAsIdGenerator {

        final FailingRegistry registry = new FailingRegistry();

        @Bean
        IdGenerator ids() {
            return SnowflakeIdGenerator.builder().lease(LeaseTerms.of(registry)).build();
        }
    }

    @Test
    void generatorWhoseBeanIsDeclaredAsAnIdGeneratorIsSeenAndGivesItsLeaseBackWhileTheContextIsStopped() {
        runner.withUserConfiguration(DeclaredAsIdGenerator.class).run(context -> {
            IdGenerator ids = context.getBean(IdGenerator.class);
            assertThat(context.getBean("snowflakeHealthIndicator", HealthIndicator.class)
                            .health()
                            .getDetails())
                    .containsOnlyKeys("ids");
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            context.getBean(MeterBinder.class).bindTo(meters);
            assertThat(meters.get("snowflake.lease.remaining")
                            .tag("generator", "ids")
                            .gauge()
                            .value())
                    .isPositive();

            context.getSourceApplicationContext().stop();
            assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(ids::nextId);
            context.getSourceApplicationContext().start();
            assertThat(ids.nextId()).isPositive();
        });
    }

    @Test
    void leaseIsAnEventOnceTheContextHasStartedAndAgainWhenItIsStartedAgain() {
        runner.withUserConfiguration(Listening.class).run(context -> {
            BlockingQueue<SnowflakeLeaseEvent> events = context.getBean(Listening.class).events;
            SnowflakeLeaseEvent first = events.poll(60, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            assertThat(first.kind()).isEqualTo(Kind.HELD);
            assertThat(first.generator()).isEmpty();

            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();

            SnowflakeLeaseEvent second = events.poll(60, TimeUnit.SECONDS);
            assertThat(second).isNotNull();
            assertThat(second.kind()).isEqualTo(Kind.HELD);
            context.getSourceApplicationContext().close();
            assertThat(events).isEmpty();
        });
    }
}
