package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.WorkerLease.State;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.WorkerRegistry.Entry;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.ReflectionTestUtils;

@ExtendWith(OutputCaptureExtension.class)
class JpaLeaseTests {

    private static ConfigurableApplicationContext start(String database, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1",
                "--spring.application.name=shop",
                "--snowflake.worker.id="));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new SpringApplicationBuilder(JpaShop.class)
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(new String[0]));
    }

    @Test
    void contextsOfOneDatabaseLeaseAWorkerIdEachAndGiveItBack(CapturedOutput output) {
        try (ConfigurableApplicationContext one = start("side_by_side");
                ConfigurableApplicationContext other = start("side_by_side")) {
            SnowflakeIdGenerator first = one.getBean(SnowflakeIdGenerator.class);
            SnowflakeIdGenerator second = other.getBean(SnowflakeIdGenerator.class);

            assertThat(first.workerId().workerId()).isZero();
            assertThat(second.workerId().workerId()).isOne();
            assertThat(second.nextId()).isNotEqualTo(first.nextId());
            assertThat(first.lease()).get().extracting(lease -> lease.state()).isEqualTo(State.HELD);
            assertThat(first.readRegistry().orElseThrow().entries())
                    .hasSize(2)
                    .extracting(Entry::ownerInfo)
                    .allSatisfy(info -> assertThat(info).startsWith("shop, ").contains(", pid "));
            assertThat(output)
                    .contains("Generating IDs with worker ID 0, datacenter ID 0 (leased, namespace 'default'), ")
                    .contains("Generating IDs with worker ID 1, datacenter ID 0 (leased, namespace 'default'), ")
                    .contains(", max-drift 1000ms, max-wait 1000ms");
        }
        assertThat(output)
                .containsOnlyOnce("The lease of worker ID 1, datacenter ID 0 ended: released")
                .containsOnlyOnce("The lease of worker ID 0, datacenter ID 0 ended: released");
        try (ConfigurableApplicationContext next = start("side_by_side")) {
            assertThat(owners(next)).hasSize(2).containsOnlyOnce((String) null);
        }
    }

    @Test
    void stoppedContextGivesItsWorkerIdBackAndLeasesAgainWhenItStarts() {
        try (ConfigurableApplicationContext context = start("restarted")) {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            long last = generator.nextId();
            for (int round = 0; round < 2; round++) {
                context.stop();
                assertThatThrownBy(generator::nextId).isInstanceOf(GeneratorClosedException.class);
                assertThat(owners(context)).containsOnlyNulls();

                context.start();
                assertThat(owners(context)).doesNotContainNull();
                assertThat(generator.nextId()).isGreaterThan(last);
                last = generator.nextId();
                assertThat(JpaShop.save(context.getBean(EntityManagerFactory.class), 1))
                        .allMatch(id -> id > 0);
            }
        }
    }

    /** Like Spring before and after a checkpoint of the process. */
    @Test
    void checkpointGivesTheWorkerIdBackAndARestoreLeasesAgain() {
        try (ConfigurableApplicationContext context =
                start("restored", "spring.datasource.hikari.allow-pool-suspension=true")) {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            long last = generator.nextId();
            DefaultLifecycleProcessor lifecycle = context.getBean(DefaultLifecycleProcessor.class);

            ReflectionTestUtils.invokeMethod(lifecycle, "stopForRestart");
            assertThat(generator.lease()).get().extracting(WorkerLease::state).isEqualTo(State.CLOSED);

            ReflectionTestUtils.invokeMethod(lifecycle, "restartAfterStop");
            assertThat(owners(context)).doesNotContainNull();
            assertThat(generator.nextId()).isGreaterThan(last);
        }
    }

    @Test
    void beansThatStopWithTheContextStillGetIds() {
        try (ConfigurableApplicationContext context = start("stopping")) {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            List<Long> ids = new ArrayList<>();
            context.getBeanFactory().registerSingleton("stopsLate", new StopsLate(() -> ids.add(generator.nextId())));

            context.stop();

            assertThat(ids).singleElement().isNotNull();
            assertThat(owners(context)).containsOnlyNulls();
        }
    }

    private static List<String> owners(ConfigurableApplicationContext context) {
        return new JdbcTemplate(context.getBean(DataSource.class))
                .queryForList("select owner from snowflake_worker", String.class);
    }

    private record StopsLate(Runnable stopping) implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        public void stop() {
            stopping.run();
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public int getPhase() {
            return 2;
        }
    }

    @Test
    void leasesAtStartupEvenIfBeansAreLazyAndThePoolHasOneConnection() {
        try (ConfigurableApplicationContext context =
                start("lazy", "spring.main.lazy-initialization=true", "spring.datasource.hikari.maximum-pool-size=1")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).nextId()).isPositive();
        }
    }

    @Test
    void narrowsTheLeaseToTheDatacenterId() {
        try (ConfigurableApplicationContext context = start("datacenter", "snowflake.datacenter.id=3")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).workerId().datacenterId())
                    .isEqualTo(3);
        }
    }

    @Test
    void missingTableFailsStartupWithLinesToPaste(CapturedOutput output) {
        assertThatThrownBy(() -> start("no_table", "snowflake.worker.jdbc.initialize-schema=never"))
                .isInstanceOf(RuntimeException.class);

        assertThat(output)
                .contains("Table 'snowflake_worker' of worker IDs cannot be read: ")
                .contains("CREATE TABLE IF NOT EXISTS snowflake_worker (");
    }

    @Test
    void flywayCreatesTheTableBeforeTheLease() {
        try (ConfigurableApplicationContext context = start(
                "flyway",
                "spring.flyway.enabled=true",
                "spring.flyway.locations=classpath:migrations",
                "snowflake.worker.jdbc.initialize-schema=never")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
    }

    @Test
    void flywayCreatesTheTableBeforeARegistryOfTheApplicationReadsIt() {
        for (Class<?> declared : new Class<?>[] {DeclaresOurs.class, DeclaresAny.class}) {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(JpaShop.class, declared)
                    .web(WebApplicationType.NONE)
                    .run(
                            "--spring.datasource.url=jdbc:h2:mem:own_" + declared.getSimpleName(),
                            "--snowflake.worker.id=",
                            "--spring.flyway.enabled=true",
                            "--spring.flyway.locations=classpath:migrations")) {
                assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
            }
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

    private static JdbcWorkerRegistry readAtOnce(DataSource database) {
        JdbcWorkerRegistry registry = new JdbcWorkerRegistry(database, "snowflake_worker", "mine");
        assertThat(registry.read().entries()).isEmpty();
        return registry;
    }

    @Test
    void tableOfAnEmbeddedDatabaseDoesNotGetInTheWayOfFlyway() {
        try (ConfigurableApplicationContext context =
                start("flyway_first", "spring.flyway.enabled=true", "spring.flyway.locations=classpath:migrations")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
    }

    @Test
    void leasesIfScriptsRunAfterHibernate() {
        try (ConfigurableApplicationContext context = start(
                "deferred",
                "spring.jpa.defer-datasource-initialization=true",
                "spring.sql.init.data-locations=deferred.sql")) {
            assertThat(JpaShop.save(context.getBean(EntityManagerFactory.class), 2))
                    .hasSize(4);
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
    }

    @Test
    void otherLayoutUnderTheNamespaceFailsStartup(CapturedOutput output) {
        start("layouts").close();
        assertThatThrownBy(() -> start("layouts", "snowflake.layout=twitter")).isInstanceOf(RuntimeException.class);

        assertThat(output)
                .contains(
                        "No worker ID leased: namespace 'default' has IDs of layout 41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z, but this"
                                + " process is configured for layout 41+5+5+12 bits of 1 ms from 2010-11-04T01:42:54.657Z")
                .contains("Use the layout of the other processes.");
    }
}
