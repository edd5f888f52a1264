package io.github.snowflakeid.autoconfigure;

import static io.github.snowflakeid.autoconfigure.ActionAssertions.assertThatFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.segment.InMemorySegmentStore;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import io.github.snowflakeid.segment.SegmentStore;
import io.github.snowflakeid.segment.SegmentStore.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;

class SegmentGeneratorsTests {

    private static final String INVOICES = "snowflake.generators.invoices.";

    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class));

    private final ApplicationContextRunner withoutType = plain.withConfiguration(
                    AutoConfigurations.of(DataSourceAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true", "snowflake.worker.id=7");

    private final ApplicationContextRunner runner = withoutType.withPropertyValues(INVOICES + "type=segment");

    private final ApplicationContextRunner ownStore = plain.withUserConfiguration(OwnStore.class)
            .withPropertyValues("snowflake.worker.id=7", INVOICES + "type=segment");

    private static SegmentIdGenerator invoices(ApplicationContext context) {
        return (SegmentIdGenerator) BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                context.getAutowireCapableBeanFactory(), IdGenerator.class, "invoices");
    }

    private static List<Map<String, Object>> rows(DataSource dataSource) {
        return new JdbcTemplate(dataSource)
                .queryForList(
                        "select name, start_number, increment_by, last_number from snowflake_counter order by name");
    }

    // Beans and properties

    @Test
    void namedGeneratorIsABeanThatIsInjectedOnlyByQualifier() {
        runner.run(context -> {
            assertThat(context.getBean(IdGenerator.class)).isInstanceOf(SnowflakeIdGenerator.class);
            assertThat(invoices(context))
                    .isSameAs(context.getBean("snowflake.generators.invoices"))
                    .extracting(SegmentIdGenerator::name)
                    .isEqualTo("invoices");
            assertThat(invoices(context).nextIds(3)).containsExactly(1, 2, 3);
            assertThat(rows(context.getBean(DataSource.class)))
                    .containsExactly(
                            Map.of("NAME", "invoices", "START_NUMBER", 1L, "INCREMENT_BY", 1, "LAST_NUMBER", 100L));
        });
    }

    @Test
    void unnamedOneIsTheOnlyGeneratorAndNeedsNoWorkerId() {
        withoutType
                .withPropertyValues(
                        "snowflake.worker.id=", "snowflake.type=Segment", "snowflake.segment.initial-value=1000")
                .run(context -> {
                    assertThat(context.getBean(IdGenerator.class))
                            .isInstanceOf(SegmentIdGenerator.class)
                            .isSameAs(context.getBean("snowflake.generators.default"));
                    assertThat(context.getBean(IdGenerator.class).nextId()).isEqualTo(1000);
                    assertThat(context).doesNotHaveBean(SnowflakeIdGenerator.class);
                    assertThat(rows(context.getBean(DataSource.class)))
                            .extracting(row -> row.get("NAME"))
                            .containsExactly("default");
                });
    }

    @Test
    void namedGeneratorInheritsPropertiesExceptThoseOfTheCounter() {
        withoutType
                .withPropertyValues(
                        "snowflake.worker.id=",
                        "snowflake.type=segment",
                        "snowflake.segment.name=shop",
                        "snowflake.segment.initial-value=1000",
                        "snowflake.segment.max-value=5000",
                        "snowflake.segment.min-step=10",
                        INVOICES + "type=segment",
                        "snowflake.generators.tickets.type=segment",
                        "snowflake.generators.tickets.segment.name=tickets-2026",
                        "snowflake.generators.tickets.segment.min-step=20")
                .run(context -> {
                    assertThat(context.getBean(IdGenerator.class).nextId()).isEqualTo(1000);
                    assertThat(rows(context.getBean(DataSource.class)))
                            .containsExactly(
                                    Map.of(
                                            "NAME",
                                            "invoices",
                                            "START_NUMBER",
                                            1L,
                                            "INCREMENT_BY",
                                            1,
                                            "LAST_NUMBER",
                                            10L),
                                    Map.of(
                                            "NAME",
                                            "shop",
                                            "START_NUMBER",
                                            1000L,
                                            "INCREMENT_BY",
                                            1,
                                            "LAST_NUMBER",
                                            1009L),
                                    Map.of(
                                            "NAME",
                                            "tickets-2026",
                                            "START_NUMBER",
                                            1L,
                                            "INCREMENT_BY",
                                            1,
                                            "LAST_NUMBER",
                                            20L));
                    assertThat(invoices(context).maxId()).isEqualTo(Long.MAX_VALUE);
                });
    }

    @Test
    void snowflakesNextToAnUnnamedOneKeepTheirProperties() {
        withoutType
                .withPropertyValues(
                        "snowflake.worker.id=",
                        "snowflake.type=segment",
                        "snowflake.layout=twitter",
                        "snowflake.generators.orders.worker.id=9")
                .run(context -> {
                    SnowflakeIdGenerator orders = context.getBean(SnowflakeIdGenerator.class);
                    assertThat(orders.name()).isEqualTo("orders");
                    assertThat(orders.workerId().workerId()).isEqualTo(9);
                });
    }

    @Test
    void givesWayToAGeneratorOfTheApplication() {
        runner.withUserConfiguration(OwnGenerator.class)
                .run(context -> assertThat(BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                                        context.getAutowireCapableBeanFactory(), IdGenerator.class, "invoices")
                                .nextId())
                        .isEqualTo(42));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnGenerator {

        @Bean(defaultCandidate = false)
        @Qualifier("invoices")
        IdGenerator numbers() {
            return () -> 42;
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void logsTheNumbersAtStartup(CapturedOutput output) {
        runner.withPropertyValues(INVOICES + "segment.max-value=2147483647", "spring.datasource.name=bills")
                .withPropertyValues("spring.datasource.generate-unique-name=false")
                .run(
                        context -> assertThat(output)
                                .contains(
                                        "Generator 'invoices': Issuing numbers of counter 'invoices', 1 to 2147483647, in segments of 100 to 100000, from table snowflake_counter at jdbc:h2:mem:bills"));
    }

    // Lifecycle

    @Test
    void unissuedNumbersAreReturnedWhenTheContextIsClosedOrStopped() {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:given_back;DB_CLOSE_DELAY=-1");
        ApplicationContextRunner shop = plain.withBean(DataSource.class, () -> database)
                .withPropertyValues(
                        "snowflake.worker.id=7", INVOICES + "type=segment", INVOICES + "segment.max-step=100");
        shop.run(context -> {
            assertThat(invoices(context).nextId()).isEqualTo(1);

            context.getSourceApplicationContext().stop();
            assertThat(rows(database)).extracting(row -> row.get("LAST_NUMBER")).containsExactly(1L);
            assertThatExceptionOfType(GeneratorClosedException.class)
                    .isThrownBy(() -> invoices(context).nextId());

            context.getSourceApplicationContext().start();
            assertThat(invoices(context).nextId()).isEqualTo(2);
            assertThat(rows(database)).extracting(row -> row.get("LAST_NUMBER")).containsExactly(101L);
        });
        assertThat(rows(database)).extracting(row -> row.get("LAST_NUMBER")).containsExactly(2L);
    }

    @Test
    void numbersOfAGeneratorOfTheApplicationGoBackWhenTheContextStops() {
        InMemorySegmentStore kept = new InMemorySegmentStore();
        plain.withPropertyValues("snowflake.worker.id=7")
                .withBean(
                        SegmentIdGenerator.class,
                        () -> SegmentIdGenerator.builder()
                                .name("tickets")
                                .store(kept)
                                .build())
                .run(context -> {
                    SegmentIdGenerator tickets = context.getBean(SegmentIdGenerator.class);
                    assertThat(tickets.nextId()).isEqualTo(1);

                    context.getSourceApplicationContext().stop();
                    assertThat(kept.read("tickets").last()).isEqualTo(1);
                    assertThatExceptionOfType(GeneratorClosedException.class).isThrownBy(tickets::nextId);

                    context.getSourceApplicationContext().start();
                    assertThat(tickets.nextId()).isEqualTo(2);
                });
    }

    @Test
    void numbersAreAvailableUntilTheLastBeanIsDestroyed() {
        List<Long> last = new ArrayList<>();
        runner.withUserConfiguration(Asking.class).run(context -> context.getBean(Asking.class).last = last);

        assertThat(last).containsExactly(1L);
    }

    static final class Asking implements AutoCloseable {

        private final IdGenerator ids;
        private List<Long> last = List.of();

        Asking(@Qualifier("invoices") IdGenerator ids) {
            this.ids = ids;
        }

        @Override
        public void close() {
            last.add(ids.nextId());
        }
    }

    // Stores

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        DataSource first() {
            JdbcDataSource first = new JdbcDataSource();
            first.setUrl("jdbc:h2:mem:first;DB_CLOSE_DELAY=-1");
            return first;
        }

        @Bean
        DataSource second() {
            JdbcDataSource second = new JdbcDataSource();
            second.setUrl("jdbc:h2:mem:second;DB_CLOSE_DELAY=-1");
            return second;
        }
    }

    private final ApplicationContextRunner twoDatabases = plain.withUserConfiguration(TwoDatabases.class)
            .withPropertyValues("snowflake.worker.id=7", INVOICES + "type=segment");

    @Test
    void severalDataSourcesShareTheNumbersInTheirOrder() {
        twoDatabases
                .withPropertyValues(
                        INVOICES + "segment.jdbc.data-sources=second, first", INVOICES + "segment.name=shared")
                .run(context -> {
                    assertThat(rows(context.getBean("second", DataSource.class)))
                            .containsExactly(Map.of(
                                    "NAME", "shared", "START_NUMBER", 1L, "INCREMENT_BY", 2, "LAST_NUMBER", 199L));
                    assertThat(invoices(context).stores()).hasSize(2);
                    assertThat(invoices(context).nextIds(3)).containsExactly(1, 3, 5);
                });
    }

    @Test
    void severalUrlsShareTheNumbersAndMayHaveCommas() {
        plain.withPropertyValues(
                        "snowflake.worker.id=7",
                        INVOICES + "type=segment",
                        "snowflake.segment.jdbc.urls=jdbc:h2:mem:one;INIT=CREATE TABLE IF NOT EXISTS one(a INT\\,b INT),jdbc:h2:mem:other",
                        "snowflake.segment.jdbc.username=sa")
                .run(context -> assertThat(invoices(context).stores())
                        .extracting(SegmentStore::description)
                        .containsExactly(
                                "table snowflake_counter at jdbc:h2:mem:one",
                                "table snowflake_counter at jdbc:h2:mem:other"));
    }

    @Test
    void ownDataSourcesComeBeforeInheritedUrls() {
        twoDatabases
                .withPropertyValues(
                        "snowflake.segment.jdbc.urls=jdbc:h2:mem:inherited",
                        INVOICES + "segment.name=own",
                        INVOICES + "segment.jdbc.data-sources=first",
                        "snowflake.generators.tickets.type=segment")
                .run(context -> {
                    assertThat(rows(context.getBean("first", DataSource.class)))
                            .extracting(row -> row.get("NAME"))
                            .contains("own");
                    assertThat(context.getBean("snowflake.generators.tickets", SegmentIdGenerator.class)
                                    .stores())
                            .extracting(SegmentStore::description)
                            .containsExactly("table snowflake_counter at jdbc:h2:mem:inherited");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnStore {

        @Bean
        InMemorySegmentStore numbers() {
            return new InMemorySegmentStore();
        }
    }

    @Test
    void storeOfTheApplicationIsUsedByDefault() {
        ownStore.run(context -> {
            assertThat(invoices(context).stores()).containsExactly(context.getBean(InMemorySegmentStore.class));
            assertThat(invoices(context).nextId()).isEqualTo(1);
        });
    }

    // Failures

    @Test
    void rejectsPropertiesOfSnowflakeIds() {
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "layout=twitter"),
                "Property 'snowflake.generators.invoices.layout' has no effect: 'snowflake.generators.invoices.type' is not 'snowflake'.",
                """
                Remove 'snowflake.generators.invoices.layout', or set:

                snowflake.generators.invoices.type: snowflake""");
        assertThatFailure(
                withoutType.withPropertyValues("snowflake.type=segment"),
                "Property 'snowflake.worker.id' has no effect: 'snowflake.type' is not 'snowflake'.",
                """
                Remove 'snowflake.worker.id', or set:

                snowflake.type: snowflake""");
    }

    @Test
    void rejectsPropertiesOfSegments() {
        assertThatFailure(
                withoutType.withPropertyValues(INVOICES + "segment.max-value=99"),
                "Property 'snowflake.generators.invoices.segment.max-value' has no effect: 'snowflake.generators.invoices.type' is not 'segment'.",
                """
                Remove 'snowflake.generators.invoices.segment.max-value', or set:

                snowflake.generators.invoices.type: segment""",
                "Generator 'invoices' has no worker ID: it does not inherit the worker ID of the unnamed generator, and there is no database to lease one from.");
        assertThatFailure(
                withoutType.withPropertyValues("snowflake.segment.min-step=50"),
                "Property 'snowflake.segment.min-step' has no effect: 'snowflake.type' is not 'segment'.",
                """
                Remove 'snowflake.segment.min-step', or set:

                snowflake.type: segment""",
                "Property 'snowflake.worker.id' has no effect: 'snowflake.type' is not 'snowflake'.");
        assertThatFailure(
                runner.withPropertyValues("snowflake.segment.initial-value=50"),
                "Property 'snowflake.segment.initial-value' has no effect: 'snowflake.type' is not 'segment'.",
                """
                Remove 'snowflake.segment.initial-value', or set:

                snowflake.type: segment""",
                "Property 'snowflake.worker.id' has no effect: 'snowflake.type' is not 'snowflake'.");
    }

    @Test
    void rejectsAnUnknownType() {
        assertThatFailure(
                withoutType.withPropertyValues(INVOICES + "type=ticket"),
                "Property 'snowflake.generators.invoices.type' must be one of snowflake, segment, but was 'ticket' (\"snowflake.generators.invoices.type\" from property source \"test\").",
                "Set one of snowflake, segment.");
    }

    @Test
    void rejectsNumbersThatCannotBe() {
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.initial-value=1000", INVOICES + "segment.max-value=999"),
                "Property 'snowflake.generators.invoices.segment.max-value' must be at least 1000, but was 999.",
                """
                Set a valid value, for example:

                snowflake.generators.invoices.segment.max-value: 9223372036854775807""");
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.initial-value=-1"),
                "Property 'snowflake.generators.invoices.segment.initial-value' must be at least 0, but was -1.",
                """
                Set a valid value, for example:

                snowflake.generators.invoices.segment.initial-value: 1""");
        assertThatFailure(
                runner.withPropertyValues("snowflake.segment.max-step=10"),
                "Property 'snowflake.segment.max-step' must be at least 100, but was 10.",
                """
                Set a valid value, for example:

                snowflake.segment.max-step: 100000""");
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.min-step=0"),
                "Property 'snowflake.generators.invoices.segment.min-step' must be at least 1, but was 0.",
                """
                Set a valid value, for example:

                snowflake.generators.invoices.segment.min-step: 100""");
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.name="),
                "Property 'snowflake.generators.invoices.segment.name' must have 1 to 100 characters, but was ''.",
                """
                Set a valid value, for example:

                snowflake.generators.invoices.segment.name: invoices""");
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.target-duration=2d"),
                "Property 'snowflake.generators.invoices.segment.target-duration' must be from 1ms to 1d, but was 172800000ms.",
                """
                Set a valid value, for example:

                snowflake.generators.invoices.segment.target-duration: 15m""");
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.max-wait=5"),
                "Property 'snowflake.generators.invoices.segment.max-wait' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '5' (\"snowflake.generators.invoices.segment.max-wait\" from property source \"test\").",
                """
                Set a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d.""");
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.max-value=all"),
                "Property 'snowflake.generators.invoices.segment.max-value' must be a whole number, but was 'all' (\"snowflake.generators.invoices.segment.max-value\" from property source \"test\").",
                """
                Set a whole number.""");
    }

    @Test
    void rejectsAStoreThatDoesNotExist() {
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.store=oracle"),
                "Property 'snowflake.generators.invoices.segment.store' must be one of jdbc, redis, but was 'oracle'.",
                "Set one of jdbc, redis, or remove 'snowflake.generators.invoices.segment.store'.");
        assertThatFailure(
                plain.withConfiguration(AutoConfigurations.of(SnowflakeRedisAutoConfiguration.class))
                        .withPropertyValues("snowflake.worker.id=7", INVOICES + "type=segment"),
                "Generator 'invoices' is of type 'segment', but there is no DataSource, no URL of a database, and no SegmentStore bean.",
                """
                Add the driver of your database, and set its URL:

                snowflake.generators.invoices.segment.jdbc.urls: jdbc:postgresql://localhost/shop

                or keep the counter in Redis, with Spring Data Redis on the class path:

                snowflake.generators.invoices.segment.store: redis""",
                "Generator 'invoices': A counter is stored in Redis, but there is no unique RedisConnectionFactory bean: no bean is the only one or primary.");
        assertThatFailure(
                runner.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                        .withPropertyValues(INVOICES + "segment.store=redis"),
                "Property 'snowflake.generators.invoices.segment.store' is 'redis', but Spring Data Redis is not on the class path.",
                """
                Add the dependency:

                <dependency>
                  <groupId>org.springframework.boot</groupId>
                  <artifactId>spring-boot-starter-data-redis</artifactId>
                </dependency>

                or keep the counter in a database:

                snowflake.generators.invoices.segment.store: jdbc""");
    }

    @Test
    void rejectsOneDatabaseThatIsNamedTwice() {
        assertThatFailure(
                twoDatabases.withPropertyValues(INVOICES + "segment.jdbc.data-sources=first,first"),
                "Property 'snowflake.generators.invoices.segment.jdbc.data-sources' names the same store twice.",
                "Name each store once in 'snowflake.generators.invoices.segment.jdbc.data-sources'.");
    }

    @Test
    void rejectsMissingOrAmbiguousDatabases() {
        assertThatFailure(
                twoDatabases.withPropertyValues(INVOICES + "segment.jdbc.data-sources=first,third"),
                "Property 'snowflake.generators.invoices.segment.jdbc.data-sources' names 'third', which is not a DataSource bean. The beans are 'first', 'second'.",
                "Name existing beans, in the same order in all processes.");
        assertThatFailure(
                twoDatabases,
                "Generator 'invoices': There is no unique DataSource bean for counters: no bean is the only one, primary, or marked with @SnowflakeDataSource.",
                """
                Mark the DataSource bean of one database that all processes share:

                import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;

                @Bean
                @SnowflakeDataSource
                DataSource dataSource() { ... }""");
        assertThatFailure(
                twoDatabases.withPropertyValues(
                        INVOICES + "segment.name=both",
                        INVOICES + "segment.jdbc.data-sources=first",
                        INVOICES + "segment.jdbc.urls=jdbc:h2:mem:x"),
                "Only one of 'snowflake.generators.invoices.segment.jdbc.data-sources' and 'snowflake.generators.invoices.segment.jdbc.urls' may be set, but both are.",
                "Remove 'snowflake.generators.invoices.segment.jdbc.urls' to use the beans.");
        assertThatFailure(
                runner.withPropertyValues(INVOICES + "segment.jdbc.username=sa"),
                "Property 'snowflake.generators.invoices.segment.jdbc.username' has no effect: 'snowflake.generators.invoices.segment.jdbc.urls' is not set.",
                """
                Set the URL of the database:

                snowflake.generators.invoices.segment.jdbc.urls: jdbc:postgresql://localhost/shop""");
    }

    @Test
    void rejectsACounterThatOthersHaveBegunElsewhere() {
        InMemorySegmentStore others = new InMemorySegmentStore();
        others.put("invoices", new Counter(500, 1, 700, "x"));
        assertThatFailure(
                plain.withBean(SegmentStore.class, () -> others)
                        .withPropertyValues("snowflake.worker.id=7", INVOICES + "type=segment"),
                "Generator 'invoices': Counter 'invoices' in memory has start 500 and increment 1, but this process is configured for start 1 and increment 1. Configure the same initial value and the same stores in the same order in all processes, or use another name.",
                """
                Use the same stores and the same initial value as the other processes of this counter, each store once and in the same \
                order, or use another counter:

                snowflake.generators.invoices.segment.name: invoices2""");
    }

    @Test
    void rejectsACounterThatIsNoNumberOfItsStore() {
        twoDatabases
                .withPropertyValues(INVOICES + "segment.name=odd", INVOICES + "segment.jdbc.data-sources=first, second")
                .run(context -> new JdbcTemplate(context.getBean("first", DataSource.class))
                        .update("update snowflake_counter set last_number = 500, token = 'set' where name = 'odd'"));
        assertThatFailure(
                twoDatabases.withPropertyValues(
                        INVOICES + "segment.name=odd", INVOICES + "segment.jdbc.data-sources=first, second"),
                "Generator 'invoices': Counter 'odd' in table snowflake_counter at jdbc:h2:mem:first has the value 500, which is not a number of this store (start 1, increment 2), so its next numbers may already be in use. Set it to a number of this store above the highest number in use.",
                """
                Use the same stores and the same initial value as the other processes of this counter, each store once and in the same \
                order, or use another counter:

                snowflake.generators.invoices.segment.name: odd2""");
    }

    @Test
    void rejectsOneDatabaseUnderTwoNames() {
        JdbcDataSource alias = new JdbcDataSource();
        alias.setUrl("jdbc:h2:mem:first;DB_CLOSE_DELAY=-1");
        assertThatFailure(
                twoDatabases
                        .withBean("alias", DataSource.class, () -> alias)
                        .withPropertyValues(
                                INVOICES + "segment.name=twice", INVOICES + "segment.jdbc.data-sources=first, alias"),
                "Generator 'invoices': Counter 'twice' in table snowflake_counter at jdbc:h2:mem:first has start 1 and increment 2, but this process is configured for start 2 and increment 2. Configure the same initial value and the same stores in the same order in all processes, or use another name.",
                """
                Use the same stores and the same initial value as the other processes of this counter, each store once and in the same \
                order, or use another counter:

                snowflake.generators.invoices.segment.name: twice2""",
                // Another counter does not help here.
                "Generator 'invoices': Counter 'twice2' in table snowflake_counter at jdbc:h2:mem:first has start 1 and increment 2, but this process is configured for start 2 and increment 2. Configure the same initial value and the same stores in the same order in all processes, or use another name.");
    }

    @Test
    void startupFailsIfTheNumbersAreExhausted() {
        InMemorySegmentStore others = new InMemorySegmentStore();
        others.put("invoices", new Counter(1, 1, 999, "x"));
        assertThatFailure(
                plain.withBean(SegmentStore.class, () -> others)
                        .withPropertyValues(
                                "snowflake.worker.id=7", INVOICES + "type=segment", INVOICES + "segment.max-value=999"),
                "Generator 'invoices': Counter 'invoices' in memory is exhausted: its last number is 999.",
                """
                If the column can hold greater numbers, raise the limit:

                snowflake.generators.invoices.segment.max-value: 9223372036854775807

                or, if no row contains the old numbers any more, start another counter:

                snowflake.generators.invoices.segment.name: invoices2""");
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void startupFailsIfTheCausesOfAStoreFormACycle() {
        RuntimeException circle = new IllegalStateException("no answer", new IllegalStateException("no socket"));
        circle.getCause().initCause(circle);
        SegmentStore broken = new SegmentStore() {
            @Override
            public String description() {
                return "a store";
            }

            @Override
            public Counter read(String name) {
                throw circle;
            }

            @Override
            public boolean write(String name, Counter seen, Counter next) {
                throw circle;
            }
        };
        plain.withBean(SegmentStore.class, () -> broken)
                .withPropertyValues(
                        "snowflake.worker.id=7", INVOICES + "type=segment", INVOICES + "segment.max-wait=2s")
                .run(
                        context -> assertThat(Causes.of(context.getStartupFailure()))
                                .extracting(Throwable::getMessage)
                                .contains(
                                        "Generator 'invoices': No store delivered numbers of 'invoices' within 2000 ms (no answer)"));
    }

    @Test
    void returnsTheStatementThatCreatesTheTable() {
        runner.withPropertyValues(INVOICES + "segment.jdbc.initialize-schema=never")
                .run(context -> {
                    assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                    .getAction())
                            .contains("CREATE TABLE IF NOT EXISTS snowflake_counter (");
                });
    }

    @Test
    void rejectsATableThatMayHaveTheSameCounterTwice() {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:keyless_counters;DB_CLOSE_DELAY=-1");
        new JdbcTemplate(database)
                .execute("create table keyless (name varchar(100), start_number bigint, increment_by integer,"
                        + " last_number bigint, token varchar(36))");
        ApplicationContextRunner keyless = plain.withBean(DataSource.class, () -> database)
                .withPropertyValues(
                        "snowflake.worker.id=7",
                        INVOICES + "type=segment",
                        INVOICES + "segment.jdbc.table-name=keyless");
        keyless.run(context -> assertThatFailure(
                context.getStartupFailure(),
                "Generator 'invoices': Table 'keyless' of counters cannot be used: it has neither a primary key nor a unique index on (name), so two processes could issue the same IDs.",
                """
                As the owner of the table, execute:

                ALTER TABLE keyless ADD PRIMARY KEY (name);

                If the table has another primary key, drop that key first. If several rows have the same key, stop all processes that use the table, and keep only the row with the greatest last_number."""));
    }
}
