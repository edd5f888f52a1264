package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.jdbc.OpaqueDataSource;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

@ExtendWith(OutputCaptureExtension.class)
class JdbcStrategyTests {

    private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class));

    private final ApplicationContextRunner runner =
            withoutDatabase.withPropertyValues("spring.datasource.generate-unique-name=true");

    private static String origin(ApplicationContext context) {
        return context.getBean(SnowflakeIdGenerator.class).workerId().origin();
    }

    private static JdbcDataSource database(String name) {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(name));
        return database;
    }

    private static List<String> owners(DataSource database, String table) {
        return new JdbcTemplate(database).queryForList("select owner from " + table, String.class);
    }

    @Test
    void leasesInTheDatabaseIfThereIsOneAndNothingIsConfigured() {
        runner.run(context -> assertThat(origin(context)).isEqualTo("leased, namespace 'default'"));
        runner.withPropertyValues("snowflake.worker.strategy=JDBC")
                .run(context -> assertThat(origin(context)).isEqualTo("leased, namespace 'default'"));
    }

    /** With {@code @ServiceConnection} or Docker Compose, an application with R2DBC has this bean, but no DataSource. */
    @Test
    void leasesInTheDatabaseOfConnectionDetailsIfThereIsNoDataSource() {
        JdbcDataSource database = database("details");
        ApplicationContextRunner details = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                .withBean(JdbcConnectionDetails.class, () -> new JdbcConnectionDetails() {
                    @Override
                    public String getUsername() {
                        return "sa";
                    }

                    @Override
                    public String getPassword() {
                        return "";
                    }

                    @Override
                    public String getJdbcUrl() {
                        return database.getUrl();
                    }
                });

        database.setUser("sa");
        details.run(context -> {
            assertThat(origin(context)).isEqualTo("leased, namespace 'default'");
            assertThat(owners(database, "snowflake_worker")).doesNotContainNull();
        });
        assertThat(owners(database, "snowflake_worker")).containsOnlyNulls();
        details.withPropertyValues("snowflake.type=segment")
                .run(context ->
                        assertThat(context.getBean(IdGenerator.class).nextId()).isEqualTo(1));
    }

    @Test
    void namesOtherNamespacesWithLiveLeasesOnce(CapturedOutput output) {
        DataSource database = database("namespaces");
        for (String namespace : List.of("left", "shop", "invoices")) {
            SnowflakeIdGenerator other = SnowflakeIdGenerator.builder()
                    .lease(LeaseTerms.of(new JdbcWorkerRegistry(database, JdbcWorkerRegistry.DEFAULT_TABLE, namespace)
                            .initializeSchema(InitializeSchema.ALWAYS)))
                    .build();
            if (namespace.equals("left")) {
                other.close();
            }
        }

        int before = output.length();
        withoutDatabase
                .withBean(DataSource.class, () -> database)
                .withPropertyValues(
                        "snowflake.generators.orders.layout=default", "snowflake.generators.invoices.layout=default")
                .run(context -> assertThat(context.getBeansOfType(SnowflakeIdGenerator.class))
                        .hasSizeGreaterThan(1));

        assertThat(output.toString().substring(before).lines().filter(line -> line.contains("live leases")))
                .singleElement()
                .asString()
                .matches(
                        ".* INFO .*Table \"PUBLIC\"\\.\"SNOWFLAKE_WORKER\" also has live leases of namespaces 'shop', whose IDs can equal"
                                + " the IDs of namespace '[a-z]+'\\. Use one namespace for all instances that write the same tables");
    }

    @Test
    void namesOtherNamespacesEvenIfTheFirstReadFailed(CapturedOutput output) {
        DataSource database = database("late_namespaces");
        JdbcWorkerRegistry registry = new JdbcWorkerRegistry(database, JdbcWorkerRegistry.DEFAULT_TABLE, "default");
        assertThatThrownBy(registry::read)
                .hasMessageContaining("Table 'snowflake_worker' of worker IDs cannot be read");
        SnowflakeIdGenerator other = SnowflakeIdGenerator.builder()
                .lease(LeaseTerms.of(new JdbcWorkerRegistry(database, JdbcWorkerRegistry.DEFAULT_TABLE, "shop")
                        .initializeSchema(InitializeSchema.ALWAYS)))
                .build();

        registry.read();

        assertThat(output).contains("also has live leases of namespaces 'shop'");
        registry.close();
        other.close();
    }

    @Test
    void leasesNothingIfAnotherStrategyIsConfigured() {
        for (String other : new String[] {"snowflake.worker.id=7", "snowflake.worker.strategy=host"}) {
            runner.withPropertyValues(other).run(context -> {
                assertThat(context).doesNotHaveBean(WorkerRegistry.class);
                if (context.getStartupFailure() == null) {
                    assertThat(context.getBean(SnowflakeIdGenerator.class).lease())
                            .isEmpty();
                }
            });
        }
    }

    @Test
    void leasesNothingIfTheApplicationAssignsWorkerIds() {
        runner.withBean(WorkerIdAssigner.class, () -> layout -> new WorkerId(1, 2, "test"))
                .run(context -> {
                    assertThat(context).doesNotHaveBean(WorkerRegistry.class);
                    assertThat(origin(context)).isEqualTo("test");
                });
    }

    @Test
    void registryOfTheApplicationReplacesOurs() {
        DataSource database = database("own_registry");
        JdbcWorkerRegistry own =
                new JdbcWorkerRegistry(database, "own", "mine").initializeSchema(InitializeSchema.ALWAYS);
        own.read();
        runner.withBean(WorkerRegistry.class, () -> own).run(context -> {
            assertThat(context).getBean(WorkerRegistry.class).isSameAs(own);
            assertThat(origin(context)).isEqualTo("leased, namespace 'mine'");
        });
    }

    @Test
    void generatorsOfTheApplicationGiveTheirWorkerIdsBackEach() {
        DataSource database = database("two_generators");
        JdbcWorkerRegistry registry =
                new JdbcWorkerRegistry(database, "ids", "mine").initializeSchema(InitializeSchema.ALWAYS);
        runner.withBean(
                        "orders",
                        SnowflakeIdGenerator.class,
                        () -> SnowflakeIdGenerator.builder()
                                .lease(LeaseTerms.of(registry))
                                .build())
                .withBean(
                        "invoices",
                        SnowflakeIdGenerator.class,
                        () -> SnowflakeIdGenerator.builder()
                                .lease(LeaseTerms.of(registry))
                                .build())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(owners(database, "ids")).hasSize(2).doesNotContainNull();
                });
        assertThat(owners(database, "ids")).hasSize(2).containsOnlyNulls();
    }

    @Test
    void takesTableAndNamespaceAndTimes() {
        DataSource database = database("configured");
        new JdbcTemplate(database).execute("create schema ids");
        runner.withBean(DataSource.class, () -> database)
                .withPropertyValues(
                        "snowflake.worker.jdbc.table-name=ids.workers",
                        "snowflake.worker.lease.namespace=orders",
                        "snowflake.worker.lease.ttl=2h",
                        "snowflake.worker.lease.acquire-timeout=10s",
                        "snowflake.worker.lease.max-clock-skew=1m")
                .run(context -> {
                    assertThat(origin(context)).isEqualTo("leased, namespace 'orders'");
                    assertThat(owners(database, "ids.workers")).singleElement().isNotNull();
                    assertThat(context.getBean(SnowflakeIdGenerator.class)
                                    .lease()
                                    .orElseThrow()
                                    .fence())
                            .isAfter(Instant.now().plus(Duration.ofMinutes(110)));
                });
        assertThat(owners(database, "ids.workers")).containsOnlyNulls();
    }

    @Test
    void releasesTheWorkerIdBeforeAFactoryBeanClosesItsDataSource() {
        DataSource database = database("of_a_factory");
        runner.withBean("service", Service.class)
                .withBean("dataSource", PoolFactory.class, () -> new PoolFactory("of_a_factory"))
                .run(context -> assertThat(owners(database, "snowflake_worker"))
                        .singleElement()
                        .isNotNull());
        assertThat(owners(database, "snowflake_worker")).singleElement().isNull();
    }

    @Test
    void ignoresDataSourcesThatAFactoryBeanHasNotCreated() {
        PoolFactory unused = new PoolFactory("unused");
        runner.withBean("unused", PoolFactory.class, () -> unused)
                .withUserConfiguration(Marked.class)
                .run(context -> {
                    assertThat(origin(context)).isEqualTo("leased, namespace 'default'");
                    assertThat(unused.pool).isNull();
                });
    }

    /** Created before the DataSource that its generator needs. */
    record Service(IdGenerator ids) {}

    static final class PoolFactory implements FactoryBean<DataSource>, DisposableBean {

        private final String name;
        private @Nullable HikariDataSource pool;

        PoolFactory(String name) {
            this.name = name;
        }

        @Override
        public DataSource getObject() {
            pool = new HikariDataSource();
            pool.setDataSource(database(name));
            return pool;
        }

        @Override
        public Class<?> getObjectType() {
            return DataSource.class;
        }

        @Override
        public void destroy() {
            if (pool != null) {
                pool.close();
            }
        }
    }

    /** As in a test suite with cached contexts. */
    @Test
    void contextsOfOneProcessLeaseAWorkerIdEach() {
        DataSource database = database("contexts");
        Set<WorkerId> workerIds = new HashSet<>();
        Set<Long> ids = new HashSet<>();

        whileOpen(33, runner.withBean(DataSource.class, () -> database), contexts -> {
            for (ApplicationContext context : contexts) {
                SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
                workerIds.add(generator.workerId());
                ids.add(generator.nextId());
            }
        });

        assertThat(workerIds).hasSize(33);
        assertThat(ids).hasSize(33);
        assertThat(owners(database, "snowflake_worker")).hasSize(33).containsOnlyNulls();
    }

    @Test
    void contextDoesNotStartIfOtherContextsHaveLeasedAllWorkerIds() {
        DataSource database = database("few");
        ApplicationContextRunner few = runner.withBean(DataSource.class, () -> database)
                .withPropertyValues("snowflake.bits.datacenter=0", "snowflake.bits.worker=1");

        whileOpen(
                2,
                few,
                contexts -> few.withPropertyValues("snowflake.worker.lease.acquire-timeout=2s")
                        .run(third -> assertThat(analysis(third).getDescription())
                                .startsWith("All 2 worker IDs of namespace 'default' are leased")));
        few.run(next -> assertThat(next).hasNotFailed());
    }

    @Test
    void contextDoesNotStartIfOtherContextsHaveLeasedAllWorkerIdsOfADatacenter() {
        DataSource database = database("datacenter");
        ApplicationContextRunner few = runner.withBean(DataSource.class, () -> database)
                .withPropertyValues("snowflake.bits.worker=0", "snowflake.datacenter.id=3");

        whileOpen(
                1,
                few,
                contexts -> few.withPropertyValues("snowflake.worker.lease.acquire-timeout=2s")
                        .run(
                                second -> assertThat(analysis(second).getAction())
                                        .startsWith(
                                                "Stop processes that are no longer needed, or wait. If this machine's clock is behind, synchronize it with NTP. Unless 'snowflake.datacenter.id' keeps these processes apart from another store, namespace or library, remove it to lease worker IDs of every datacenter ID.")));
    }

    /** The advice for test suites with more contexts than worker IDs. */
    @Test
    void contextsOfOneProcessMayHaveOneFixedWorkerId() {
        DataSource database = database("fixed");
        Set<Long> ids = new HashSet<>();

        whileOpen(
                33,
                runner.withBean(DataSource.class, () -> database).withPropertyValues("snowflake.worker.id=1"),
                contexts -> {
                    for (ApplicationContext context : contexts) {
                        for (long id : context.getBean(IdGenerator.class).nextIds(1000)) {
                            ids.add(id);
                        }
                    }
                });

        assertThat(ids).hasSize(33_000);
    }

    private static void whileOpen(
            int contexts, ApplicationContextRunner runner, Consumer<List<ApplicationContext>> action) {
        whileOpen(contexts, runner, new ArrayList<>(), action);
    }

    private static void whileOpen(
            int contexts,
            ApplicationContextRunner runner,
            List<ApplicationContext> open,
            Consumer<List<ApplicationContext>> action) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            open.add(context);
            if (open.size() < contexts) {
                whileOpen(contexts, runner, open, action);
            } else {
                action.accept(open);
            }
        });
    }

    @Test
    void namesErrorsInTableNamespaceAndTimes() {
        assertFailure(
                runner.withPropertyValues("snowflake.worker.jdbc.table-name=drop table x"),
                "Invalid 'snowflake.worker.jdbc.table-name': table must be a name of letters, digits, _, $ and -, optionally with a schema and a dot before it, but was 'drop table x'. Write any other name in double quotes.",
                """
                Set a valid value, for example:

                snowflake.worker.jdbc.table-name: snowflake_worker""");
        assertDuration("ttl", "500ms", "from 1000ms to 1d, but was 500ms", "60s");
        assertDuration("acquire-timeout", "0s", "from 1ms to 1d, but was 0ms", "10s");
        assertDuration("max-clock-skew", "-1s", "from 0ms to 1d, but was -1000ms", "10s");
    }

    private void assertDuration(String name, String value, String rule, String example) {
        String property = "snowflake.worker.lease." + name;
        assertFailure(
                runner.withPropertyValues(property + "=" + value),
                "Property '%s' must be %s.".formatted(property, rule),
                "Set a valid value, for example:\n\n%s: %s".formatted(property, example));
    }

    @Test
    void usesTheMarkedDatabaseOfSeveralOtherwiseThePrimaryOne() {
        DataSource first = database("first");
        DataSource second = database("second");
        ApplicationContextRunner two = runner.withBean(
                        "first", DataSource.class, () -> first, definition -> definition.setPrimary(true))
                .withBean("second", DataSource.class, () -> second);
        two.run(context -> assertThat(owners(first, "snowflake_worker")).hasSize(1));

        two.withUserConfiguration(Marked.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(owners(context.getBean("marked", DataSource.class), "snowflake_worker"))
                    .hasSize(1);
        });
    }

    static class Marked {

        @Bean
        @SnowflakeDataSource
        DataSource marked() {
            return database("marked");
        }
    }

    @Test
    void asksWhichOfSeveralDatabasesToTake() {
        assertFailure(
                runner.withBean("first", DataSource.class, () -> database("first"))
                        .withBean("second", DataSource.class, () -> database("second")),
                "There is no unique DataSource bean for leases: no bean is the only one, primary, or marked with @SnowflakeDataSource.",
                """
                Mark the DataSource bean of one database that all processes share:

                import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }""");
    }

    @Test
    void createsTheTableInAnEmbeddedDatabaseUnlessDisabled() {
        runner.withPropertyValues("snowflake.worker.jdbc.initialize-schema=never")
                .run(context -> assertThat(analysis(context).getDescription())
                        .startsWith("Table 'snowflake_worker' of worker IDs cannot be read: "));
    }

    @Test
    void createsTheTableInAnotherDatabaseOnlyIfConfigured() {
        String file = "spring.datasource.url=jdbc:h2:file:./target/" + UUID.randomUUID();
        ApplicationContextRunner inFile = withoutDatabase.withPropertyValues(file);
        inFile.withPropertyValues("snowflake.worker.jdbc.table-name=ids").run(context -> {
            assertThat(analysis(context).getDescription()).startsWith("Table 'ids' of worker IDs cannot be read: ");
            assertThat(analysis(context).getAction()).isEqualTo("""
                            Create the table with Flyway, Liquibase or by hand:

                            CREATE TABLE IF NOT EXISTS ids (
                                namespace      VARCHAR(100) NOT NULL,
                                datacenter_id  INTEGER      NOT NULL,
                                worker_id      INTEGER      NOT NULL,
                                owner          VARCHAR(36),
                                owner_info     VARCHAR(255),
                                reserved_until BIGINT       NOT NULL,
                                expires_at     BIGINT       NOT NULL,
                                layout         VARCHAR(100) NOT NULL,
                                PRIMARY KEY (namespace, datacenter_id, worker_id)
                            );""");
        });
        for (int start = 0; start < 2; start++) {
            inFile.withPropertyValues("snowflake.worker.jdbc.initialize-schema=always")
                    .run(context -> assertThat(origin(context)).startsWith("leased"));
        }
    }

    @Test
    void advisesToCreateTheTableByHandIfItsCreationFailed() {
        for (String mode : new String[] {"embedded", "always"}) {
            ApplicationContextRunner nowhere = runner.withPropertyValues(
                    "snowflake.worker.jdbc.table-name=nowhere.ids", "snowflake.worker.jdbc.initialize-schema=" + mode);
            nowhere.run(context -> {
                assertThat(analysis(context).getDescription())
                        .startsWith("Table 'nowhere.ids' of worker IDs cannot be created: ");
                assertThat(analysis(context).getAction())
                        .startsWith(
                                "Create the table by hand, in an existing schema and as a user who may create tables, and switch off its creation at startup:\n\nCREATE TABLE IF NOT EXISTS nowhere.ids (")
                        .endsWith("snowflake.worker.jdbc.initialize-schema: never");
                // The statements of the action were not executed yet.
                ActionAssertions.assertThatItWorks(
                        nowhere,
                        analysis(context).getAction(),
                        "Table 'nowhere.ids' of worker IDs cannot be read: Schema \"NOWHERE\" not found.");
            });
        }
    }

    @Test
    void rejectsATableThatMayHaveTheSameWorkerIdTwice() {
        DataSource database = database("keyless");
        JdbcTemplate sql = new JdbcTemplate(database);
        sql.execute("CREATE SCHEMA shop");
        sql.execute("CREATE TABLE shop.ids (namespace VARCHAR(100), datacenter_id INTEGER, worker_id INTEGER,"
                + " owner VARCHAR(36), owner_info VARCHAR(255), reserved_until BIGINT, expires_at BIGINT,"
                + " layout VARCHAR(100))");
        ApplicationContextRunner keyless = runner.withBean(DataSource.class, () -> database)
                .withPropertyValues("snowflake.worker.jdbc.table-name=shop.ids");
        keyless.run(context -> {
            ActionAssertions.assertThatFailure(
                    context.getStartupFailure(),
                    "Table 'shop.ids' of worker IDs cannot be used: it has neither a primary key nor a unique index on (namespace, datacenter_id, worker_id), so two processes could issue the same IDs.",
                    """
                    As the owner of the table, execute:

                    ALTER TABLE shop.ids ADD PRIMARY KEY (namespace, datacenter_id, worker_id);

                    If the table has another primary key, drop that key first. If several rows have the same key, stop all processes that \
                    use the table, and keep only the row with the greatest reserved_until.""");
            assertThat(sql.queryForList("SELECT * FROM shop.ids")).isEmpty();
        });
        sql.execute("ALTER TABLE shop.ids ADD UNIQUE (namespace, datacenter_id, worker_id)");
        keyless.run(context -> assertThat(origin(context)).startsWith("leased"));
    }

    @Test
    void namesTheLayoutOfTheOtherProcesses() {
        DataSource database = database("layouts");
        ApplicationContextRunner shared = runner.withBean(DataSource.class, () -> database);
        shared.withPropertyValues("snowflake.layout=shardingsphere", "snowflake.bits.sequence=10")
                .run(context -> assertThat(context).hasNotFailed());
        ApplicationContextRunner other = shared.withPropertyValues("snowflake.layout=javascript-safe");
        assertFailure(
                other,
                "No worker ID leased: namespace 'default' has IDs of layout 41+0+10+10 bits of 1 ms from 2016-11-01T00:00:00Z, but this"
                        + " process is configured for layout 41+0+5+7 bits of 1 ms from 2025-01-01T00:00:00Z.",
                "Use the layout of the other processes.");
    }

    // Slow: waits for the timeout of an acquisition.
    @Tag("full")
    @Test
    void waitsForADatabaseThatIsDownAndThenReportsIt() {
        for (String mode : new String[] {"embedded", "always"}) {
            assertFailure(
                    withoutDatabase
                            .withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost:1/none")
                            .withPropertyValues("snowflake.worker.jdbc.initialize-schema=" + mode)
                            .withPropertyValues("snowflake.worker.lease.acquire-timeout=2s"),
                    description -> assertThat(description)
                            .startsWith(
                                    "No worker ID of namespace 'default' leased within 2000 ms: The database cannot be reached: ")
                            .contains("localhost:1"),
                    "Start the database, and check 'spring.datasource.url' and that this process can reach it.");
        }
    }

    @Test
    void registryIsCreatedAfterOtherInitializationOfTheDatabase() {
        runner.withConfiguration(AutoConfigurations.of(SqlInitializationAutoConfiguration.class))
                .withPropertyValues(
                        "spring.sql.init.schema-locations=classpath:io/github/snowflakeid/jdbc/schema-h2.sql",
                        "snowflake.worker.jdbc.initialize-schema=never")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(origin(context)).startsWith("leased");
                });
    }

    /** As with R2DBC, for which Spring Boot creates no DataSource. */
    @Test
    void leasesByAUrlOfItsOwnWithoutADataSource() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                .withPropertyValues("snowflake.worker.jdbc.url=jdbc:h2:mem:own_url;DB_CLOSE_DELAY=-1")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(DataSource.class);
                    assertThat(origin(context)).isEqualTo("leased, namespace 'default'");
                    assertThat(owners(database("own_url"), "snowflake_worker")).hasSize(1);
                });
        assertThat(owners(database("own_url"), "snowflake_worker")).hasSize(1).containsOnlyNulls();
    }

    @Test
    void urlOfItsOwnComesBeforeTheDataSource() {
        runner.withPropertyValues(
                        "snowflake.worker.jdbc.url=jdbc:hsqldb:mem:comes_first",
                        "snowflake.worker.jdbc.username=SA",
                        "snowflake.worker.jdbc.password=",
                        "spring.datasource.hikari.maximum-pool-size=1")
                .run(context -> {
                    assertThat(origin(context)).startsWith("leased");
                    assertThat(
                                    new JdbcTemplate(context.getBean(DataSource.class))
                                            .queryForList(
                                                    "select 1 from information_schema.tables where table_name = 'SNOWFLAKE_WORKER'"))
                            .isEmpty();
                });
    }

    @Test
    void createsTheTableOfADedicatedConnectionAsConfigured() {
        String file = "snowflake.worker.jdbc.url=jdbc:h2:file:./target/" + UUID.randomUUID();
        runner.withPropertyValues(file)
                .run(context -> assertThat(analysis(context).getDescription())
                        .startsWith("Table 'snowflake_worker' of worker IDs cannot be read: "));
        runner.withPropertyValues(file, "snowflake.worker.jdbc.initialize-schema=always")
                .run(context -> assertThat(origin(context)).startsWith("leased"));
    }

    @Test
    void reportsTheErrorInTheUrl() {
        assertFailure(
                runner.withPropertyValues("snowflake.worker.jdbc.url=jdbc:h3:mem:none"),
                "The database at jdbc:h3:mem:none (snowflake.worker.jdbc.url) cannot be reached: No suitable driver found for jdbc:h3:mem:none.",
                """
                Add the driver of the database, or correct the URL, for example:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
    }

    @Test
    void partsOfAConnectionWithoutAUrlAreRejected() {
        for (String name : new String[] {"username", "password"}) {
            assertFailure(
                    runner.withPropertyValues("snowflake.worker.jdbc." + name + "=shop"),
                    "Property 'snowflake.worker.jdbc.%s' has no effect: 'snowflake.worker.jdbc.url' is not set."
                            .formatted(name),
                    """
                    Set the URL of the database:

                    snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
        }
    }

    // Slow: waits for the timeout of an acquisition.
    @Tag("full")
    @Test
    void busyPoolOfUnknownSettingsIsAdvisedADedicatedConnection() {
        HikariDataSource one = new HikariDataSource();
        one.setJdbcUrl("jdbc:h2:mem:busy_pool");
        one.setMaximumPoolSize(1);
        one.setConnectionTimeout(300);
        runner.withPropertyValues("snowflake.worker.lease.acquire-timeout=4s")
                .withBean(DataSource.class, () -> new OpaqueDataSource(one))
                .withBean(HoldsAConnection.class)
                .run(context -> {
                    assertThat(analysis(context).getDescription()).contains("The connection pool is exhausted (");
                    assertThat(analysis(context).getAction()).isEqualTo("""
                            Give leases a dedicated connection, outside of the pool, to the same database:

                            snowflake.worker.jdbc.url: ${spring.datasource.url}
                            snowflake.worker.jdbc.username: ${spring.datasource.username:}
                            snowflake.worker.jdbc.password: ${spring.datasource.password:}

                            If 'spring.datasource.url' is not set, enter the URL, the user name and the password directly. If the server permits no \
                            further connection, raise its limit or make the pool smaller by one.""");
                    ActionAssertions.assertThatItWorks(
                            runner.withPropertyValues(
                                            "spring.datasource.url=jdbc:h2:mem:busy",
                                            "spring.datasource.username=sa",
                                            "spring.datasource.hikari.maximum-pool-size=1",
                                            "spring.datasource.hikari.connection-timeout=300")
                                    .withBean(HoldsAConnection.class),
                            analysis(context).getAction());
                });
        one.close();
    }

    @Test
    void firstIdIsIssuedWhileTheOnlyConnectionIsInUse() {
        runner.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .withBean(HoldsAConnection.class)
                .run(context -> assertThat(origin(context)).startsWith("leased"));
    }

    @Test
    void urlThatRefersToNothingIsReported() {
        runner.withPropertyValues("snowflake.worker.jdbc.url=${LEASES_URL}").run(context -> {
            assertThat(analysis(context).getDescription())
                    .startsWith("Property 'snowflake.worker.jdbc.url' must be a text, but was '${LEASES_URL}' (")
                    .endsWith("), and 'LEASES_URL' is not set.");
            assertThat(analysis(context).getAction())
                    .isEqualTo("Set the environment variable or property 'LEASES_URL' to a text.");
        });
    }

    @Test
    void leasesInADataSourceThatIsDefinedLate() {
        for (String strategy : List.of("", "jdbc")) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                    .withInitializer(context -> context.addBeanFactoryPostProcessor(new DefinesLate()))
                    .withPropertyValues("snowflake.worker.strategy=" + strategy)
                    .run(context -> assertThat(
                                    context.getBean(SnowflakeIdGenerator.class).lease())
                            .isPresent());
        }
    }

    /** As a factory bean that creates pools from properties. */
    private static final class DefinesLate implements BeanFactoryPostProcessor {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
            JdbcDataSource late = new JdbcDataSource();
            late.setUrl("jdbc:h2:mem:late;DB_CLOSE_DELAY=-1");
            beans.registerSingleton("late", late);
        }
    }

    /** Requests the first ID within a transaction. */
    static final class HoldsAConnection {

        HoldsAConnection(DataSource database, ObjectProvider<IdGenerator> ids) throws SQLException {
            try (Connection only = database.getConnection()) {
                assertThat(only.isValid(1)).isTrue();
                ids.getObject().nextId();
            }
        }
    }

    @Test
    void leasesWithoutSpringBootsSupportOfDatabases() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.jdbc", "org.springframework.boot.sql"))
                .withBean(DataSource.class, () -> database("without_boots_support"))
                .withPropertyValues("snowflake.worker.jdbc.initialize-schema=always")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(origin(context)).startsWith("leased");
                });
    }

    @Test
    void registryOfTheApplicationComesAfterOtherInitializationOfTheDatabase() {
        for (Class<?> declared : new Class<?>[] {DeclaresOurs.class, DeclaresAny.class}) {
            runner.withConfiguration(AutoConfigurations.of(SqlInitializationAutoConfiguration.class))
                    .withUserConfiguration(declared)
                    .withPropertyValues(
                            "spring.sql.init.schema-locations=classpath:io/github/snowflakeid/jdbc/schema-h2.sql")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(origin(context)).isEqualTo("leased, namespace 'mine'");
                    });
        }
    }

    static class DeclaresOurs {

        @Bean
        JdbcWorkerRegistry registry(DataSource database) {
            return readAtOnce(database);
        }
    }

    static class DeclaresAny {

        @Bean
        WorkerRegistry registry(DataSource database) {
            return readAtOnce(database);
        }
    }

    @Test
    void valueOfAnotherTypeIsReported() {
        runner.withPropertyValues("snowflake.worker.jdbc.initialize-schema=yes").run(context -> {
            FailureAnalysis analysis = ActionAssertions.analysis(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .startsWith(
                            "Property 'snowflake.worker.jdbc.initialize-schema' must be one of embedded, always, never, but was 'yes'");
            assertThat(analysis.getAction()).isEqualTo("Set one of embedded, always, never.");
        });
    }

    private static JdbcWorkerRegistry readAtOnce(DataSource database) {
        JdbcWorkerRegistry registry = new JdbcWorkerRegistry(database, "snowflake_worker", "mine");
        assertThat(registry.read().entries()).isEmpty();
        return registry;
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        return ActionAssertions.analysis(context.getStartupFailure());
    }

    private static void assertFailure(ApplicationContextRunner runner, String description, String action) {
        assertFailure(runner, actual -> assertThat(actual).isEqualTo(description), action);
    }

    private static void assertFailure(ApplicationContextRunner runner, Consumer<String> description, String action) {
        runner.run(context -> {
            description.accept(analysis(context).getDescription());
            assertThat(analysis(context).getAction()).isEqualTo(action);
        });
        ActionAssertions.assertThatItWorks(runner, action);
    }
}
