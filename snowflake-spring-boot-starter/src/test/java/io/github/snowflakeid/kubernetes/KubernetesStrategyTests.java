package io.github.snowflakeid.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.autoconfigure.ActionAssertions;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.servers.StoreChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

@Timeout(300)
class KubernetesStrategyTests {

    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowflakeAutoConfiguration.class, SslAutoConfiguration.class))
            .withPropertyValues("snowflake.worker.strategy=kubernetes");

    private final ApplicationContextRunner runner =
            plain.withConfiguration(AutoConfigurations.of(SnowflakeKubernetesAutoConfiguration.class));

    /** A pod, whose volume is in another place. */
    @Configuration(proxyBeanMethods = false)
    @PropertyGroup(KubernetesProperties.class)
    static class Pod {

        @Bean("snowflake.store.kubernetes")
        WorkerRegistryFactory store(ObjectProvider<SslBundles> bundles, Environment environment) {
            Path account = Path.of(environment.getRequiredProperty("account"));
            return settings -> SnowflakeKubernetesAutoConfiguration.registry(settings, bundles, environment, account);
        }
    }

    private static List<Entry> entries(String cluster, String namespace) {
        KubernetesServer server = KubernetesServer.shared();
        return KubernetesServer.registry(
                        server.url(),
                        server.certificate(),
                        () -> server.token(cluster),
                        cluster,
                        namespace,
                        KubernetesServer.USUAL_LIMIT)
                .read()
                .entries();
    }

    @Test
    @Tag("servers")
    void podNeedsNoOtherProperty(@TempDir Path account) throws Exception {
        KubernetesServer server = KubernetesServer.shared();
        String cluster = server.newNamespace();
        server.permit(cluster, "get, list, create, update");
        Files.writeString(account.resolve("namespace"), cluster);
        Files.writeString(account.resolve("token"), server.token(cluster));
        Files.copy(server.certificate(), account.resolve("ca.crt"));
        StoreChecks.assertGeneratorsLease(
                plain.withUserConfiguration(Pod.class)
                        .withPropertyValues(
                                "account=" + account,
                                "KUBERNETES_SERVICE_HOST=127.0.0.1",
                                "KUBERNETES_SERVICE_PORT=" + server.port()),
                namespace -> entries(cluster, namespace));
    }

    @Test
    @Tag("servers")
    void leasesOutsideOfAPod(@TempDir Path directory) throws Exception {
        KubernetesServer server = KubernetesServer.shared();
        String cluster = server.newNamespace();
        server.permit(cluster, "get, list, create, update");
        String token = server.token(cluster);
        Path file = Files.writeString(directory.resolve("token"), token + "\n");
        for (String account : List.of("token=" + token, "token-file=" + file)) {
            runner.withPropertyValues(
                            "snowflake.worker.kubernetes.url=" + server.url(),
                            "snowflake.worker.kubernetes.namespace=" + cluster,
                            "snowflake.worker.kubernetes." + account,
                            "snowflake.worker.kubernetes.ssl-bundle=mine",
                            "spring.ssl.bundle.pem.mine.truststore.certificate=file:" + server.certificate())
                    .run(context -> assertThat(
                                    context.getBean(SnowflakeIdGenerator.class).nextId())
                            .isPositive());
        }
    }

    private static String anyCertificate() throws Exception {
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init((KeyStore) null);
        byte[] certificate = ((X509TrustManager) trusted.getTrustManagers()[0]).getAcceptedIssuers()[0].getEncoded();
        return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                .formatted(Base64.getMimeEncoder().encodeToString(certificate));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, https://127.0.0.1:1", "::1, https://[::1]:1"})
    void reportsThatTheApiServerDoesNotAnswer(String host, String url, @TempDir Path account) throws Exception {
        Files.writeString(account.resolve("namespace"), "shop\n");
        Files.writeString(account.resolve("token"), "x");
        Files.writeString(account.resolve("ca.crt"), anyCertificate());
        plain.withUserConfiguration(Pod.class)
                .withPropertyValues(
                        "account=" + account,
                        "KUBERNETES_SERVICE_HOST=" + host,
                        "KUBERNETES_SERVICE_PORT=1",
                        "snowflake.worker.lease.acquire-timeout=2s")
                .run(context -> {
                    var analysis = ActionAssertions.analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .startsWith(
                                    "No worker ID of namespace 'default' leased within 2000 ms: Kubernetes did not answer (%s: "
                                            .formatted(url));
                    assertThat(analysis.getAction())
                            .isEqualTo(
                                    "Let this pod connect to the API server: check network policies and the proxy of a service mesh.");
                });
    }

    private static void assertThatItFails(ApplicationContextRunner runner, String description, String action) {
        runner.run(context -> ActionAssertions.assertThatFailure(context.getStartupFailure(), description, action));
    }

    @Test
    void reportsThatTheProcessIsInNoPod() {
        assertThatItFails(
                runner,
                "Property 'snowflake.worker.strategy' is 'kubernetes', but this process is in no pod: KUBERNETES_SERVICE_HOST is not set.",
                """
                Outside of a pod, execute 'kubectl proxy', and set:

                snowflake.worker.kubernetes.url: http://localhost:8001
                snowflake.worker.kubernetes.namespace: default""");
    }

    @Test
    void reportsThatTheServerOutsideOfAPodDoesNotAnswer() {
        runner.withPropertyValues(
                        "snowflake.worker.kubernetes.url=http://127.0.0.1:1",
                        "snowflake.worker.kubernetes.namespace=shop",
                        "snowflake.worker.lease.acquire-timeout=2s")
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                .getAction())
                        .endsWith("\n\nsnowflake.worker.kubernetes.url: http://127.0.0.1:1"));
    }

    /** The pod has the setting {@code automountServiceAccountToken: false}. */
    @Test
    void reportsAMissingVolume(@TempDir Path account) {
        assertThatItFails(
                plain.withUserConfiguration(Pod.class)
                        .withPropertyValues("account=" + account, "KUBERNETES_SERVICE_HOST=127.0.0.1"),
                "The service account is not known: file '%1$s/namespace' cannot be read (%1$s/namespace)."
                        .formatted(account),
                """
                        Set 'automountServiceAccountToken: true' in the pod, or name another file:

                        snowflake.worker.kubernetes.token-file: /path/of/token""");
    }

    @Test
    void reportsAMissingToken(@TempDir Path account) throws Exception {
        assertThatItFails(
                plain.withUserConfiguration(Pod.class)
                        .withPropertyValues(
                                "account=" + account,
                                "KUBERNETES_SERVICE_HOST=127.0.0.1",
                                "snowflake.worker.kubernetes.namespace=shop",
                                "snowflake.worker.lease.acquire-timeout=2s"),
                "No worker ID of namespace 'default' leased within 2000 ms: The service account is not known: file '%1$s/token' cannot be read (%1$s/token)."
                        .formatted(account),
                """
                        Set 'automountServiceAccountToken: true' in the pod, or name another file:

                        snowflake.worker.kubernetes.token-file: /path/of/token""");
    }

    @Test
    void rejectsInvalidNamespaces() {
        for (String invalid : List.of("", "Shop", "a/b", "a?b")) {
            assertThatItFails(
                    runner.withPropertyValues(
                            "snowflake.worker.kubernetes.url=http://localhost:8001",
                            "snowflake.worker.kubernetes.namespace=" + invalid),
                    "Invalid 'snowflake.worker.kubernetes.namespace': namespace must have lower-case letters, digits and hyphens, but was '%s'."
                            .formatted(invalid),
                    "Set a valid value, for example:\n\nsnowflake.worker.kubernetes.namespace: default");
        }
    }
}
