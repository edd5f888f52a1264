package io.github.snowflakeid.autoconfigure;

import static io.github.snowflakeid.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.worker.DocumentRegistry;
import io.github.snowflakeid.zookeeper.Clients;
import io.github.snowflakeid.zookeeper.SnowflakeZooKeeperAutoConfiguration;
import io.github.snowflakeid.zookeeper.ZooKeeperDocuments;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;

class ZooKeeperStrategyTests {

    private static TestingServer server;
    private static int stores;

    private String root;
    private ApplicationContextRunner runner;

    @BeforeAll
    static void start() throws Exception {
        server = Clients.sharedServer();
        System.setProperty(ActionAssertions.ZOOKEEPER, server.getConnectString());
    }

    @AfterAll
    static void stop() {
        System.clearProperty(ActionAssertions.ZOOKEEPER);
    }

    @BeforeEach
    void open() {
        root = "/strategy" + stores++;
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowflakeAutoConfiguration.class, SnowflakeZooKeeperAutoConfiguration.class))
                .withPropertyValues("snowflake.worker.strategy=zookeeper", "snowflake.worker.zookeeper.root=" + root);
    }

    private static String connectString() {
        return "snowflake.worker.zookeeper.connect-string=" + server.getConnectString();
    }

    private static SnowflakeIdGenerator generator(ApplicationContext context) {
        return context.getBean(SnowflakeIdGenerator.class);
    }

    private List<Entry> entries(String namespace) {
        try (DocumentRegistry registry = ZooKeeperDocuments.registry(server.getConnectString(), root, namespace)) {
            return registry.read().entries();
        }
    }

    static class OneClient {

        @Bean(destroyMethod = "close")
        CuratorFramework zooKeeper() {
            CuratorFramework client = Clients.builder(server.getConnectString()).build();
            client.start();
            return client;
        }
    }

    static class TwoClients extends OneClient {

        @Bean(destroyMethod = "close")
        CuratorFramework other() {
            return zooKeeper();
        }
    }

    @Test
    void leasesWithTheClientOfTheApplicationAndGivesTheWorkerIdBackBeforeItIsClosed() {
        runner.withUserConfiguration(OneClient.class).run(context -> {
            assertThat(generator(context).workerId().origin()).isEqualTo("leased, namespace 'default'");
            assertThat(generator(context).nextId()).isPositive();
            assertThat(entries("default")).extracting(Entry::owner).doesNotContainNull();
        });
        assertThat(entries("default"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.owner()).isNull());
    }

    // Slow: waits until the client times out.
    @Tag("full")
    @Test
    void idsContinueIfTheClientIsClosedTooEarly() {
        List<Long> made = new ArrayList<>();
        List<SnowflakeIdGenerator> generators = new ArrayList<>();
        runner.withUserConfiguration(OneClient.class)
                .withPropertyValues("snowflake.worker.lease.acquire-timeout=3s")
                .run(context -> {
                    generators.add(generator(context));
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .addApplicationListener((ApplicationListener<ContextClosedEvent>) closing -> {
                                context.getBean(CuratorFramework.class).close();
                                made.add(generator(context).nextId());
                            });
                });
        assertThat(made).hasSize(1);
        await().until(() -> generators.get(0).lease().orElseThrow().state() == State.CLOSED);
        assertThat(entries("default")).extracting(Entry::owner).doesNotContainNull();
    }

    @Test
    void connectStringCreatesADedicatedClientWhateverBeansExist() {
        runner.withUserConfiguration(TwoClients.class)
                .withPropertyValues(connectString())
                .run(context -> assertThat(generator(context).nextId()).isPositive());
        runner.withPropertyValues(connectString()).run(context -> {
            assertThat(generator(context).nextId()).isPositive();
            assertThat(entries("default")).extracting(Entry::owner).doesNotContainNull();
        });
        assertThat(entries("default")).extracting(Entry::owner).containsOnlyNulls();
    }

    @Test
    void leasesAgainAfterAStop() {
        runner.withPropertyValues(connectString()).run(context -> {
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .stop();
            assertThat(entries("default")).extracting(Entry::owner).containsOnlyNulls();
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .start();
            assertThat(generator(context).nextId()).isPositive();
        });
    }

    @Test
    void namedGeneratorsLeaseInNamespacesOfTheirOwn() {
        runner.withUserConfiguration(OneClient.class)
                .withPropertyValues(
                        "snowflake.generators.orders.epoch=2026-01-01T00:00:00Z",
                        "snowflake.generators.tickets.layout=javascript-safe",
                        "snowflake.generators.tickets.worker.zookeeper.root=" + root + "/tickets",
                        "snowflake.generators.fixed.worker.strategy=fixed",
                        "snowflake.generators.fixed.worker.id=7")
                .run(context -> {
                    assertThat(context.getBeansOfType(SnowflakeIdGenerator.class))
                            .hasSize(4);
                    assertThat(entries("orders")).hasSize(1);
                    assertThat(entries("default")).hasSize(1);
                    root = root + "/tickets";
                    assertThat(entries("tickets")).hasSize(1);
                });
    }

    @Test
    void leasesNothingByDefault() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowflakeAutoConfiguration.class,
                        SnowflakeJdbcAutoConfiguration.class,
                        SnowflakeZooKeeperAutoConfiguration.class))
                .withUserConfiguration(OneClient.class)
                .run(context -> {
                    assertThat(context).doesNotHaveBean(WorkerRegistry.class);
                    assertThat(generator(context).lease()).isEmpty();
                });
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowflakeAutoConfiguration.class, SnowflakeZooKeeperAutoConfiguration.class))
                .withPropertyValues("snowflake.enabled=false", "snowflake.worker.strategy=zookeeper")
                .run(context -> assertThat(context).doesNotHaveBean(WorkerRegistryFactory.class));
    }

    @Test
    void reportsThatThereIsNoUniqueClient() {
        String action = """
                Give leases a dedicated client:

                snowflake.worker.zookeeper.connect-string: localhost:2181

                or declare a primary bean:

                @Bean(initMethod = "start", destroyMethod = "close")
                @Primary
                CuratorFramework zooKeeper() {
                    return CuratorFrameworkFactory.newClient("localhost:2181", new ExponentialBackoffRetry(100, 3));
                }""";
        for (ApplicationContextRunner none : List.of(runner, runner.withUserConfiguration(TwoClients.class))) {
            ActionAssertions.assertThatFailure(
                    none,
                    "Worker IDs are leased in ZooKeeper, but there is no unique CuratorFramework bean: no bean is the only one or primary.",
                    action);
        }
    }

    static final class StartedWithTheContext implements FactoryBean<CuratorFramework>, SmartLifecycle {

        private final CuratorFramework client =
                Clients.builder(server.getConnectString()).build();

        @Override
        public CuratorFramework getObject() {
            return client;
        }

        @Override
        public Class<?> getObjectType() {
            return CuratorFramework.class;
        }

        @Override
        public void start() {
            client.start();
        }

        @Override
        public void stop() {
            client.close();
        }

        @Override
        public boolean isRunning() {
            return client.getState() == CuratorFrameworkState.STARTED;
        }
    }

    @Test
    void rejectsAClientThatIsStartedTooLateAndClosedTooEarly() {
        ActionAssertions.assertThatFailure(
                runner.withBean("client", StartedWithTheContext.class),
                "Worker IDs cannot be leased in ZooKeeper: the state of the CuratorFramework is LATENT.",
                """
                Start it before the generator, which leases a worker ID, and close it after the generator, which releases the worker ID:

                @Bean(initMethod = "start", destroyMethod = "close")

                or give leases a dedicated client:

                snowflake.worker.zookeeper.connect-string: localhost:2181""");
    }

    @Test
    void rejectsValuesThatCannotBe() {
        ActionAssertions.assertThatFailure(
                runner.withPropertyValues(connectString(), "snowflake.worker.zookeeper.root=snowflake"),
                "Invalid 'snowflake.worker.zookeeper.root': 'snowflake' (Path must start with / character).",
                "Set a valid value, for example:\n\nsnowflake.worker.zookeeper.root: /snowflake");
        ActionAssertions.assertThatFailure(
                runner.withPropertyValues("snowflake.worker.zookeeper.connect-string=localhost:zk"),
                "Invalid 'snowflake.worker.zookeeper.connect-string': 'localhost:zk' (For input string: \"zk\").",
                "Set a valid value, for example:\n\nsnowflake.worker.zookeeper.connect-string: localhost:2181");
    }

    @Test
    void reportsASolutionIfNoServerAnswers() {
        runner.withPropertyValues(
                        "snowflake.worker.zookeeper.connect-string=localhost:1",
                        "snowflake.worker.lease.acquire-timeout=3s")
                .run(context -> {
                    FailureAnalysis analysis = ActionAssertions.analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .startsWith(
                                    "No worker ID of namespace 'default' leased within 3000 ms: ZooKeeper at localhost:1 did not answer (");
                    assertThat(analysis.getAction()).isEqualTo("""
                            Start its servers, or set their addresses:

                            snowflake.worker.zookeeper.connect-string: localhost:2181""");
                });
    }

    @Test
    void reportsTheMissingDependencyWithoutCurator() {
        runner.withClassLoader(new FilteredClassLoader("org.apache.curator"))
                .run(
                        context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                        .getDescription())
                                .isEqualTo(
                                        "Property 'snowflake.worker.strategy' is 'zookeeper', but Apache Curator is not on the class path."));
    }
}
