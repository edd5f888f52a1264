package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.consul.ConsulServer;
import io.github.snowflakeid.consul.SnowflakeConsulAutoConfiguration;
import io.github.snowflakeid.servers.StoreChecks;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class ConsulStrategyTests {

    private String prefix;
    private ApplicationContextRunner runner;

    @BeforeEach
    void open() {
        prefix = "strategy/" + UUID.randomUUID();
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowflakeAutoConfiguration.class,
                        SnowflakeConsulAutoConfiguration.class,
                        SslAutoConfiguration.class))
                .withPropertyValues("snowflake.worker.strategy=consul", "snowflake.worker.consul.prefix=" + prefix);
    }

    private List<Entry> entries(String namespace) {
        return ConsulServer.registry(ConsulServer.shared().url(), prefix, namespace, Duration.ofSeconds(8))
                .read()
                .entries();
    }

    @Test
    @Tag("servers")
    void leasesInConsulAndReleasesAtShutdown(CapturedOutput output) {
        StoreChecks.assertGeneratorsLease(
                runner.withPropertyValues(
                        "snowflake.worker.consul.url=" + ConsulServer.shared().url() + "/",
                        "snowflake.worker.consul.datacenter=dc1"),
                this::entries);
        assertThat(output)
                .contains("Worker IDs are leased in Consul at %s, datacenter dc1"
                        .formatted(ConsulServer.shared().url()));
    }

    @Test
    @Tag("servers")
    void usesTheAgentOfSpringCloudConsul() {
        runner.withPropertyValues(
                        "spring.cloud.consul.host=127.0.0.1",
                        "spring.cloud.consul.port=" + ConsulServer.shared().port(),
                        "snowflake.worker.consul.datacenter=dc1")
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).nextId())
                        .isPositive());
    }

    @Test
    void rejectsInvalidValues() {
        runner.withPropertyValues("snowflake.worker.consul.url=consul:8500")
                .run(context -> ActionAssertions.assertThatFailure(
                        context.getStartupFailure(),
                        "Invalid 'snowflake.worker.consul.url': the URL of a server must be like http://localhost:8500, but was 'consul:8500'.",
                        "Set a valid value, for example:\n\nsnowflake.worker.consul.url: http://localhost:8500"));
    }
}
