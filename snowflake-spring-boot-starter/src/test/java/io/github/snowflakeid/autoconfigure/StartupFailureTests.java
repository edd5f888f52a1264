package io.github.snowflakeid.autoconfigure;

import static io.github.snowflakeid.autoconfigure.ActionAssertions.assertThatFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerId;
import io.github.snowflakeid.WorkerIdAssigner;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.publicid.text.SnowflakePublicIdAutoConfiguration;
import io.github.snowflakeid.text.PublicIds;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

class StartupFailureTests {

    private static final String SET_DEFAULT_LAYOUT = """
            Correct these properties. The default layout is valid:

            snowflake.epoch: 2025-01-01T00:00:00Z
            snowflake.tick: 1ms
            snowflake.bits.timestamp: 41
            snowflake.bits.datacenter: 5
            snowflake.bits.worker: 5
            snowflake.bits.sequence: 12""";

    private static final String SET_WORKER_ID = """
            Give each process that runs at the same time a different worker ID from 0 to 31. Take it from an environment variable \
            whose value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

            snowflake.worker.strategy: fixed
            snowflake.worker.id: ${WORKER_ID}""";

    private static final String NO_DATA_SOURCE =
            "Property 'snowflake.worker.strategy' is 'jdbc', but there is neither a DataSource nor a URL of a database.";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class))
            .withPropertyValues("snowflake.worker.id=7");

    @Test
    void unknownLayout() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.layout=twiter"),
                "Property 'snowflake.layout' names an unknown layout: 'twiter'.",
                "Set one of default, twitter, leaf, shardingsphere, baidu, discord, javascript-safe.");
    }

    @Test
    void impossibleLayout() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.bits.sequence=22", "snowflake.bits.worker=8"),
                "Invalid layout: 'snowflake.bits' must add up to at most 64 bits, but add up to 76 (41 timestamp + 5 datacenter +"
                        + " 8 worker + 22 sequence).",
                SET_DEFAULT_LAYOUT);
    }

    @Test
    void widthOutOfRange() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.bits.worker=40"),
                "Invalid layout: 'snowflake.bits.worker' must be in [0, 31], but was 40.",
                SET_DEFAULT_LAYOUT);
    }

    @Test
    void impossibleTickAndEpoch() {
        assertThatFailure(
                runner.withPropertyValues(
                        "snowflake.layout=baidu",
                        "snowflake.tick=100us",
                        "snowflake.epoch=2024-01-01T00:00:00.000001Z",
                        "snowflake.bits.timestamp=28",
                        "snowflake.bits.datacenter=0"),
                "Invalid layout: 'snowflake.tick' must be a whole number of milliseconds from 1 ms to 1 h, but was PT0.0001S; 'snowflake.epoch' must"
                        + " be a whole number of milliseconds, but was 2024-01-01T00:00:00.000001Z.",
                SET_DEFAULT_LAYOUT);
    }

    @Test
    void workerIdOutOfRange() {
        for (int id : new int[] {32, -1}) {
            assertThatFailure(
                    runner.withPropertyValues("snowflake.worker.id=" + id),
                    "Property 'snowflake.worker.id' must be in [0, 31] (5 worker bits), but was " + id + ".",
                    SET_WORKER_ID);
        }
    }

    @Test
    void datacenterIdOutOfRange() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.datacenter.id=1", "snowflake.layout=leaf"),
                "Property 'snowflake.datacenter.id' must be in [0, 0] (0 datacenter bits), but was 1.",
                """
                Remove 'snowflake.datacenter.id', or set a number from 0 to 0, the same for all processes of a datacenter and different \
                for each datacenter, through an environment variable:

                snowflake.datacenter.id: ${DATACENTER_ID}""");
        assertThatFailure(
                runner.withPropertyValues("snowflake.datacenter.id=-1", "snowflake.worker.id="),
                "Property 'snowflake.datacenter.id' must be in [0, 31] (5 datacenter bits), but was -1.",
                """
                Remove 'snowflake.datacenter.id', or set a number from 0 to 31, the same for all processes of a datacenter and different \
                for each datacenter, through an environment variable:

                snowflake.datacenter.id: ${DATACENTER_ID}""");
    }

    @Test
    void fixedStrategyWithoutWorkerId() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.id=", "snowflake.worker.strategy=fixed"),
                "Property 'snowflake.worker.strategy' is 'fixed', but 'snowflake.worker.id' is not set.",
                SET_WORKER_ID);
    }

    @Test
    void hostStrategyWithWorkerId() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.strategy=host"),
                "Property 'snowflake.worker.id' is 7, but has no effect: 'snowflake.worker.strategy' is 'host'.",
                """
                Remove 'snowflake.worker.id' to let the strategy choose. If the configuration gives each process a different worker ID, use that:

                snowflake.worker.strategy: fixed""");
    }

    @Test
    void jdbcStrategyWithWorkerId() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.strategy=jdbc"),
                "Property 'snowflake.worker.id' is 7, but has no effect: 'snowflake.worker.strategy' is 'jdbc'.",
                """
                Remove 'snowflake.worker.id' to let the strategy choose. If the configuration gives each process a different worker ID, use that:

                snowflake.worker.strategy: fixed""",
                NO_DATA_SOURCE);
    }

    @Test
    void jdbcStrategyWithoutDataSource() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.id=", "snowflake.worker.strategy=jdbc"),
                NO_DATA_SOURCE,
                """
                Add the driver of your database, and set its URL:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""",
                // The dependencies of the action were not added.
                NO_DATA_SOURCE);
    }

    @Test
    void nothingToGuessAWorkerIdFrom() {
        SnowflakeProperties properties =
                Binder.get(new MockEnvironment()).bindOrCreate("snowflake", SnowflakeProperties.class);
        StandardEnvironment environment = new StandardEnvironment();
        GeneratorBeans generator = new GeneratorBeans(
                GeneratorName.UNNAMED, GeneratorProperties.of(null, environment), new DefaultListableBeanFactory());
        GeneratorPlan plan = new GeneratorPlan(generator, properties, IdLayout.LEAF, null, false, null, null, null);

        assertThatFailure(
                StartupFailures.unavailable(
                        new WorkerIdUnavailableException(
                                "No usable host name to derive a worker ID from (found: none)"),
                        plan),
                "No usable host name to derive a worker ID from (found: none).",
                """
                Give each process that runs at the same time a different worker ID from 0 to 1023. Take it from an environment \
                variable whose value differs from process to process, such as the index of a pod in a Kubernetes StatefulSet:

                snowflake.worker.strategy: fixed
                snowflake.worker.id: ${WORKER_ID}""");
    }

    @Test
    void unusableWorkerIdAssignerOfTheApplication() {
        String action =
                "Let the bean return a worker ID from 0 to 31 and a datacenter ID from 0 to 31, or remove the bean.";
        assertThatFailure(
                runner.withBean(WorkerIdAssigner.class, () -> layout -> new WorkerId(0, 32, "test")),
                "The WorkerIdAssigner bean returns no usable worker ID: workerId must be in [0, 31] (5 worker bits), but was 32.",
                action);
        assertThatFailure(
                runner.withBean(WorkerIdAssigner.class, () -> layout -> {
                    throw new WorkerIdUnavailableException("Nothing left");
                }),
                "The WorkerIdAssigner bean returns no usable worker ID: Nothing left.",
                action);
    }

    @Test
    void epochInTheFuture() {
        ApplicationContextRunner future = runner.withPropertyValues("snowflake.epoch=2999-01-01T00:00:00Z");
        future.run(context -> {
            FailureAnalysis analysis = ActionAssertions.analysis(context.getStartupFailure());

            assertThat(analysis.getDescription())
                    .contains("epoch must not be in the future, but was 2999-01-01T00:00:00Z");
            assertThat(analysis.getAction()).isEqualTo("""
                            If that instant has passed, set the clock of this machine. Otherwise, set an instant in the past, and \
                            never change it once IDs are stored:

                            snowflake.epoch: 2025-01-01T00:00:00Z""");
            ActionAssertions.assertThatItWorks(future, analysis.getAction());
        });
    }

    @Test
    void endedLayout() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.layout=baidu"),
                "No ID issued: the timestamp field ended at 2024-11-20T13:24:16Z (layout 28+0+22+13 bits of 1 s from"
                        + " 2016-05-19T16:00:00Z (8192 IDs/s per worker, ends 2024-11-20T13:24:16Z)).",
                """
                If no IDs are stored yet, use a layout that is not exhausted, without a tick and bits:

                snowflake.layout: default
                snowflake.epoch: 2025-01-01T00:00:00Z""");
    }

    @Test
    void unusableLayoutOfTheApplication() {
        IdLayout ended = IdLayout.builder().timestampBits(28).build();
        runner.withBean(IdLayout.class, () -> ended)
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                .getAction())
                        .isEqualTo("Let the IdLayout bean return a layout that is not exhausted."));
        IdLayout future =
                IdLayout.builder().epoch(Instant.parse("2999-01-01T00:00:00Z")).build();
        runner.withBean(IdLayout.class, () -> future)
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                .getAction())
                        .isEqualTo("Let the IdLayout bean return a layout whose epoch is in the past."));
    }

    @Test
    void durationsOutOfRange() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.clock.max-drift=-5ms"),
                "Property 'snowflake.clock.max-drift' must be from 0ms to 36500d, but was -5ms.",
                """
                Set a valid value, for example:

                snowflake.clock.max-drift: 0s""");
        assertThatFailure(
                runner.withPropertyValues("snowflake.clock.max-wait=400d"),
                "Property 'snowflake.clock.max-wait' must be from 0ms to 1d, but was 34560000000ms.",
                """
                Set a valid value, for example:

                snowflake.clock.max-wait: 1s""");
    }

    @Test
    void enabledIsNeitherTrueNorFalse() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.enabled=maybe"),
                "Property 'snowflake.enabled' must be true or false, but was 'maybe' (\"snowflake.enabled\" from property source \"test\").",
                "Set true or false.");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void generatorIsInjectedIfAllAreDisabled(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(NeedsIds.class)
                        .web(WebApplicationType.NONE)
                        .run("--snowflake.enabled=false"))
                .isNotNull();

        assertThat(output)
                .contains(
                        "There is no ID generator, because 'snowflake.enabled' is 'false' (\"snowflake.enabled\" from property source \"commandLineArgs\"). It is required by constructor parameter 0.",
                        """
                        Action:

                        Enable generators, or define an IdGenerator bean:

                        snowflake.enabled: true
                        """);
    }

    @ImportAutoConfiguration({SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class})
    static class NeedsIds {

        NeedsIds(IdGenerator ids) {}
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void publicIdsAreInjectedWithoutAKey(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(NeedsPublicIds.class)
                        .web(WebApplicationType.NONE)
                        .run("--snowflake.worker.id=7"))
                .isNotNull();

        assertThat(output)
                .contains(
                        "PublicIds in bean 'startupFailureTests.NeedsPublicIds' needs a key, but 'snowflake.public-ids.keys' is not set.",
                        "snowflake.public-ids.keys[0].secret: ${PUBLIC_ID_KEY}");
    }

    /** A test of a slice does not have the auto-configuration, and another key would not help. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void publicIdsAreInjectedWithoutTheirAutoConfiguration(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(NeedsOtherPublicIds.class)
                        .web(WebApplicationType.NONE)
                        .run("--snowflake.public-ids.keys[0].name=a"))
                .isNotNull();

        assertThat(output).contains("required a bean of type 'io.github.snowflakeid.text.PublicIds'");
    }

    static class NeedsOtherPublicIds {

        NeedsOtherPublicIds(PublicIds publicIds) {}
    }

    @ImportAutoConfiguration({SnowflakeAutoConfiguration.class, SnowflakePublicIdAutoConfiguration.class})
    static class NeedsPublicIds {

        NeedsPublicIds(PublicIds publicIds) {}
    }

    @Test
    void boundWithoutEffect() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.sequence.start-bound=8"),
                "Property 'snowflake.sequence.start-bound' is 8, but has no effect: 'snowflake.sequence.start' is 'zero'.",
                """
                Remove 'snowflake.sequence.start-bound', or use it:

                snowflake.sequence.start: rotating""");
    }

    @Test
    void boundOutOfRange() {
        for (int bound : new int[] {4097, 0}) {
            assertThatFailure(
                    runner.withPropertyValues(
                            "snowflake.sequence.start=random", "snowflake.sequence.start-bound=" + bound),
                    "Property 'snowflake.sequence.start-bound' must be in [1, 4096] (12 sequence bits), but was "
                            + bound + ".",
                    """
                    Set a valid value, for example:

                    snowflake.sequence.start-bound: 64""");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowflake.epoch              | 2025-01-01 | an instant in UTC, such as 2025-01-01T00:00:00Z
                    snowflake.worker.host.source | mac        | one of auto, name
                    snowflake.sequence.start     | one        | one of zero, random, rotating
                    """)
    void valueOfAnotherType(String property, String value, String type) {
        assertThatFailure(
                runner.withPropertyValues(property + "=" + value),
                "Property '%s' must be %s, but was '%s' (\"%s\" from property source \"test\")."
                        .formatted(property, type, value, property),
                "Set %s.".formatted(type));
    }

    @ParameterizedTest
    @CsvSource({
        "snowflake.bits.worker, 5.5",
        "snowflake.bits.sequence, 99999999999",
        "snowflake.sequence.start-bound, many"
    })
    void valueThatIsNoNumber(String property, String value) {
        assertThatFailure(
                runner.withPropertyValues(property + "=" + value),
                "Property '%s' must be a whole number, but was '%s' (\"%1$s\" from property source \"test\")."
                        .formatted(property, value),
                "Set a whole number.");
    }

    @Test
    void strategyThatDoesNotExist() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.id=", "snowflake.worker.strategy=pid"),
                "Property 'snowflake.worker.strategy' must be one of fixed, host, jdbc, redis, zookeeper, etcd, consul, kubernetes, file, but was 'pid'.",
                "Set one of fixed, host, jdbc, redis, zookeeper, etcd, consul, kubernetes, file, or remove 'snowflake.worker.strategy'.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders-3", "${POD}"})
    void hostNameAsWorkerId(String id) {
        assertThatFailure(
                runner.withPropertyValues("POD=orders-3", "snowflake.worker.id=" + id),
                "Property 'snowflake.worker.id' must be a whole number, a different one in each process, but was 'orders-3'"
                        + " (\"snowflake.worker.id\" from property source \"test\").",
                "Set a whole number, a different one in each process.");
    }

    @Test
    void environmentVariableThatIsNotSet() {
        String description =
                "Property 'snowflake.worker.id' must be a whole number, a different one in each process, but was '${WORKER_ID}' (\"snowflake.worker.id\" from"
                        + " property source \"test\"), and 'WORKER_ID' is not set.";
        String action =
                "Set the environment variable or property 'WORKER_ID' to a whole number, a different one in each process.";
        ApplicationContextRunner unset = runner.withPropertyValues("snowflake.worker.id=${WORKER_ID}");
        assertThatFailure(unset, description, action);
        assertThatFailure(
                unset.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class)), description, action);
        assertThatFailure(
                runner.withPropertyValues("snowflake.clock.max-wait=${WAIT}"),
                "Property 'snowflake.clock.max-wait' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '${WAIT}'"
                        + " (\"snowflake.clock.max-wait\" from property source \"test\"), and 'WAIT' is not set.",
                "Set the environment variable or property 'WAIT' to a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d.");
    }

    @ParameterizedTest
    @CsvSource({
        "snowflake.tick, soon",
        "snowflake.worker.lease.ttl, abc",
        "snowflake.worker.lease.ttl, 60",
        "snowflake.clock.max-drift, 0",
        "snowflake.clock.max-wait, 1500"
    })
    void durationWithoutUnit(String property, String value) {
        assertThatFailure(
                leased(property + "=" + value),
                "Property '%s' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '%s' (\"%s\" from property source \"test\")."
                        .formatted(property, value, property),
                "Set a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d.");
    }

    @Test
    void durationWithoutUnitFromYamlAndFromTheEnvironment() {
        String property = "snowflake.clock.max-wait";
        String action = "Set a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d.";
        assertThatFailure(
                runner.withInitializer(
                        context -> addFirst(context, new MapPropertySource("yaml", Map.of(property, 5)))),
                "Property 'snowflake.clock.max-wait' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '5'"
                        + " (\"snowflake.clock.max-wait\" from property source \"yaml\").",
                action);
        runner.withInitializer(context -> addFirst(
                        context,
                        new SystemEnvironmentPropertySource(
                                "test-systemEnvironment", Map.of("SNOWFLAKE_CLOCK_MAXWAIT", "5"))))
                .run(context -> assertThatFailure(
                        context.getStartupFailure(),
                        "Property 'snowflake.clock.max-wait' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '5'"
                                + " (\"SNOWFLAKE_CLOCK_MAXWAIT\" from property source \"test-systemEnvironment\").",
                        action));
    }

    @Test
    void numberAsEpoch() {
        for (Object seconds : new Object[] {1735689600, 1735689600L, "1735689600"}) {
            assertThatFailure(
                    runner.withInitializer(context ->
                            addFirst(context, new MapPropertySource("yaml", Map.of("snowflake.epoch", seconds)))),
                    "Property 'snowflake.epoch' must be an instant in UTC, such as 2025-01-01T00:00:00Z, but was '1735689600\' (\"snowflake.epoch\" from"
                            + " property source \"yaml\").",
                    "Set an instant in UTC, such as 2025-01-01T00:00:00Z.");
        }
        assertThatFailure(
                runner.withPropertyValues("snowflake.epoch=${EPOCH}", "EPOCH=1288834974657"),
                "Property 'snowflake.epoch' must be an instant in UTC, such as 2025-01-01T00:00:00Z, but was '1288834974657\' (\"snowflake.epoch\" from"
                        + " property source \"test\").",
                "Set an instant in UTC, such as 2025-01-01T00:00:00Z.");
    }

    @Test
    void numberAsEpochFromTheEnvironment() {
        runner.withInitializer(context -> addFirst(
                        context,
                        new SystemEnvironmentPropertySource(
                                "test-systemEnvironment", Map.of("SNOWFLAKE_EPOCH", "1735689600"))))
                .run(
                        context -> assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                        .getDescription())
                                .startsWith(
                                        "Property 'snowflake.epoch' must be an instant in UTC, such as 2025-01-01T00:00:00Z, but was '1735689600\'"));
    }

    @Test
    void acceptsAnEpochThatYamlHasParsedAsADate() {
        Instant epoch = Instant.parse("2024-02-29T12:00:00Z");
        for (Object value : new Object[] {Date.from(epoch), epoch, epoch.toString()}) {
            runner.withInitializer(context ->
                            addFirst(context, new MapPropertySource("yaml", Map.of("snowflake.epoch", value))))
                    .run(context ->
                            assertThat(context.getBean(IdLayout.class).epoch()).isEqualTo(epoch));
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void isTheOutputOfAnApplicationForAValueOfAnotherType(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run("--snowflake.worker.lease.ttl=60"))
                .isNotNull();

        assertThat(output).contains("""
                        Description:

                        Property 'snowflake.worker.lease.ttl' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '60' ("snowflake.worker.lease.ttl" from property source "commandLineArgs").

                        Action:

                        Set a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d.
                        """);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void isTheOutputOfAnApplication(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run("--snowflake.worker.id=77"))
                .isNotNull();

        assertThat(output).contains("""
                        ***************************
                        APPLICATION FAILED TO START
                        ***************************

                        Description:

                        Property 'snowflake.worker.id' must be in [0, 31] (5 worker bits), but was 77 ("snowflake.worker.id" from property source "commandLineArgs").

                        Action:

                        %s
                        """.formatted(SET_WORKER_ID));
    }

    /** Leases a worker ID, so that properties of leases have an effect. */
    private static ApplicationContextRunner leased(String property) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        SnowflakeAutoConfiguration.class,
                        SnowflakeJdbcAutoConfiguration.class))
                .withPropertyValues("spring.datasource.generate-unique-name=true", property);
    }

    private static void addFirst(ConfigurableApplicationContext context, PropertySource<?> source) {
        context.getEnvironment().getPropertySources().addFirst(source);
    }

    @ImportAutoConfiguration({SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class})
    static class Application {}
}
