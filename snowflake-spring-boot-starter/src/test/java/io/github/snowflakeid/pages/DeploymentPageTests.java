package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.ActionAssertions;
import io.github.snowflakeid.autoconfigure.MetadataTests;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.redis.Server;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.yaml.snakeyaml.Yaml;

/** Checks docs/deployment.md, and the manifests as far as possible without an API server. */
class DeploymentPageTests {

    private static final Path MANIFESTS = Page.DOCS.resolve("kubernetes");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class,
                    SnowflakeRedisAutoConfiguration.class));

    /** Returns the manifests of applications and of servers that they need. */
    static List<Map<String, Object>> workloads() throws IOException {
        List<Map<String, Object>> workloads = new ArrayList<>();
        for (Path file : files()) {
            for (String manifest : Files.readString(file).split("(?m)^---$")) {
                Map<String, Object> values = new Yaml().load(manifest);
                if (values.toString().contains("containers=")) {
                    workloads.add(values);
                }
            }
        }
        return workloads;
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(MANIFESTS)) {
            return files.sorted().toList();
        }
    }

    static List<Map<String, Object>> applications() throws IOException {
        return workloads().stream()
                .filter(workload -> workload.toString().contains("SNOWFLAKE_"))
                .toList();
    }

    @Test
    void eachStrategyWithAndWithoutADatabaseHasAManifest() throws IOException {
        assertThat(applications())
                .extracting(each -> environment(each).get("SNOWFLAKE_WORKER_STRATEGY"))
                .containsExactly("jdbc", "kubernetes", "redis", "fixed");
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void podsHaveTheLabelsThatAreSelected(Map<String, Object> manifest) {
        assertThat(at(manifest, "spec", "template", "metadata", "labels"))
                .isEqualTo(at(manifest, "spec", "selector", "matchLabels"));
    }

    @ParameterizedTest
    @MethodSource("applications")
    void propertiesAreKnown(Map<String, Object> manifest) throws IOException {
        assertThat(environment(manifest).keySet().stream().filter(name -> name.startsWith("SNOWFLAKE_")))
                .isNotEmpty()
                .isSubsetOf(MetadataTests.names().stream()
                        .map(known ->
                                known.toUpperCase(Locale.ROOT).replace('.', '_').replace("-", ""))
                        .toList());
    }

    /** With another namespace or layout, pods would issue IDs that instances of the quick start have issued. */
    @ParameterizedTest
    @MethodSource("applications")
    void podsMayRunNextToInstancesOfTheQuickStart(Map<String, Object> manifest) {
        assertThat(environment(manifest).keySet().stream().filter(name -> name.startsWith("SNOWFLAKE_")))
                .noneMatch(
                        name -> name.matches(
                                "SNOWFLAKE_(LAYOUT|EPOCH|TICK|BITS_.*|WORKER_LEASE_NAMESPACE|WORKER_[A-Z]+_(TABLENAME|INITIALIZESCHEMA|PREFIX|KEYPREFIX))"));
    }

    @ParameterizedTest
    @MethodSource("applications")
    void podsHaveTimeToReleaseTheirWorkerId(Map<String, Object> manifest) {
        int grace = (Integer) at(manifest, "spec", "template", "spec", "terminationGracePeriodSeconds");
        String shutdown = environment(manifest).get("SPRING_LIFECYCLE_TIMEOUT_PER_SHUTDOWN_PHASE");

        assertThat(grace).isGreaterThan(Integer.parseInt(shutdown.replace("s", "")) + 10);
    }

    @ParameterizedTest
    @MethodSource("applications")
    void podsWithThatEnvironmentHaveTheirWorkerId(Map<String, Object> manifest) {
        Map<String, Object> environment = new LinkedHashMap<>(environment(manifest));
        // The third pod, and a database that exists here.
        environment.replace("SNOWFLAKE_WORKER_ID", "metadata.labels['apps.kubernetes.io/pod-index']", "2");
        environment.replace("SPRING_DATASOURCE_URL", "jdbc:postgresql://postgres/shop", "jdbc:h2:mem:kubernetes");
        environment.replace("SPRING_DATASOURCE_PASSWORD", "password");
        // KubernetesPageTests starts this one with the files of a pod.
        assumeThat(environment.get("SNOWFLAKE_WORKER_STRATEGY")).isNotEqualTo("kubernetes");
        ApplicationContextRunner application = withEnvironment(environment);
        if (environment.containsKey("SPRING_DATA_REDIS_HOST")) {
            application = application
                    .withPropertyValues("snowflake.worker.redis.assume-new-namespace=true")
                    .withBean(
                            LettuceConnectionFactory.class,
                            () -> Server.shared().connections());
        }

        application.run(context -> assertThat(
                        context.getBean(SnowflakeIdGenerator.class).workerId().toString())
                .contains(
                        environment.containsKey("SNOWFLAKE_WORKER_ID") ? "workerId=2" : "leased, namespace 'default'"));
    }

    @Test
    void startupFailsIfTheLabelIsMissing() {
        withEnvironment(Map.of("SNOWFLAKE_WORKER_STRATEGY", "fixed", "SNOWFLAKE_WORKER_ID", ""))
                .run(
                        context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                        .getDescription())
                                .isEqualTo(
                                        "Property 'snowflake.worker.strategy' is 'fixed', but 'snowflake.worker.id' is not set."));
    }

    @Test
    void moreBitsForTheWorkerIdServeMorePods() {
        withEnvironment(Map.of(
                        "SNOWFLAKE_BITS_DATACENTER", "0", "SNOWFLAKE_BITS_WORKER", "10", "SNOWFLAKE_WORKER_ID", "1023"))
                .run(context -> assertThat(context.getBean(SnowflakeIdGenerator.class)
                                .workerId()
                                .workerId())
                        .isEqualTo(1023));
    }

    @Test
    void tableOfInstancesIsThatOfThePresets() {
        IdLayout.presets().forEach((name, layout) -> {
            int pairs = 1 << (layout.datacenterBits() + layout.workerBits());
            int ofDatacenter = 1 << layout.workerBits();

            assertThat(Page.of("deployment.md").rows().stream()
                            .filter(row -> row.get(0).contains("`" + name + "`")))
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.get(1)).isEqualTo(String.valueOf(pairs));
                        assertThat(row.get(2)).isEqualTo(String.valueOf(ofDatacenter));
                        assertThat(row.get(3)).startsWith(String.valueOf(ofDatacenter));
                    });
        });
    }

    private ApplicationContextRunner withEnvironment(Map<String, Object> variables) {
        String environment = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(environment, new SystemEnvironmentPropertySource(environment, variables)));
    }

    /** Returns the value of each variable, or the source of its value. */
    static Map<String, String> environment(Map<?, ?> manifest) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (Object container : (List<?>) at(manifest, "spec", "template", "spec", "containers")) {
            for (Object variable : (List<?>) at(container, "env")) {
                Map<?, ?> entry = (Map<?, ?>) variable;
                Object value = entry.containsKey("value")
                        ? entry.get("value")
                        : entry.toString().contains("fieldPath")
                                ? at(entry, "valueFrom", "fieldRef", "fieldPath")
                                : at(entry, "valueFrom", "secretKeyRef", "key");
                assertThat(value).as("Kubernetes accepts only texts").isInstanceOf(String.class);
                environment.put((String) entry.get("name"), (String) value);
            }
        }
        return environment;
    }

    private static Object at(Object manifest, String... path) {
        Object found = manifest;
        for (String name : path) {
            found = ((Map<?, ?>) found).get(name);
            assertThat(found).as(name).isNotNull();
        }
        return found;
    }
}
