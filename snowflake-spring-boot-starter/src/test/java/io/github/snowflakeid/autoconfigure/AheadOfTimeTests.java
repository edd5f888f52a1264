package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.actuate.SnowflakeActuatorAutoConfiguration;
import io.github.snowflakeid.actuate.boot3.SnowflakeHealthBoot3AutoConfiguration;
import io.github.snowflakeid.consul.ConsulServer;
import io.github.snowflakeid.consul.SnowflakeConsulAutoConfiguration;
import io.github.snowflakeid.etcd.EtcdCluster;
import io.github.snowflakeid.etcd.SnowflakeEtcdAutoConfiguration;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import io.github.snowflakeid.internal.actuate.GeneratorLabels;
import io.github.snowflakeid.internal.actuate.SnowflakeEndpoint;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.kubernetes.KubernetesServer;
import io.github.snowflakeid.kubernetes.SnowflakeKubernetesAutoConfiguration;
import io.github.snowflakeid.micrometer.SnowflakeMicrometerAutoConfiguration;
import io.github.snowflakeid.numbers.DocumentNumbers;
import io.github.snowflakeid.numbers.SnowflakeNumbersAutoConfiguration;
import io.github.snowflakeid.publicid.actuator.SnowflakePublicIdActuatorAutoConfiguration;
import io.github.snowflakeid.publicid.text.SnowflakePublicIdAutoConfiguration;
import io.github.snowflakeid.redis.Server;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.servers.ServerProcess;
import io.github.snowflakeid.text.PublicIds;
import io.github.snowflakeid.zookeeper.Clients;
import io.github.snowflakeid.zookeeper.SnowflakeZooKeeperAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ClientCnxnSocketNIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/**
 * Contexts that are processed ahead of time: the hints for a native image, and that the contexts start from the
 * generated code.
 */
// Slow: processes applications ahead of time and compiles the generated code.
@Tag("full")
@CompileWithForkedClassLoader
class AheadOfTimeTests {

    private static final String KEY = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";

    @TempDir
    private Path directory;

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        RedisAutoConfiguration.class,
        SnowflakeAutoConfiguration.class,
        SnowflakeNumbersAutoConfiguration.class,
        SnowflakeFileAutoConfiguration.class,
        SnowflakeJdbcAutoConfiguration.class,
        SnowflakeRedisAutoConfiguration.class,
        SnowflakeZooKeeperAutoConfiguration.class,
        SnowflakeEtcdAutoConfiguration.class,
        SnowflakeConsulAutoConfiguration.class,
        SnowflakeKubernetesAutoConfiguration.class,
        SslAutoConfiguration.class,
        SnowflakeActuatorAutoConfiguration.class,
        SnowflakeHealthBoot3AutoConfiguration.class,
        SnowflakeMicrometerAutoConfiguration.class,
        SnowflakePublicIdAutoConfiguration.class,
        SnowflakePublicIdActuatorAutoConfiguration.class
    })
    static class Application {}

    private static void prepare(List<String> properties, TestGenerationContext generation, Consumer<ClassName> then) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(properties).applyTo(context);
            context.register(Application.class);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            then.accept(initializer);
        }
    }

    @SuppressWarnings("unchecked")
    private static void run(List<String> properties, Consumer<ConfigurableApplicationContext> test) {
        TestGenerationContext generation = new TestGenerationContext();
        prepare(
                properties,
                generation,
                initializer -> TestCompiler.forSystem().with(generation).compile(compiled -> {
                    try (GenericApplicationContext context = new GenericApplicationContext()) {
                        TestPropertyValues.of(properties)
                                .and("PUBLIC_ID_KEY=" + KEY)
                                .applyTo(context);
                        compiled.getInstance(ApplicationContextInitializer.class, initializer.reflectionName())
                                .initialize(context);
                        context.refresh();
                        test.accept(context);
                    }
                }));
    }

    private static List<String> with(String... properties) {
        List<String> all = new ArrayList<>(List.of(
                // The only key properties that are known when the application is built.
                "snowflake.public-ids.keys[0].name=a",
                "snowflake.public-ids.keys[0].secret=${PUBLIC_ID_KEY}",
                "management.endpoints.jmx.exposure.include=snowflake",
                "spring.jmx.enabled=true"));
        all.addAll(List.of(properties));
        return all;
    }

    @Test
    void documentsAreNumbered() {
        run(
                with(
                        "snowflake.worker.id=1",
                        "snowflake.numbers.receipt.format=R{000}",
                        "snowflake.numbers.receipt.continue-after[0].number=41"),
                context -> assertThat(BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                                        context.getBeanFactory(), DocumentNumbers.class, "receipt")
                                .next())
                        .isEqualTo("R042"));
    }

    @Test
    void generatorsLeaseInEachStoreAndAreSeen() throws Exception {
        try (Server redis = Server.started();
                TestingServer zooKeeper = Clients.server()) {
            run(
                    with(
                            "snowflake.generators.files.worker.strategy=file",
                            "snowflake.generators.files.worker.file.directory=" + directory,
                            "snowflake.generators.files.worker.file.verify-file-system=false",
                            "snowflake.generators.files.datacenter.id=3",
                            "snowflake.generators.cache.worker.strategy=redis",
                            "snowflake.generators.cache.worker.redis.assume-new-namespace=true",
                            "spring.data.redis.port=" + redis.port(),
                            "snowflake.generators.keeper.worker.strategy=zookeeper",
                            "snowflake.generators.keeper.worker.zookeeper.connect-string="
                                    + zooKeeper.getConnectString()),
                    AheadOfTimeTests::haveIdsAndAreSeen);
        }
    }

    /** The test runs in another launcher, which would report a skipped test as failed. */
    static boolean areServersPresent() {
        try {
            ServerProcess.assumed("etcd");
            ServerProcess.assumed("consul");
            ServerProcess.assumed("kube-apiserver");
            return true;
        } catch (TestAbortedException e) {
            return false;
        }
    }

    @Test
    @Tag("servers")
    @EnabledIf("areServersPresent")
    void generatorsLeaseInEtcdConsulAndKubernetes() {
        KubernetesServer server = KubernetesServer.shared();
        run(
                with(
                        "snowflake.worker.strategy=etcd",
                        "snowflake.worker.etcd.endpoints="
                                + EtcdCluster.shared().endpoints().get(0),
                        "snowflake.worker.etcd.prefix=ahead-of-time/",
                        "snowflake.generators.orders.worker.strategy=consul",
                        "snowflake.generators.orders.worker.consul.url="
                                + ConsulServer.shared().url(),
                        "snowflake.generators.orders.worker.consul.datacenter=dc1",
                        "snowflake.generators.pods.worker.strategy=kubernetes",
                        "snowflake.generators.pods.worker.kubernetes.url=" + server.url(),
                        "snowflake.generators.pods.worker.kubernetes.namespace=" + server.newNamespace(),
                        "snowflake.generators.pods.worker.kubernetes.token=" + KubernetesServer.ADMIN,
                        "snowflake.generators.pods.worker.kubernetes.ssl-bundle=api-server",
                        "spring.ssl.bundle.pem.api-server.truststore.certificate=file:" + server.certificate()),
                context -> context.getBean(SnowflakeGenerators.class)
                        .managed()
                        .forEach((name, generator) -> assertThat(((SnowflakeIdGenerator) generator).nextId())
                                .isPositive()));
    }

    private static void haveIdsAndAreSeen(ConfigurableApplicationContext context) {
        Map<String, String> strategies = new TreeMap<>();
        SnowflakeGenerators generators = context.getBean(SnowflakeGenerators.class);
        assertThat(generators.get("default").nextId()).isPositive();
        generators.managed().forEach((name, managed) -> {
            SnowflakeIdGenerator generator = (SnowflakeIdGenerator) managed;
            assertThat(generator.nextId()).isPositive();
            assertThat(generator.workerId().origin()).startsWith("leased, namespace '");
            strategies.put(name, GeneratorLabels.strategy(generator));
        });
        assertThat(strategies)
                .isEqualTo(Map.of("default", "jdbc", "files", "file", "cache", "redis", "keeper", "zookeeper"));

        Health health = context.getBean("snowflakeHealthIndicator", HealthIndicator.class)
                .health();
        assertThat(health.getStatus().getCode()).isEqualTo("UP");
        assertThat(health.getDetails()).containsOnlyKeys(strategies.keySet());
        assertThat(context.getBean(SnowflakeEndpoint.class).generators()).containsKeys("generators", "namespaces");
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        context.getBeanProvider(MeterBinder.class).forEach(binder -> binder.bindTo(meters));
        assertThat(meters.find("snowflake.ids.issued").functionCounters()).hasSize(4);
        PublicIds publicIds = context.getBean(PublicIds.class);
        assertThat(publicIds.decode("order", publicIds.encode("order", 1))).isOne();
    }

    @Test
    void nativeImageHasHintsForClassesThatAreFoundByName() {
        TestGenerationContext generation = new TestGenerationContext();
        prepare(with("snowflake.generators.keeper.worker.strategy=zookeeper"), generation, initializer -> {});
        RuntimeHints hints = generation.getRuntimeHints();
        ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();

        assertThat(reflection.onMethod(SnowflakeEndpoint.class, "generators").invoke())
                .accepts(hints);
        assertThat(reflection.onMethod(SnowflakeEndpoint.class, "id").invoke()).accepts(hints);
        assertThat(reflection.onMethod(SnowflakeLeaseEvent.class, "kind").invoke())
                .accepts(hints);
        assertThat(reflection.onMethod(WorkerLease.class, "fence").invoke()).accepts(hints);
        assertThat(reflection
                        .onType(ClientCnxnSocketNIO.class)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
                .accepts(hints);
        assertThat(reflection.onType(HikariDataSource.class).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
        for (String database : List.of("h2", "hsqldb", "mysql", "oracle", "postgresql", "sqlserver")) {
            assertThat(RuntimeHintsPredicates.resource()
                            .forResource("io/github/snowflakeid/jdbc/schema-%s.sql".formatted(database)))
                    .accepts(hints);
        }
        // With the names of properties, native images reject unknown ones.
        assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/spring-configuration-metadata.json"))
                .accepts(hints);
    }
}
