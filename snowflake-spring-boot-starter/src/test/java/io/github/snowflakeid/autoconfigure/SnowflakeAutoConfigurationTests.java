package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import io.github.snowflakeid.ClockMovedBackwardsException;
import io.github.snowflakeid.HostSource;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.hibernate.SnowflakeHibernateAutoConfiguration;
import io.github.snowflakeid.internal.log.LogLines;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class SnowflakeAutoConfigurationTests {

    private final ApplicationContextRunner withoutWorkerId = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class,
                    SnowflakeHibernateAutoConfiguration.class));

    private final ApplicationContextRunner runner = withoutWorkerId.withPropertyValues("snowflake.worker.id=7");

    @Test
    void generatesIdsOfTheUnleasedWorkerInTheDefaultLayout() {
        runner.run(context -> {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);

            assertThat(context).getBean(IdGenerator.class).isSameAs(generator);
            assertThat(context).getBean(IdLayout.class).isEqualTo(IdLayout.DEFAULT);
            assertThat(generator.layout()).isEqualTo(IdLayout.DEFAULT);
            assertThat(generator.workerId()).isEqualTo(new WorkerId(0, 7, "configured"));
            assertThat(IdLayout.DEFAULT.decode(generator.nextId()).timestamp())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now());
        });
    }

    @Test
    void takesEveryPresetByItsNameInAnySpelling() {
        for (Map.Entry<String, IdLayout> preset : IdLayout.presets().entrySet()) {
            for (String name : new String[] {
                preset.getKey(), preset.getKey().toUpperCase(Locale.ROOT).replace('-', '_')
            }) {
                runner.withPropertyValues("snowflake.layout=" + name)
                        .withBean(IdGenerator.class, () -> () -> 1L)
                        .run(context ->
                                assertThat(context.getBean(IdLayout.class)).isEqualTo(preset.getValue()));
            }
        }
    }

    @Test
    void changesSingleComponentsOfTheLayout() {
        runner.withPropertyValues(
                        "snowflake.layout=baidu",
                        "snowflake.epoch=2024-11-21T00:00:00Z",
                        "snowflake.tick=10ms",
                        "snowflake.bits.timestamp=40",
                        "snowflake.bits.datacenter=3",
                        "snowflake.bits.worker=9",
                        "snowflake.bits.sequence=10")
                .run(context -> assertThat(context)
                        .getBean(IdLayout.class)
                        .isEqualTo(new IdLayout(
                                Instant.parse("2024-11-21T00:00:00Z"), Duration.ofMillis(10), 40, 3, 9, 10)));
    }

    @Test
    void takesTheDatacenterIdForAUnleasedWorker() {
        runner.withPropertyValues("snowflake.datacenter.id=31")
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).workerId())
                        .isEqualTo(new WorkerId(31, 7, "configured")));
    }

    @Test
    void takesTheDatacenterIdForAGuessedWorker() {
        WorkerIdAssigner host = WorkerIdAssigner.host(HostSource.NAME, 3);
        assumeThatCode(() -> host.assign(IdLayout.DEFAULT)).doesNotThrowAnyException();

        withoutWorkerId
                .withPropertyValues("snowflake.worker.host.source=name", "snowflake.datacenter.id=3")
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).workerId())
                        .isEqualTo(host.assign(IdLayout.DEFAULT)));
    }

    @Test
    void startsTheSequenceOfATickAsConfigured() {
        runner.run(context -> assertThat(startsOfTicks(context)).containsOnly(0));
        runner.withPropertyValues("snowflake.sequence.start=rotating", "snowflake.sequence.start-bound=2")
                .run(context -> assertThat(startsOfTicks(context)).containsOnly(0, 1));
        runner.withPropertyValues("snowflake.sequence.start=random", "snowflake.bits.sequence=1")
                .run(context -> assertThat(startsOfTicks(context)).containsOnly(0, 1));
    }

    @Test
    void aWorkerIdAssignerOfTheApplicationWinsOverProperties() {
        runner.withBean(WorkerIdAssigner.class, () -> layout -> new WorkerId(1, 2, "test"))
                .withPropertyValues("snowflake.worker.id=99")
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).workerId())
                        .isEqualTo(new WorkerId(1, 2, "test")));
    }

    @Test
    void aLayoutOfTheApplicationWinsOverProperties() {
        runner.withBean(IdLayout.class, () -> IdLayout.TWITTER)
                .withPropertyValues("snowflake.layout=nonsense")
                .run(context -> assertThat(
                                context.getBean(SnowflakeIdGenerator.class).layout())
                        .isEqualTo(IdLayout.TWITTER));
    }

    @Test
    void anIdGeneratorOfTheApplicationReplacesOurs() {
        runner.withBean("mine", IdGenerator.class, () -> () -> 42L)
                .withPropertyValues("snowflake.worker.strategy=fixed")
                .run(context -> {
                    assertThat(context.getBean(IdGenerator.class).nextId()).isEqualTo(42);
                    assertThat(context)
                            .doesNotHaveBean(SnowflakeIdGenerator.class)
                            .doesNotHaveBean(WorkerIdAssigner.class)
                            .hasBean("snowflake.entityManagerFactoryIds");
                });
    }

    @Test
    void doesNothingWhenDisabled() {
        runner.withPropertyValues("snowflake.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(IdGenerator.class)
                        .doesNotHaveBean(IdLayout.class)
                        .doesNotHaveBean("snowflake.entityManagerFactoryIds"));
    }

    @Test
    void worksWithoutJpaAndJdbc() {
        for (FilteredClassLoader filter : Arrays.asList(
                new FilteredClassLoader("jakarta.persistence", "org.hibernate", "org.springframework.orm"),
                new FilteredClassLoader("org.hibernate"),
                new FilteredClassLoader("org.springframework.orm"),
                new FilteredClassLoader(
                        "jakarta.persistence",
                        "org.hibernate",
                        "org.springframework.orm",
                        "org.springframework.jdbc",
                        "org.springframework.dao",
                        "javax.sql"))) {
            runner.withClassLoader(filter)
                    .run(context -> assertThat(context)
                            .hasSingleBean(SnowflakeIdGenerator.class)
                            .doesNotHaveBean("snowflake.entityManagerFactoryIds"));
        }
    }

    @Test
    void leavesLikelyBeanNamesToTheApplication() {
        for (ApplicationContextRunner application : List.of(
                runner,
                withoutWorkerId
                        .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                        .withPropertyValues("spring.datasource.generate-unique-name=true"))) {
            application
                    .withBean("snowflakeIdGenerator", Object.class, Object::new)
                    .withBean("snowflakeIdLayout", Object.class, Object::new)
                    .withBean("snowflakeWorkerIdAssigner", Object.class, Object::new)
                    .withBean("snowflakeWorkerRegistry", Object.class, Object::new)
                    .withBean("snowflakeEntityManagerFactoryIds", Object.class, Object::new)
                    .withBean("snowflakeGeneratorLifecycle", Object.class, Object::new)
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(SnowflakeIdGenerator.class));
        }
    }

    /** As tests of applications do, to find beans that cannot be created. */
    @Test
    void allBeansCanBeCreated() {
        runner.run(context -> assertThat(context.getBeansOfType(Object.class)).isNotEmpty());
    }

    @Test
    void closesTheGeneratorWithTheContextAndAfterTheBeansThatUseIt() {
        SnowflakeIdGenerator[] generator = new SnowflakeIdGenerator[1];
        UsesIdsLate[] user = new UsesIdsLate[1];
        runner.withUserConfiguration(UserOfIds.class).run(context -> {
            generator[0] = context.getBean(SnowflakeIdGenerator.class);
            user[0] = context.getBean(UsesIdsLate.class);
        });

        assertThat(user[0].last).isPositive();
        assertThatThrownBy(generator[0]::nextId).hasMessage("No ID issued: the generator is closed");
    }

    @Test
    void logsOneLineWithWorkerIdAndLayout(CapturedOutput output) {
        runner.withPropertyValues("snowflake.clock.max-drift=2s").run(context -> {});

        assertThat(linesOf(output, "INFO"))
                .singleElement()
                .asString()
                .endsWith("Generating IDs with worker ID 7, datacenter ID 0 (configured), " + IdLayout.DEFAULT
                        + ", max-drift 2000ms, max-wait 1000ms");
        assertThat(linesOf(output, "WARN")).isEmpty();
    }

    @Test
    void warnsOfAWorkerIdThatMayNotBeUnique(CapturedOutput output) {
        withoutWorkerId
                .withBean(
                        WorkerIdAssigner.class,
                        () -> layout -> new WorkerId(11, 12, "test", "guessed, so others may have the same ones"))
                .run(context -> {});

        assertThat(linesOf(output, "WARN"))
                .singleElement()
                .asString()
                .endsWith(
                        "Worker ID 12 and datacenter ID 11 are guessed, so others may have the same ones. To lease a worker ID, add a DataSource, or select another store by 'snowflake.worker.strategy'; or set 'snowflake.worker.id' to a different value in each process");
    }

    @Test
    void warningInAPodNamesTheStrategyForPods(CapturedOutput output) {
        withoutWorkerId.withPropertyValues("KUBERNETES_SERVICE_HOST=10.96.0.1").run(context -> {});

        assertThat(linesOf(output, "WARN"))
                .singleElement()
                .asString()
                .contains(
                        "or select another store by 'snowflake.worker.strategy', such as 'kubernetes', which needs a Role with the verbs get, list, create and update on leases.coordination.k8s.io for this pod; or set 'snowflake.worker.id'");
    }

    @Test
    void warnsOfALayoutThatEndsWithinFiveYears(CapturedOutput output) {
        IdLayout endsSoon = IdLayout.builder()
                .epoch(Instant.ofEpochMilli(
                        Instant.now().minus(Duration.ofDays(1)).toEpochMilli()))
                .timestampBits(37)
                .build();
        runner.withBean(IdLayout.class, () -> endsSoon).run(context -> {});

        assertThat(linesOf(output, "WARN"))
                .singleElement()
                .asString()
                .endsWith("No IDs can be issued from " + endsSoon.end() + " on: the layout is exhausted then");
    }

    @Test
    void warnsIfCallsCannotWaitForTheFirstTick(CapturedOutput output) {
        ApplicationContextRunner longTicks =
                runner.withPropertyValues("snowflake.tick=1h", "snowflake.bits.timestamp=20");
        longTicks.withPropertyValues("snowflake.clock.max-wait=2h").run(context -> {});
        assertThat(linesOf(output, "WARN")).isEmpty();

        longTicks.withPropertyValues("snowflake.clock.max-wait=0s").run(context -> {
            SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
            Instant begin = generator.idsBeginAt().orElseThrow();
            assertThat(begin)
                    .isAfter(Instant.now())
                    .isEqualTo(Instant.now().truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS));
            assertThat(linesOf(output, "WARN"))
                    .singleElement()
                    .asString()
                    .endsWith("No IDs are issued before " + begin
                            + "; until then, calls fail with a ClockMovedBackwardsException. Another process may have used"
                            + " the current tick of 3600000ms with this worker ID. Lease a worker ID, use shorter ticks, or let"
                            + " calls wait with 'snowflake.clock.max-wait'");
            assertThatThrownBy(generator::nextId)
                    .isInstanceOf(ClockMovedBackwardsException.class)
                    .hasMessageContaining("the first ID can be issued at " + begin);
        });
    }

    private static List<String> linesOf(CapturedOutput output, String level) {
        return LogLines.ofThisThread(output).stream()
                .filter(line -> line.contains(level + " ") && line.contains(".SnowflakeIdGenerator "))
                .toList();
    }

    /** Returns the sequences of IDs that are each the first of their tick. */
    private static List<Integer> startsOfTicks(ApplicationContext context) {
        SnowflakeIdGenerator generator = context.getBean(SnowflakeIdGenerator.class);
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long millis = System.currentTimeMillis();
            while (System.currentTimeMillis() <= millis) {
                Thread.onSpinWait();
            }
            starts.add(generator.layout().decode(generator.nextId()).sequence());
        }
        return starts;
    }

    @Configuration(proxyBeanMethods = false)
    static class UserOfIds {
        @Bean
        UsesIdsLate user(IdGenerator ids) {
            return new UsesIdsLate(ids);
        }
    }

    static final class UsesIdsLate implements AutoCloseable {
        private final IdGenerator ids;
        private long last;

        UsesIdsLate(IdGenerator ids) {
            this.ids = ids;
        }

        @Override
        public void close() {
            last = ids.nextId();
        }
    }
}
