package io.github.snowflakeid.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.actuate.boot3.SnowflakeHealthBoot3AutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.event.SnowflakeLeaseEvent.Kind;
import io.github.snowflakeid.micrometer.SnowflakeMicrometerAutoConfiguration;
import io.github.snowflakeid.worker.WorkerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
    void eachCanBeTakenAway() {
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

    @Test
    void leaseIsAnEventOnceTheContextHasStartedAndAgainWhenItIsStartedAgain() {
        runner.withUserConfiguration(Listening.class).run(context -> {
            BlockingQueue<SnowflakeLeaseEvent> events = context.getBean(Listening.class).events;
            SnowflakeLeaseEvent first = events.poll(10, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            assertThat(first.kind()).isEqualTo(Kind.HELD);
            assertThat(first.generator()).isEmpty();

            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();

            SnowflakeLeaseEvent second = events.poll(10, TimeUnit.SECONDS);
            assertThat(second).isNotNull();
            assertThat(second.kind()).isEqualTo(Kind.HELD);
            context.getSourceApplicationContext().close();
            assertThat(events).isEmpty();
        });
    }
}
