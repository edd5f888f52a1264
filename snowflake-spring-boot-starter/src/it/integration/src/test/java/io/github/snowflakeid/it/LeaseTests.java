package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@ExtendWith(OutputCaptureExtension.class)
class LeaseTests {

    private static final String SCHEMA =
            "spring.sql.init.schema-locations=classpath:io/github/snowflakeid/jdbc/schema-h2.sql";

    private static ConfigurableApplicationContext start(String database, String... properties) {
        return new SpringApplicationBuilder(Shop.class, Leases.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1",
                        "spring.application.name=shop")
                .properties(properties)
                .run("--snowflake.worker.id=");
    }

    @Test
    void contextsOfOneDatabaseLeaseDifferentWorkerIdsAndGiveThemBack(CapturedOutput output) {
        try (ConfigurableApplicationContext one = start("side_by_side", SCHEMA);
                ConfigurableApplicationContext other = start("side_by_side", SCHEMA)) {
            SnowflakeIdGenerator first = one.getBean(SnowflakeIdGenerator.class);
            SnowflakeIdGenerator second = other.getBean(SnowflakeIdGenerator.class);

            assertThat(first.workerId().workerId()).isZero();
            assertThat(second.workerId().workerId()).isOne();
            assertThat(first.lease()).get().extracting(lease -> lease.state()).isEqualTo(State.HELD);
            assertThat(one.getBean(WorkerRegistry.class).read().entries())
                    .extracting(Entry::ownerInfo)
                    .allSatisfy(info -> assertThat(info).startsWith("shop, ").contains(", pid "));
            assertThat(output)
                    .contains("Snowflake ids with worker id 1, datacenter id 0 (leased, namespace 'default'), ")
                    .contains(", max-drift 1000ms, max-wait 1000ms");
        }
        assertThat(output).containsOnlyOnce("Lease of worker id 1, datacenter id 0 has ended: given back");
        try (ConfigurableApplicationContext next = start("side_by_side", SCHEMA)) {
            assertThat(next.getBean(SnowflakeIdGenerator.class).workerId().workerId())
                    .isZero();
        }
    }

    @Test
    void stoppedContextGivesItsWorkerIdBackAndLeasesAgainWhenItStarts() {
        try (ConfigurableApplicationContext context = start("restarted", SCHEMA)) {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            long last = generator.nextId();
            context.stop();
            assertThatThrownBy(generator::nextId).isInstanceOf(GeneratorClosedException.class);
            assertThat(context.getBean(WorkerRegistry.class).read().entries())
                    .extracting(Entry::owner)
                    .containsOnlyNulls();

            context.start();
            assertThat(generator.nextId()).isGreaterThan(last);
        }
    }

    @Test
    void leasesAtTheStartEvenIfBeansAreLazyAndThePoolHasOneConnection() {
        try (ConfigurableApplicationContext context = start(
                "lazy",
                SCHEMA,
                "spring.main.lazy-initialization=true",
                "spring.datasource.hikari.maximum-pool-size=1")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).nextId()).isPositive();
        }
    }

    @Test
    void narrowsTheLeaseToTheDatacenterId() {
        try (ConfigurableApplicationContext context = start("datacenter", SCHEMA, "snowflake.datacenter.id=3")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).workerId().datacenterId())
                    .isEqualTo(3);
        }
    }

    @Test
    void missingTableFailsTheStartWithLinesToPaste(CapturedOutput output) {
        assertThatThrownBy(() -> start("no_table")).isInstanceOf(RuntimeException.class);

        assertThat(output)
                .contains("Table 'snowflake_worker' of worker ids cannot be read: ")
                .contains("spring.sql.init.mode: always")
                .contains(
                        "spring.sql.init.schema-locations: classpath:io/github/snowflakeid/jdbc/schema-postgresql.sql");
    }

    @Test
    void otherLayoutUnderTheNamespaceFailsTheStart(CapturedOutput output) {
        start("layouts", SCHEMA).close();
        assertThatThrownBy(() -> start("layouts", SCHEMA, "snowflake.layout=twitter"))
                .isInstanceOf(RuntimeException.class);

        assertThat(output)
                .contains(
                        "Namespace 'default' has ids of layout 41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z, but this"
                                + " process would make ids of layout 41+5+5+12 bits of 1 ms from 2010-11-04T01:42:54.657Z")
                .contains("give the WorkerRegistry bean a namespace of its own");
    }

    static class Leases {

        @Bean
        @DependsOnDatabaseInitialization
        WorkerRegistry workerRegistry(DataSource dataSource) {
            return new JdbcWorkerRegistry(dataSource, "snowflake_worker", "default");
        }
    }
}
