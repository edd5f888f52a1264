package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.kubernetes.KubernetesServer;
import io.github.snowflakeid.kubernetes.SnowflakeKubernetesAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.yaml.snakeyaml.Yaml;

/** Checks docs/kubernetes.md and its manifests on a real API server. */
@Tag("servers")
@Timeout(300)
class KubernetesPageTests {

    private static final Map<String, String> PATHS = Map.of(
            "Service", "/api/v1/namespaces/%s/services",
            "ServiceAccount", "/api/v1/namespaces/%s/serviceaccounts",
            "Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles",
            "RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings",
            "Deployment", "/apis/apps/v1/namespaces/%s/deployments",
            "StatefulSet", "/apis/apps/v1/namespaces/%s/statefulsets");

    static List<Path> manifests() {
        return Page.files(Page.DOCS.resolve("kubernetes"), ".yaml");
    }

    private static Iterable<Object> objects(Path manifest) throws Exception {
        return new Yaml().loadAll(Files.readString(manifest));
    }

    private static Map<String, Object> send(Object object, String namespace, String query) {
        Map<?, ?> values = (Map<?, ?>) object;
        return KubernetesServer.shared()
                .request(
                        "POST",
                        PATHS.get(values.get("kind").toString()).formatted(namespace) + query,
                        JsonWriter.standard().writeToString(values));
    }

    /** The API server drops unknown fields without an error. */
    @ParameterizedTest
    @MethodSource("manifests")
    void apiServerKnowsAllFieldsOfTheManifests(Path manifest) throws Exception {
        String namespace = KubernetesServer.shared().newNamespace();
        for (Object object : objects(manifest)) {
            assertThatItContains(send(object, namespace, "?dryRun=All"), object, "");
        }
    }

    private static void assertThatItContains(Object answer, Object sent, String path) {
        if (sent instanceof Map<?, ?> fields) {
            assertThat(answer).as(path).isInstanceOf(Map.class);
            fields.forEach(
                    (name, value) -> assertThatItContains(((Map<?, ?>) answer).get(name), value, path + "." + name));
        } else if (sent instanceof List<?> elements) {
            assertThat((List<?>) answer).as(path).hasSameSizeAs(elements);
            IntStream.range(0, elements.size())
                    .forEach(i ->
                            assertThatItContains(((List<?>) answer).get(i), elements.get(i), path + "[" + i + "]"));
        } else {
            assertThat(answer).as(path).isEqualTo(sent);
        }
    }

    @Test
    void deploymentWithALeaseHasThePermissionsItNeeds() throws Exception {
        KubernetesServer server = KubernetesServer.shared();
        String namespace = server.newNamespace();
        Map<String, Object> environment = new HashMap<>();
        for (Object object : objects(Page.DOCS.resolve("kubernetes/deployment-lease.yaml"))) {
            send(object, namespace, "");
            if (object.toString().contains("containers=")) {
                environment.putAll(DeploymentPageTests.environment((Map<?, ?>) object));
            }
        }
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowflakeAutoConfiguration.class,
                        SnowflakeKubernetesAutoConfiguration.class,
                        SslAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new SystemEnvironmentPropertySource("pod-systemEnvironment", environment)))
                .withPropertyValues(
                        "snowflake.worker.kubernetes.url=" + server.url(),
                        "snowflake.worker.kubernetes.namespace=" + namespace,
                        "snowflake.worker.kubernetes.token=" + server.token(namespace, "shop", "{}"),
                        "snowflake.worker.kubernetes.ssl-bundle=api-server",
                        "spring.ssl.bundle.pem.api-server.truststore.certificate=file:" + server.certificate())
                .run(context -> {
                    assertThat(context.getBean(SnowflakeIdGenerator.class).workerId())
                            .asString()
                            .contains("leased");
                    // The command of the page.
                    String selector = Page.of("kubernetes.md").text().replaceAll("(?s).*get leases -l (\\S+).*", "$1");
                    assertThat((List<?>) server.request(
                                            "GET",
                                            "/apis/coordination.k8s.io/v1/namespaces/%s/leases?labelSelector=%s"
                                                    .formatted(namespace, selector),
                                            "")
                                    .get("items"))
                            .hasSize(1);
                });
    }
}
