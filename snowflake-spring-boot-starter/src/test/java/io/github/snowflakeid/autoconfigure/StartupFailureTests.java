package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerIdUnavailableException;
import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

class StartupFailureTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowflakeAutoConfiguration.class))
            .withPropertyValues("snowflake.worker.id=7");

    @Test
    void unknownLayout() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.layout=twiter"),
                "Property 'snowflake.layout' names no layout: 'twiter'.",
                """
                Use one of default, twitter, leaf, shardingsphere, baidu, discord, javascript-safe, for example:

                snowflake.layout: default""");
    }

    @Test
    void impossibleLayout() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.bits.sequence=22", "snowflake.bits.worker=8"),
                "Invalid layout: widths must add up to at most 64 bits, but add up to 76 (41 timestamp + 5 datacenter +"
                        + " 8 worker + 22 sequence = 76 bits, 4194304000 ids/s per worker, end 2094-09-07T15:47:35.552Z).",
                """
                Change 'snowflake.epoch', 'snowflake.tick' or 'snowflake.bits'. Those of layout 'default' are:

                snowflake.bits.worker: 5
                snowflake.bits.sequence: 12""");
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
                "Invalid layout: tick must be a whole number of milliseconds from 1 ms to 1 h, but was PT0.0001S; epoch must"
                        + " be a whole number of milliseconds, but was 2024-01-01T00:00:00.000001Z.",
                """
                Change 'snowflake.epoch', 'snowflake.tick' or 'snowflake.bits'. Those of layout 'baidu' are:

                snowflake.epoch: 2016-05-19T16:00:00Z
                snowflake.tick: 1000ms
                snowflake.bits.timestamp: 28
                snowflake.bits.datacenter: 0""");
    }

    @Test
    void workerIdOutOfRange() {
        for (int id : new int[] {32, -1}) {
            assertThatFailure(
                    runner.withPropertyValues("snowflake.worker.id=" + id),
                    "Property 'snowflake.worker.id' must be in [0, 31] (5 worker bits), but was " + id + ".",
                    """
                    Set a worker id from 0 to 31, a different one for each process that runs at the same time:

                    snowflake.worker.id: 0""");
        }
    }

    @Test
    void datacenterIdOutOfRange() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.datacenter.id=1", "snowflake.layout=leaf"),
                "Property 'snowflake.datacenter.id' must be in [0, 0] (0 datacenter bits), but was 1.",
                """
                Set a datacenter id in that range:

                snowflake.datacenter.id: 0""");
        assertThatFailure(
                runner.withPropertyValues("snowflake.datacenter.id=-1", "snowflake.worker.id="),
                "Property 'snowflake.datacenter.id' must be in [0, 31] (5 datacenter bits), but was -1.",
                """
                Set a datacenter id in that range:

                snowflake.datacenter.id: 0""");
    }

    @Test
    void fixedStrategyWithoutWorkerId() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.id=", "snowflake.worker.strategy=fixed"),
                "Property 'snowflake.worker.strategy' is 'fixed', but 'snowflake.worker.id' is not set.",
                """
                Set a worker id from 0 to 31, a different one for each process that runs at the same time:

                snowflake.worker.id: 0""");
    }

    @Test
    void hostStrategyWithWorkerId() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.strategy=host"),
                "Property 'snowflake.worker.id' is 7, but without effect: 'snowflake.worker.strategy' is 'host'.",
                """
                Remove 'snowflake.worker.id', or use it:

                snowflake.worker.strategy: fixed""");
    }

    @Test
    void jdbcStrategyWithWorkerId() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.strategy=jdbc"),
                "Property 'snowflake.worker.id' is 7, but without effect: 'snowflake.worker.strategy' is 'jdbc'.",
                """
                Remove 'snowflake.worker.id', or use it:

                snowflake.worker.strategy: fixed""");
    }

    @Test
    void jdbcStrategyWithoutDataSource() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.worker.id=", "snowflake.worker.strategy=jdbc"),
                "Property 'snowflake.worker.strategy' is 'jdbc', but there is neither a DataSource nor a url of a database.",
                """
                Add the driver of your database, and set where it is:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop

                or do without a lease: remove 'snowflake.worker.strategy'. Set a worker id from 0 to 31, a different one for each process that runs at the same time:

                snowflake.worker.id: 0""");
    }

    @Test
    void nothingToGuessAWorkerIdFrom() {
        SnowflakeProperties properties =
                Binder.get(new MockEnvironment()).bindOrCreate("snowflake", SnowflakeProperties.class);
        WorkerIdAssigner host = new ConfiguredWorker(properties, layout -> {
            throw new WorkerIdUnavailableException("No usable host name to derive a worker id from (found: none)");
        });

        assertThatThrownBy(() -> host.assign(IdLayout.LEAF))
                .satisfies(failure -> assertThatFailure(
                        failure, "No usable host name to derive a worker id from (found: none).", """
                        Set a worker id from 0 to 1023, a different one for each process that runs at the same time:

                        snowflake.worker.id: 0"""));
    }

    @Test
    void unusableWorkerIdAssignerOfTheApplication() {
        String action = """
                Change the bean, or remove it. Set a worker id from 0 to 31, a different one for each process that runs at the same time:

                snowflake.worker.id: 0""";
        assertThatFailure(
                runner.withBean(WorkerIdAssigner.class, () -> layout -> new WorkerId(0, 32, "test")),
                "The WorkerIdAssigner bean gives no usable worker id: workerId must be in [0, 31] (5 worker bits), but was 32.",
                action);
        assertThatFailure(
                runner.withBean(WorkerIdAssigner.class, () -> layout -> {
                    throw new WorkerIdUnavailableException("Nothing left");
                }),
                "The WorkerIdAssigner bean gives no usable worker id: Nothing left.",
                action);
    }

    @Test
    void epochInTheFuture() {
        runner.withPropertyValues("snowflake.epoch=2999-01-01T00:00:00Z").run(context -> {
            FailureAnalysis analysis = analyze(context.getStartupFailure());

            assertThat(analysis.getDescription())
                    .isEqualTo("The epoch of the layout is in the future: 2999-01-01T00:00:00Z.");
            assertThat(analysis.getAction()).startsWith("""
                            Set an instant in the past, and never change it once ids are stored:

                            snowflake.epoch: 2025-01-01T00:00:00Z

                            If it is in the past, set the clock of this machine, which says 2""");
        });
    }

    @Test
    void endedLayout() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.layout=baidu"),
                "Timestamp field ended at 2024-11-20T13:24:16Z (layout 28+0+22+13 bits of 1 s from 2016-05-19T16:00:00Z"
                        + " (8192 ids/s per worker, ends 2024-11-20T13:24:16Z)); no id issued.",
                """
                Where no ids are stored yet, use a layout that has time left:

                snowflake.layout: default

                Where ids of the ended layout are stored, let its time start again at its end, with a worker id that was never used before; new ids do not repeat old ones then, but are smaller:

                snowflake.epoch: 2024-11-20T13:24:16Z
                snowflake.worker.id: 4194303""");
    }

    @Test
    void theAdviceForAnEndedLayoutWorks() {
        runner.withPropertyValues(
                        "snowflake.layout=baidu",
                        "snowflake.epoch: 2024-11-20T13:24:16Z",
                        "snowflake.worker.id: 4194303")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void negativeDurations() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.clock.max-drift=-5ms"),
                "Property 'snowflake.clock.max-drift' must not be negative, but was -5ms.",
                """
                Set a duration of zero or more:

                snowflake.clock.max-drift: 0ms""");
        assertThatFailure(
                runner.withPropertyValues("snowflake.clock.max-wait=-1s"),
                "Property 'snowflake.clock.max-wait' must not be negative, but was -1000ms.",
                """
                Set a duration of zero or more:

                snowflake.clock.max-wait: 1s""");
    }

    @Test
    void boundWithoutEffect() {
        assertThatFailure(
                runner.withPropertyValues("snowflake.sequence.bound=8"),
                "Property 'snowflake.sequence.bound' is 8, but without effect: 'snowflake.sequence.start' is 'zero'.",
                """
                Remove 'snowflake.sequence.bound', or use it:

                snowflake.sequence.start: rotating""");
    }

    @Test
    void boundOutOfRange() {
        for (int bound : new int[] {4097, 0}) {
            assertThatFailure(
                    runner.withPropertyValues("snowflake.sequence.start=random", "snowflake.sequence.bound=" + bound),
                    "Property 'snowflake.sequence.bound' must be in [1, 4096] (12 sequence bits), but was " + bound
                            + ".",
                    """
                    Set a number in that range, best the number of shards:

                    snowflake.sequence.bound: 64""");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowflake.epoch              | 2025-01-01 | an instant in UTC           | 2025-01-01T00:00:00Z
                    snowflake.tick               | soon       | a duration                  | 10ms
                    snowflake.clock.max-drift    | 1 second   | a duration                  | 10ms
                    snowflake.clock.max-wait     | x          | a duration                  | 10ms
                    snowflake.bits.sequence      | twelve     | a whole number              | 1
                    snowflake.worker.id          | 1.5        | a whole number              | 1
                    snowflake.datacenter.id      | eu         | a whole number              | 1
                    snowflake.sequence.bound     | many       | a whole number              | 1
                    snowflake.worker.strategy    | pid        | one of fixed, host, jdbc    | fixed
                    snowflake.worker.lease.ttl | long    | a duration                  | 10ms
                    snowflake.worker.jdbc.initialize-schema | yes | one of embedded, always, never | embedded
                    snowflake.worker.host.source | mac        | one of auto, name, address  | auto
                    snowflake.sequence.start     | one        | one of zero, random, rotating | zero
                    """)
    @ExtendWith(OutputCaptureExtension.class)
    void valueOfAnotherType(String property, String value, String type, String example, CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run("--" + property + "=" + value))
                .isNotNull();

        assertThat(output)
                .contains("Property '%s' must be %s, but was '%s' (\"%s\" from property source \"commandLineArgs\")."
                        .formatted(property, type, value, property))
                .contains("Set %s, for example:\n\n%s: %s\n".formatted(type, property, example));
    }

    @Test
    void leavesPropertiesOfOthersToSpringBoot() {
        BindException ofAnother = catchThrowableOfType(
                BindException.class,
                () -> Binder.get(new MockEnvironment().withProperty("server.port", "x"))
                        .bind("server.port", Integer.class));

        assertThat(new PropertyFailureAnalyzer().analyze(ofAnother)).isNull();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void isWhatAnApplicationPrints(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run("--snowflake.worker.id=77"))
                .isNotNull();

        assertThat(output).contains("""
                        ***************************
                        APPLICATION FAILED TO START
                        ***************************

                        Description:

                        Property 'snowflake.worker.id' must be in [0, 31] (5 worker bits), but was 77.

                        Action:

                        Set a worker id from 0 to 31, a different one for each process that runs at the same time:

                        snowflake.worker.id: 0
                        """);
    }

    private static void assertThatFailure(ApplicationContextRunner runner, String description, String action) {
        runner.run(context -> assertThatFailure(context.getStartupFailure(), description, action));
    }

    private static void assertThatFailure(Throwable failure, String description, String action) {
        FailureAnalysis analysis = analyze(failure);
        assertThat(analysis.getDescription()).isEqualTo(description);
        assertThat(analysis.getAction()).isEqualTo(action);
    }

    private static FailureAnalysis analyze(Throwable failure) {
        FailureAnalysis analysis = new StartupFailureAnalyzer().analyze(failure);
        assertThat(analysis).as("analysis of %s", failure).isNotNull();
        return analysis;
    }

    @ImportAutoConfiguration(SnowflakeAutoConfiguration.class)
    static class Application {}
}
