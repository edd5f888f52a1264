package io.github.snowflakeid.it.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.it.segments.SegmentShop.Invoice;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcSegmentStore;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class JpaSegmentTests {

    private static List<Integer> numbers(DataSource database) {
        return new JdbcTemplate(database)
                .queryForList("select number from invoices union all select id from tickets order by 1", Integer.class);
    }

    private static List<Integer> to(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    @Test
    void bothKindsWorkInOneEntityAndNumbersContinueAfterARestart() {
        Instant begin = Instant.now().minusSeconds(1);
        List<Invoice> saved = new ArrayList<>();
        try (ConfigurableApplicationContext context = SegmentShop.start("numbered")) {
            saved.addAll(SegmentShop.save(context, 200));
            assertThat(numbers(context.getBean(DataSource.class))).isEqualTo(to(400));
        }
        // The remaining numbers are not lost.
        try (ConfigurableApplicationContext context = SegmentShop.start("numbered")) {
            saved.addAll(SegmentShop.save(context, 50));
            assertThat(numbers(context.getBean(DataSource.class))).isEqualTo(to(500));
        }

        assertThat(saved)
                .extracting(invoice -> Long.valueOf(invoice.ticket))
                .startsWith(1000L)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(saved)
                .allSatisfy(invoice -> assertThat(
                                IdLayout.DEFAULT.decode(invoice.id).timestamp())
                        .isBetween(begin, Instant.now()));
    }

    @Test
    void tableMayComeFromAScript() {
        String[] script = {
            "--snowflake.segment.jdbc.initialize-schema=never",
            "--spring.sql.init.schema-locations=classpath:io/github/snowflakeid/jdbc/counter-h2.sql"
        };
        try (ConfigurableApplicationContext context = SegmentShop.start("script", script)) {
            SegmentShop.save(context, 1);
            assertThat(numbers(context.getBean(DataSource.class))).isEqualTo(to(2));
        }
    }

    @Test
    void firstLeaseAndFirstSegmentStayCommittedWhenTheTransactionOfJpaRollsBack() {
        try (ConfigurableApplicationContext context = SegmentShop.start("rolled_back")) {
            DataSource database = context.getBean(DataSource.class);
            JdbcTemplate sql = new JdbcTemplate(database);
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(database, JdbcWorkerRegistry.DEFAULT_TABLE, "inside")
                    .initializeSchema(InitializeSchema.ALWAYS);
            JdbcSegmentStore store = new JdbcSegmentStore(database, JdbcSegmentStore.DEFAULT_TABLE);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                assertThat(TransactionSynchronizationManager.hasResource(database))
                        .as("JPA has bound its connection")
                        .isTrue();
                sql.update("insert into tickets (id, number) values (-1, -1)");
                try (SnowflakeIdGenerator ids = SnowflakeIdGenerator.builder()
                                .lease(LeaseTerms.of(registry))
                                .build();
                        SegmentIdGenerator numbers = SegmentIdGenerator.builder()
                                .name("inside")
                                .store(store)
                                .build()) {
                    assertThat(ids.nextId()).isPositive();
                    assertThat(numbers.nextId()).isOne();
                }
                status.setRollbackOnly();
            });

            assertThat(numbers(database)).isEmpty();
            assertThat(registry.read().entries()).hasSize(1);
            assertThat(store.read("inside")).isNotNull();
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void integerIsRejectedIfNumbersMayNotFit(CapturedOutput output) {
        assertThat(catchThrowable(() -> SegmentShop.start("narrow", SegmentShop.END + "2147483648")))
                .isNotNull();

        // The order in which attributes are examined is undefined.
        assertThat(output)
                .contains(", but its generator issues numbers up to 2147483648.")
                .contains("snowflake.generators.invoices.segment.max-value: 2147483647");
    }
}
