package io.github.snowflakeid.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.numbers.DocumentNumber;
import io.github.snowflakeid.numbers.DocumentNumbers;
import io.github.snowflakeid.numbers.TestDocumentNumbers;
import io.github.snowflakeid.test.TestIdGenerator;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests {@link AutoConfigureTestIds}. Tests in src/it use it in slices, on each line of Spring Boot. */
@SpringBootTest(
        classes = AutoConfigureTestIdsTests.Application.class,
        properties = {
            "snowflake.generators.orders.layout=javascript-safe",
            "snowflake.generators.tickets.type=segment",
            "snowflake.numbers.invoice.format=INV-{yyyy}-{00000}",
            "snowflake.numbers.invoice.zone=UTC",
            "snowflake.numbers.invoice.gapless=true",
            "spring.datasource.generate-unique-name=true"
        })
@AutoConfigureTestIds
class AutoConfigureTestIdsTests {

    @Autowired
    private IdGenerator ids;

    @Autowired
    @Qualifier("orders")
    private TestIdGenerator orders;

    @Autowired
    @Qualifier("tickets")
    private IdGenerator tickets;

    @Autowired
    @Qualifier("imports")
    private IdGenerator imports;

    @RepeatedTest(2)
    void eachTestMethodGetsTheSameIds() {
        assertThat(ids.nextIds(3)).containsExactly(1, 2, 3);
        assertThat(orders.nextId()).isEqualTo(1);
        assertThat(tickets.nextId()).isEqualTo(1);
        assertThat(imports.nextId()).isEqualTo(1);

        assertThat(orders.issued()).containsExactly(1L);
    }

    @RepeatedTest(2)
    void eachTestMethodGetsTheSameDocumentNumbers(
            @Autowired @Qualifier("invoice") DocumentNumbers invoices, @Autowired TestDocumentNumbers ofTest) {
        assertThat(invoices).isSameAs(ofTest);
        assertThat(invoices.last("", null)).isEmpty();
        assertThat(invoices.next()).isEqualTo("INV-2025-00001");
        assertThat(invoices.next()).isEqualTo("INV-2025-00002");
        assertThat(invoices.next("acme")).isEqualTo("INV-2025-00001");
        assertThat(invoices.take("", LocalDate.of(2024, 2, 29)).text()).isEqualTo("INV-2024-00001");
        assertThat(invoices.last("", null).map(DocumentNumber::number)).contains(2L);
    }

    @Test
    void generatorsAreFoundByTheirNames(@Autowired SnowflakeGenerators generators) {
        assertThat(generators.names()).containsExactly("default", "imports", "legacy", "orders", "tickets");
        assertThat(generators.get("orders")).isSameAs(orders);
        assertThat(generators.get("default")).isSameAs(ids);
    }

    @Test
    void noStoreIsNeeded(@Autowired JdbcTemplate jdbc) {
        assertThat(jdbc.queryForList(
                        "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'SNOWFLAKE%'"))
                .isEmpty();
    }

    @Nested
    class InNestedClasses {

        @RepeatedTest(2)
        void eachTestMethodGetsTheSameIds() {
            assertThat(ids.nextId()).isEqualTo(1);
        }
    }

    @Nested
    @AutoConfigureTestIds(resetBeforeEachTest = false)
    class WithoutReset {

        private static final Set<Long> ISSUED = ConcurrentHashMap.newKeySet();

        @RepeatedTest(2)
        void idsContinue() {
            assertThat(ISSUED.add(ids.nextId())).isTrue();
            assertThat(ISSUED).as("No other class resets these IDs").contains((long) ISSUED.size());
        }
    }

    @Nested
    @Import(WithBeanOfATest.IdsOfMarch.class)
    class WithBeanOfATest {

        @RepeatedTest(2)
        void beanOfATestIsTheUnnamedGenerator(
                @Autowired IdGenerator unnamed, @Autowired @Qualifier("orders") IdGenerator named) {
            assertThat(unnamed.nextId()).isEqualTo(IdLayout.DEFAULT.firstId(Instant.parse("2026-03-01T00:00:00Z")));
            assertThat(named.nextId()).isEqualTo(1);
        }

        @TestConfiguration
        static class IdsOfMarch {

            @Bean
            TestIdGenerator ids(IdLayout layout) {
                return TestIdGenerator.startingAt(layout, Instant.parse("2026-03-01T00:00:00Z"));
            }
        }
    }

    @Test
    void applicationThatIsAnnotatedHasUniqueIds() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(AnnotatedApplication.class)
                .web(WebApplicationType.NONE)
                .run("--snowflake.worker.id=7")) {
            assertThat(context.getBean(IdGenerator.class)).isInstanceOf(SnowflakeIdGenerator.class);
        }
    }

    @SpringBootConfiguration
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        SnowflakeAutoConfiguration.class,
        SnowflakeJdbcAutoConfiguration.class
    })
    static class Application {

        @Bean(defaultCandidate = false)
        @Qualifier("imports")
        SnowflakeIdGenerator legacy() {
            return SnowflakeIdGenerator.builder()
                    .worker(WorkerIdAssigner.fixed(0, 9))
                    .build();
        }
    }

    @SpringBootConfiguration
    @AutoConfigureTestIds
    static class AnnotatedApplication {}
}
