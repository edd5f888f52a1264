package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.etcd.EtcdCluster;
import io.github.snowflakeid.etcd.SnowflakeEtcdAutoConfiguration;
import io.github.snowflakeid.servers.StoreChecks;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Timeout(300)
class EtcdStrategyTests {

    private String prefix;
    private ApplicationContextRunner runner;

    @BeforeEach
    void open() {
        prefix = "strategy/" + UUID.randomUUID();
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowflakeAutoConfiguration.class,
                        SnowflakeEtcdAutoConfiguration.class,
                        SslAutoConfiguration.class))
                .withPropertyValues("snowflake.worker.strategy=etcd", "snowflake.worker.etcd.prefix=" + prefix);
    }

    private List<Entry> entries(String namespace) {
        return EtcdCluster.registry(EtcdCluster.shared().endpoints(), prefix, namespace, Duration.ofSeconds(8))
                .read()
                .entries();
    }

    @Test
    @Tag("servers")
    void leasesInEtcdAndReleasesAtShutdown() {
        StoreChecks.assertGeneratorsLease(
                runner.withPropertyValues("snowflake.worker.etcd.endpoints=http://127.0.0.1:1,"
                        + EtcdCluster.shared().endpoints().get(0)),
                this::entries);
    }

    @Test
    @Tag("servers")
    void trustsTheCertificateOfABundle() {
        try (EtcdCluster cluster = new EtcdCluster(1, "--auto-tls")) {
            String url = "https://127.0.0.1:" + cluster.port(0);
            runner.withPropertyValues(
                            "snowflake.worker.etcd.endpoints=" + url,
                            "snowflake.worker.etcd.ssl-bundle=mine",
                            "spring.ssl.bundle.pem.mine.truststore.certificate=file:" + cluster.certificate())
                    .run(context -> assertThat(
                                    context.getBean(SnowflakeIdGenerator.class).nextId())
                            .isPositive());
            WorkerRegistry untrusting = EtcdCluster.registry(List.of(url), prefix, "default", Duration.ofSeconds(60));
            assertThatThrownBy(untrusting::read)
                    .hasMessageContaining("etcd did not answer (" + url)
                    .hasMessageContaining("certification path");
        }
    }

    @Test
    void reportsThatNoMemberAnswers() {
        runner.withPropertyValues(
                        "snowflake.worker.etcd.endpoints=http://127.0.0.1:1",
                        "snowflake.worker.lease.acquire-timeout=4s")
                .run(context -> {
                    FailureAnalysis analysis = ActionAssertions.analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .startsWith(
                                    "No worker ID of namespace 'default' leased within 4000 ms: etcd did not answer (http://127.0.0.1:1: ");
                    assertThat(analysis.getAction()).isEqualTo("""
                            Start etcd. More than half of its servers must be able to reach each other, and this process must reach them:

                            snowflake.worker.etcd.endpoints: http://127.0.0.1:1""");
                });
    }

    @Test
    void reportsABundleThatDoesNotExist() {
        runner.withPropertyValues("snowflake.worker.etcd.ssl-bundle=mine")
                .run(context -> ActionAssertions.assertThatFailure(
                        context.getStartupFailure(),
                        "Property 'snowflake.worker.etcd.ssl-bundle' names the SSL bundle 'mine', which cannot be used: SSL bundle name 'mine' cannot be found.",
                        """
                        Define or correct the bundle, for example:

                        spring.ssl.bundle.pem.mine.truststore.certificate: file:/path/of/ca.crt"""));
    }

    @Test
    void reportsABundleThatCannotBeUsed() {
        runner.withPropertyValues(
                        "snowflake.worker.etcd.ssl-bundle=mine",
                        "spring.ssl.bundle.pem.mine.truststore.certificate=file:/missing/ca.crt")
                .run(context -> {
                    FailureAnalysis analysis = ActionAssertions.analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .startsWith(
                                    "Property 'snowflake.worker.etcd.ssl-bundle' names the SSL bundle 'mine', which cannot be used: ")
                            .contains("/missing/ca.crt");
                });
    }

    @Test
    void rejectsInvalidValues() {
        runner.withPropertyValues("snowflake.worker.etcd.endpoints=localhost:2379")
                .run(context -> ActionAssertions.assertThatFailure(
                        context.getStartupFailure(),
                        "Invalid 'snowflake.worker.etcd.endpoints': the URL of a server must be like http://localhost:2379, but was 'localhost:2379'.",
                        "Set a valid value, for example:\n\nsnowflake.worker.etcd.endpoints: http://localhost:2379"));
        // The password must not be logged.
        runner.withPropertyValues("snowflake.worker.etcd.endpoints=http://shop:secret@localhost:2379")
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                .getDescription())
                        .endsWith("must be like http://localhost:2379, but was '***@localhost:2379'."));
        for (String invalid : List.of("/ids", "my ids", "a%2F")) {
            runner.withPropertyValues("snowflake.worker.etcd.prefix=" + invalid)
                    .run(context -> ActionAssertions.assertThatFailure(
                            context.getStartupFailure(),
                            "Invalid 'snowflake.worker.etcd.prefix': prefix must consist of letters, digits and . _ - / and not begin with /, but was '%s'."
                                    .formatted(invalid),
                            "Set a valid value, for example:\n\nsnowflake.worker.etcd.prefix: snowflake/"));
        }
    }
}
