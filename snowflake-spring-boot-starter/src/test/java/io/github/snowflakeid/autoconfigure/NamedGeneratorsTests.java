package io.github.snowflakeid.autoconfigure;

import static io.github.snowflakeid.autoconfigure.ActionAssertions.assertThatFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.actuate.FailingRegistry;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;

class NamedGeneratorsTests {

    private static final String ORDERS = "snowflake.generators.orders.";

    private static final String SET_WORKER_ID = """
            Give each process that runs at the same time a different worker ID from 0 to 31. Take it from an environment variable \
            whose value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

            snowflake.generators.orders.worker.strategy: fixed
            snowflake.generators.orders.worker.id: ${ORDERS_WORKER_ID}""";

    /** Needs the unnamed generator, which is lazy if there are named generators. */
    record UnnamedUser(IdGenerator ids) {}

    private final ApplicationContextRunner namedOnly = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class));

    private final ApplicationContextRunner withoutDatabase = namedOnly.withBean(UnnamedUser.class);

    private final ApplicationContextRunner leased =
            withoutDatabase.withPropertyValues("spring.datasource.generate-unique-name=true");

    /** With fixed worker IDs. */
    private final ApplicationContextRunner fixed = withoutDatabase
            .withClassLoader(new FilteredClassLoader(DataSource.class))
            .withPropertyValues("snowflake.worker.id=7");

    private static SnowflakeIdGenerator named(ApplicationContext context, String name) {
        return (SnowflakeIdGenerator) BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                context.getAutowireCapableBeanFactory(), IdGenerator.class, name);
    }

    private static SnowflakeIdGenerator unnamed(ApplicationContext context) {
        return context.getBean("snowflake.generators.default", SnowflakeIdGenerator.class);
    }

    private static List<String> namespaces(ApplicationContext context) {
        return new JdbcTemplate(context.getBean(DataSource.class))
                .queryForList(
                        "select namespace from snowflake_worker where owner is not null order by namespace",
                        String.class);
    }

    // Beans and properties

    @Test
    void eachIsABeanWithItsNameAsQualifierAndNeverInTheWayOfTheUnnamedOne() {
        fixed.withUserConfiguration(Asking.class)
                .withPropertyValues(
                        ORDERS + "worker.id=8",
                        "snowflake.generators.tickets.layout=javascript-safe",
                        "snowflake.generators.tickets.worker.id=7")
                .run(context -> {
                    Asked asked = context.getBean(Asked.class);

                    assertThat(asked.plain()).isSameAs(unnamed(context));
                    assertThat(asked.orders())
                            .isSameAs(named(context, "orders"))
                            .isSameAs(context.getBean("snowflake.generators.orders"));
                    assertThat(asked.ifUnique()).isSameAs(unnamed(context));
                    assertThat(asked.list()).containsExactly(unnamed(context));
                    assertThat(context.getBean(IdGenerator.class)).isSameAs(unnamed(context));
                    assertThat(context.getBeansOfType(IdGenerator.class))
                            .containsOnlyKeys(
                                    "snowflake.generators.default",
                                    "snowflake.generators.orders",
                                    "snowflake.generators.tickets");
                    assertThat(context.getBeansOfType(SnowflakeIdGenerator.class)
                                    .values())
                            .extracting(SnowflakeIdGenerator::name)
                            .containsExactlyInAnyOrder("", "orders", "tickets");
                });
    }

    record Asked(
            IdGenerator plain, IdGenerator orders, @Nullable IdGenerator ifUnique, List<IdGenerator> list) {}

    @Configuration(proxyBeanMethods = false)
    static class Asking {

        @Bean
        Asked asked(
                IdGenerator orders,
                @Qualifier("orders") IdGenerator qualified,
                ObjectProvider<IdGenerator> provider,
                List<IdGenerator> list) {
            return new Asked(orders, qualified, provider.getIfUnique(), list);
        }
    }

    @Test
    void inheritsUnsetPropertiesExceptTheWorkerIdAndTheNamespace() {
        leased.withPropertyValues(
                        "snowflake.layout=leaf",
                        "snowflake.bits.worker=9",
                        "snowflake.epoch=2024-01-01T00:00:00Z",
                        "snowflake.sequence.start=rotating",
                        "snowflake.worker.id=300",
                        "snowflake.worker.lease.namespace=shop",
                        ORDERS + "tick=10ms")
                .run(context -> {
                    assertThat(unnamed(context).workerId()).isEqualTo(new WorkerId(0, 300, "configured"));
                    assertThat(named(context, "orders").layout())
                            .isEqualTo(IdLayout.LEAF.toBuilder()
                                    .workerBits(9)
                                    .epoch(Instant.parse("2024-01-01T00:00:00Z"))
                                    .tick(Duration.ofMillis(10))
                                    .build());
                    assertThat(named(context, "orders").workerId().workerId()).isZero();
                    assertThat(namespaces(context)).containsExactly("orders");
                });
    }

    /** Epoch, tick and bits describe the layout that they were set for. */
    @Test
    void inheritsNothingOfTheLayoutIfItNamesOne() {
        fixed.withPropertyValues(
                        "snowflake.bits.datacenter=1",
                        "snowflake.bits.worker=9",
                        "snowflake.epoch=2024-01-01T00:00:00Z",
                        ORDERS + "layout=javascript-safe",
                        ORDERS + "worker.id=3")
                .run(context -> assertThat(named(context, "orders").layout()).isEqualTo(IdLayout.JAVASCRIPT_SAFE));
    }

    @Test
    void inheritsALayoutOfTheApplication() {
        fixed.withBean(IdLayout.class, () -> IdLayout.TWITTER)
                .withPropertyValues(
                        ORDERS + "worker.id=3",
                        "snowflake.generators.tickets.bits.sequence=10",
                        "snowflake.generators.tickets.worker.id=3")
                .run(context -> {
                    assertThat(named(context, "orders").layout()).isEqualTo(IdLayout.TWITTER);
                    assertThat(named(context, "tickets").layout())
                            .isEqualTo(IdLayout.TWITTER.toBuilder()
                                    .sequenceBits(10)
                                    .build());
                });
    }

    @Test
    void eachLeasesInANamespaceOfItsOwn() {
        leased.withPropertyValues(
                        ORDERS + "layout=javascript-safe",
                        "snowflake.generators.tickets.worker.lease.namespace=passes",
                        "snowflake.generators.tickets.worker.lease.ttl=5s")
                .run(context -> {
                    assertThat(namespaces(context)).containsExactly("default", "orders", "passes");
                    assertThat(named(context, "orders").lease()).isPresent();
                    assertThat(named(context, "orders").nextId())
                            .isLessThan(1L << 53)
                            .isLessThan(unnamed(context).nextId());
                });
    }

    @Test
    void leasesIfTheUnnamedOneHasAFixedWorkerIdAndTheOtherWayRound() {
        leased.withPropertyValues("snowflake.worker.id=7", ORDERS + "tick=10ms").run(context -> {
            assertThat(unnamed(context).lease()).isEmpty();
            assertThat(named(context, "orders").lease()).isPresent();
        });
        leased.withPropertyValues(ORDERS + "worker.id=7").run(context -> {
            assertThat(unnamed(context).lease()).isPresent();
            assertThat(named(context, "orders").workerId()).isEqualTo(new WorkerId(0, 7, "configured"));
        });
    }

    @Test
    void mayLeaseInAnotherDatabase() {
        String url = "jdbc:h2:mem:leasesOfOrders;DB_CLOSE_DELAY=-1";
        leased.withPropertyValues(ORDERS + "worker.jdbc.url=" + url, ORDERS + "worker.jdbc.username=sa")
                .run(context -> {
                    JdbcDataSource other = new JdbcDataSource();
                    other.setUrl(url);
                    other.setUser("sa");
                    assertThat(namespaces(context)).containsExactly("default");
                    assertThat(new JdbcTemplate(other)
                                    .queryForList("select namespace from snowflake_worker", String.class))
                            .containsExactly("orders");
                });
    }

    @Test
    void isCreatedWithoutPropertiesAndFromTheEnvironment() {
        leased.withPropertyValues("snowflake.generators.orders=")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment", Map.of("SNOWFLAKE_GENERATORS_TICKETS_CLOCK_MAXDRIFT", "2s"))))
                .run(context -> assertThat(namespaces(context)).containsExactly("default", "orders", "tickets"));
    }

    @Test
    void unnamedOneLeasesNothingUnlessItIsNeeded() {
        ApplicationContextRunner orders = namedOnly.withPropertyValues(
                "spring.datasource.generate-unique-name=true", ORDERS + "layout=javascript-safe");
        orders.run(context -> {
            assertThat(namespaces(context)).containsExactly("orders");
            assertThat(context.getBean(IdGenerator.class).nextId()).isPositive();
            assertThat(namespaces(context)).containsExactly("default", "orders");
        });
        orders.withBean(UnnamedUser.class)
                .run(context -> assertThat(namespaces(context)).containsExactly("default", "orders"));
    }

    @Test
    void sharesTheSequenceOfAGeneratorThatHasItsLayoutAndItsFixedWorkerId() {
        fixed.withPropertyValues(ORDERS + "worker.id=7").run(context -> {
            long[] ids = unnamed(context).nextIds(1000);
            assertThat(ids).doesNotContain(named(context, "orders").nextIds(1000));
        });
    }

    @Test
    void isNotCreatedIfItOrAllAreDisabled() {
        fixed.withPropertyValues(ORDERS + "enabled=false", ORDERS + "worker.id=8")
                .run(context -> assertThat(context).hasSingleBean(SnowflakeIdGenerator.class));
        namedOnly
                .withPropertyValues("snowflake.enabled=false", ORDERS + "worker.id=8")
                .run(context -> assertThat(context).doesNotHaveBean(IdGenerator.class));
    }

    @Test
    void endsWithTheContextAfterTheBeansThatUseIt() {
        List<SnowflakeIdGenerator> generators = new ArrayList<>();
        List<Long> late = new ArrayList<>();
        leased.withPropertyValues(ORDERS + "tick=10ms").run(context -> {
            generators.add(unnamed(context));
            generators.add(named(context, "orders"));
            SnowflakeIdGenerator orders = generators.get(1);
            context.getSourceApplicationContext(GenericApplicationContext.class)
                    .getDefaultListableBeanFactory()
                    .registerDisposableBean("early", () -> late.add(orders.nextId()));
        });

        assertThat(late).isNotEmpty();
        for (SnowflakeIdGenerator each : generators) {
            assertThatThrownBy(each::nextId).isInstanceOf(GeneratorClosedException.class);
            assertThat(each.lease()).get().extracting(WorkerLease::state).isEqualTo(WorkerLease.State.CLOSED);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void linesOfTheLogSayWhichGeneratorTheyMean(CapturedOutput output) {
        leased.withPropertyValues(ORDERS + "tick=10ms").run(context -> {});

        assertThat(output)
                .contains("Unnamed generator: Generating IDs with worker ID 0, ")
                .contains("Generator 'orders': Generating IDs with worker ID 0, ")
                .contains("Unnamed generator: The lease of worker ID 0, datacenter ID 0 ended: released")
                .contains("Generator 'orders': The lease of worker ID 0, datacenter ID 0 ended: released");
    }

    // Beans of the application

    @Test
    void givesWayToAGeneratorOfTheApplicationThatHasItsName() {
        for (Class<?> application : List.of(OwnByQualifier.class, OwnByBeanName.class)) {
            fixed.withUserConfiguration(application)
                    .withPropertyValues(ORDERS + "worker.id=8")
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("snowflake.generators.orders"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnByQualifier {

        @Bean(defaultCandidate = false)
        @Qualifier("orders")
        IdGenerator mine() {
            return () -> 42L;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnByBeanName {

        @Bean
        IdGenerator orders() {
            return () -> 42L;
        }
    }

    @Test
    void existsNextToAnUnnamedGeneratorOfTheApplication() {
        leased.withBean("mine", IdGenerator.class, () -> () -> 42L)
                .withPropertyValues(ORDERS + "tick=10ms")
                .run(context -> {
                    assertThat(context.getBean(IdGenerator.class).nextId()).isEqualTo(42);
                    assertThat(named(context, "orders").lease()).isPresent();
                    assertThat(namespaces(context)).containsExactly("orders");
                });
    }

    @Test
    void takesLayoutAndWorkerIdFromBeansOfTheApplicationThatHaveItsName() {
        fixed.withUserConfiguration(OwnParts.class)
                .withPropertyValues(ORDERS + "layout=leaf", ORDERS + "worker.id=8")
                .run(context -> {
                    assertThat(named(context, "orders").layout()).isEqualTo(IdLayout.DISCORD);
                    assertThat(named(context, "orders").workerId()).isEqualTo(new WorkerId(3, 4, "of orders"));
                    assertThat(unnamed(context).layout()).isEqualTo(IdLayout.DEFAULT);
                    assertThat(unnamed(context).workerId()).isEqualTo(new WorkerId(0, 7, "configured"));
                });
    }

    @Test
    void layoutOfAParentContextIsNotExchangedForThatOfANamedGenerator() {
        new ApplicationContextRunner()
                .withBean(IdLayout.class, () -> IdLayout.TWITTER)
                .run(parent -> fixed.withParent(parent)
                        .withUserConfiguration(OwnParts.class)
                        .withPropertyValues(ORDERS + "worker.id=8")
                        .run(context -> {
                            assertThat(unnamed(context).layout()).isEqualTo(IdLayout.TWITTER);
                            assertThat(named(context, "orders").layout()).isEqualTo(IdLayout.DISCORD);
                        }));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnParts {

        @Bean(defaultCandidate = false)
        @Qualifier("orders")
        IdLayout layoutOfOrders() {
            return IdLayout.DISCORD;
        }

        @Bean(defaultCandidate = false)
        @Qualifier("orders")
        WorkerIdAssigner workersOfOrders() {
            return layout -> new WorkerId(3, 4, "of orders");
        }
    }

    @Test
    void asksTheAssignerOfTheApplicationUnlessItHasAWorkerIdOfItsOwn() {
        fixed.withBean(WorkerIdAssigner.class, () -> layout -> new WorkerId(1, 2, "pod"))
                .withPropertyValues(ORDERS + "tick=10ms", "snowflake.generators.tickets.worker.id=9")
                .run(context -> {
                    assertThat(named(context, "orders").workerId()).isEqualTo(new WorkerId(1, 2, "pod"));
                    assertThat(named(context, "tickets").workerId()).isEqualTo(new WorkerId(0, 9, "configured"));
                });
    }

    @Test
    void leasesByItselfIfARegistryOfTheApplicationIsForAnotherGenerator() {
        leased.withUserConfiguration(RegistryOfTickets.class)
                .withPropertyValues(ORDERS + "tick=10ms", "snowflake.generators.tickets.layout=javascript-safe")
                .run(context -> {
                    assertThat(named(context, "orders").workerId().origin()).isEqualTo("leased, namespace 'orders'");
                    assertThat(named(context, "tickets").workerId().origin()).isEqualTo("leased, namespace 'passes'");
                });
        fixed.withUserConfiguration(AssignerOfTickets.class)
                .withPropertyValues(ORDERS + "tick=10ms")
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                .getDescription())
                        .startsWith("Generator 'orders' has no worker ID"));
    }

    @Configuration(proxyBeanMethods = false)
    static class RegistryOfTickets {

        @Bean(defaultCandidate = false)
        @Qualifier("tickets")
        WorkerRegistry passes(DataSource database) {
            return new JdbcWorkerRegistry(database, "snowflake_worker", "passes")
                    .initializeSchema(InitializeSchema.ALWAYS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AssignerOfTickets {

        @Bean(defaultCandidate = false)
        @Qualifier("tickets")
        WorkerIdAssigner tickets() {
            return layout -> new WorkerId(3, 4, "of tickets");
        }
    }

    @Test
    void leasesFromARegistryOfTheApplicationThatIsForAll() {
        leased.withUserConfiguration(RegistryOfAll.class)
                .withPropertyValues("snowflake.generators.orders=")
                .run(context -> {
                    assertThat(unnamed(context).workerId().origin()).isEqualTo("leased, namespace 'shop'");
                    assertThat(named(context, "orders").workerId().origin()).isEqualTo("leased, namespace 'shop'");
                    assertThat(workerIds(context)).containsExactlyInAnyOrder(0, 1);
                });
        leased.withUserConfiguration(RegistryOfAll.class)
                .withPropertyValues(ORDERS + "tick=10ms")
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                .getDescription())
                        .startsWith("Generator 'orders': No worker ID leased: namespace 'shop' has IDs of layout "));
        leased.withUserConfiguration(RegistryOfAll.class)
                .withPropertyValues(ORDERS + "tick=10ms")
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                .getAction())
                        .isEqualTo("Use the layout of the other processes."));
    }

    @Configuration(proxyBeanMethods = false)
    static class RegistryOfAll {

        @Bean
        WorkerRegistry shop(DataSource database) {
            return new JdbcWorkerRegistry(database, "snowflake_worker", "shop")
                    .initializeSchema(InitializeSchema.ALWAYS);
        }
    }

    @Test
    void dropsInheritedPropertiesThatDoNotFitItsOwn() {
        fixed.withPropertyValues(
                        "snowflake.datacenter.id=1",
                        "snowflake.sequence.start=rotating",
                        "snowflake.sequence.start-bound=32",
                        ORDERS + "worker.id=3",
                        ORDERS + "layout=javascript-safe",
                        ORDERS + "sequence.start=zero")
                .run(context -> assertThat(named(context, "orders").workerId().datacenterId())
                        .isZero());
    }

    @Test
    void takesEnvironmentVariablesWithAnUnderscoreForADash() {
        leased.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                Map.of("SNOWFLAKE_GENERATORS_ORDERS_WORKER_JDBC_TABLE_NAME", "of_orders"))))
                .run(context -> assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                                .queryForList("select namespace from of_orders", String.class))
                        .containsExactly("orders"));
    }

    // Mistakes

    @Test
    void rejectsValuesInPlaceOfNamesAndOfProperties() {
        assertThatFailure(
                fixed.withPropertyValues("snowflake.generators=orders"),
                "Property 'snowflake.generators' must be a group of properties, but was 'orders' (\"snowflake.generators\" from property source \"test\").",
                "Set a group of properties.");
        assertThatFailure(
                leased.withPropertyValues("snowflake.generators.orders=leaf"),
                "Property 'snowflake.generators.orders' is unknown (\"snowflake.generators.orders\" from property source \"test\").",
                "Remove 'snowflake.generators.orders', or use a name of the documentation.");
    }

    private static final String RULES_OF_NAMES =
            "The name of generator 'snowflake.generators.%s' must consist of lower-case letters and digits, begin with a letter, and not be 'default', 'true' or 'false', because it is part of the names of environment variables.";

    @ParameterizedTest
    @CsvSource({
        "order-lines, .order-lines.worker.id=8",
        "Orders, .Orders.worker.id=8",
        "order lines, [order lines].worker.id=8",
        "2orders, .2orders.worker.id=8",
        "default, .default.worker.id=8",
        "0, [0].worker.id=8",
        "0, [0]=orders"
    })
    void rejectsInvalidNames(String name, String property) {
        fixed.withPropertyValues("snowflake.generators" + property)
                .run(
                        context -> assertThatFailure(
                                context.getStartupFailure(),
                                RULES_OF_NAMES.formatted(name),
                                "Write such a name below 'snowflake.generators', without a dash before it, and in quotes if it is on, off, yes or no. Use it in '@Qualifier' and '@SnowflakeId' as well."));
    }

    @Test
    void rejectsTheSamePropertiesAsForTheUnnamedGenerator() {
        assertThatFailure(
                fixed.withPropertyValues(ORDERS + "worker.id=32"),
                "Property 'snowflake.generators.orders.worker.id' must be in [0, 31] (5 worker bits), but was 32.",
                SET_WORKER_ID);
        assertThatFailure(
                leased.withPropertyValues(ORDERS + "worker.lease.ttl=60"),
                "Property 'snowflake.generators.orders.worker.lease.ttl' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '60' (\"snowflake.generators.orders.worker.lease.ttl\" from property source \"test\").",
                "Set a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d.");
        assertThatFailure(
                leased.withPropertyValues(ORDERS + "epoch=1735689600"),
                "Property 'snowflake.generators.orders.epoch' must be an instant in UTC, such as 2025-01-01T00:00:00Z, but was '1735689600' (\"snowflake.generators.orders.epoch\" from property source \"test\").",
                "Set an instant in UTC, such as 2025-01-01T00:00:00Z.");
        assertThatFailure(
                leased.withPropertyValues(
                        ORDERS + "bits.sequence=22", "snowflake.bits.worker=8", "snowflake.bits.datacenter=2"),
                "Invalid layout: 'snowflake.generators.orders.bits' must add up to at most 64 bits, but add up to 73 (41 timestamp + 2 datacenter + 8 worker + 22 sequence).",
                """
                Correct these properties. The default layout is valid:

                snowflake.generators.orders.epoch: 2025-01-01T00:00:00Z
                snowflake.generators.orders.tick: 1ms
                snowflake.generators.orders.bits.timestamp: 41
                snowflake.generators.orders.bits.datacenter: 5
                snowflake.generators.orders.bits.worker: 5
                snowflake.generators.orders.bits.sequence: 12""");
    }

    @Test
    void rejectsTwoLayoutsInOneNamespace() {
        leased.withPropertyValues(ORDERS + "worker.lease.namespace=default", ORDERS + "tick=10ms")
                .run(context -> {
                    FailureAnalysis analysis = ActionAssertions.analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .startsWith("Generator 'orders': ")
                            .contains("namespace 'default'");
                    ActionAssertions.assertThatItWorks(
                            leased.withPropertyValues(ORDERS + "worker.lease.namespace=default", ORDERS + "tick=10ms"),
                            String.valueOf(analysis.getAction()));
                });
    }

    @Test
    void leasesAnotherWorkerIdThanAGeneratorWithTheSameNamespaceAndLayout() {
        leased.withPropertyValues(ORDERS + "worker.lease.namespace=default").run(context -> {
            assertThat(namespaces(context)).containsExactly("default", "default");
            assertThat(workerIds(context)).containsExactlyInAnyOrder(0, 1);
        });
    }

    private static List<Integer> workerIds(ApplicationContext context) {
        return Stream.of(unnamed(context), named(context, "orders"))
                .map(generator -> generator.workerId().workerId())
                .toList();
    }

    @Test
    void firstGeneratorThatCannotLeaseEndsTheStartAndOthersAreNotTried() {
        FailingRegistry unreachable = new FailingRegistry();
        unreachable.fail(true);
        List<String> callsOfOrders = new CopyOnWriteArrayList<>();
        FailingRegistry ofOrders = new FailingRegistry();
        ofOrders.before(callsOfOrders::add);
        leased.withBean("unreachable", WorkerRegistry.class, () -> unreachable)
                .withBean(
                        "orders",
                        WorkerRegistry.class,
                        () -> ofOrders,
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .withPropertyValues("snowflake.worker.lease.acquire-timeout=1s", "snowflake.generators.orders=")
                .run(context -> {
                    assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                    .getDescription())
                            .startsWith(
                                    "Unnamed generator: No worker ID of namespace 'default' leased within 1000 ms: ");
                    assertThat(callsOfOrders).isEmpty();
                });
    }

    @Test
    void doesNotGuessAWorkerIdIfTheUnnamedOneHasAFixedOne() {
        assertThatFailure(
                fixed.withPropertyValues(ORDERS + "tick=10ms"),
                "Generator 'orders' has no worker ID: it does not inherit the worker ID of the unnamed generator, and there is no database to lease one from.",
                SET_WORKER_ID);
    }
}
