package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.numbers.SnowflakeNumbersAutoConfiguration;
import io.github.snowflakeid.publicid.text.SnowflakePublicIdAutoConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Messages about YAML files, with the place of the value in the file. */
class WrongConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class,
                    SnowflakePublicIdAutoConfiguration.class,
                    SnowflakeNumbersAutoConfiguration.class,
                    DataSourceAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    private @Nullable ConfigurableEnvironment environment;

    private ApplicationContextRunner with(String yaml) {
        return runner.withInitializer(context -> {
            environment = context.getEnvironment();
            ByteArrayResource file = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "a.yml");
            try {
                new YamlPropertySourceLoader().load("a.yml", file).forEach(environment.getPropertySources()::addFirst);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private FailureAnalysis failureOf(ApplicationContextRunner started) {
        FailureAnalysis[] analysis = new FailureAnalysis[1];
        started.run(context -> analysis[0] = ActionAssertions.analysis(context.getStartupFailure(), environment));
        return analysis[0];
    }

    /**
     * Asserts the description of the failure, in which {@code @} stands for the place that the YAML marks by {@code ^}.
     */
    private void assertThatStartFails(String marked, String description) {
        String yaml = "snowflake: {" + marked + "}";
        String place = "(Byte array resource [a.yml] - 1:" + (yaml.indexOf('^') + 1) + ")";
        assertThat(failureOf(with(yaml.replace("^", ""))).getDescription()).isEqualTo(description.replace("@", place));
    }

    private void assertThatTheActionWorks(String marked) {
        ApplicationContextRunner wrong = with("snowflake: {" + marked.replace("^", "") + "}");
        ActionAssertions.assertThatItWorks(wrong, failureOf(wrong).getAction());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    format: 'I{0}', prefetch: ^0                   | Property '*.prefetch' must be from 1 to 100000, but was 0 @.
                    format: 'I{0}', prefetch: ^many                | Property '*.prefetch' must be a whole number, but was 'many' @.
                    format: 'I{0}', prefetch: ^5, gapless: true    | Property '*.prefetch' must be 1 for a gapless series, but was 5 @.
                    format: ^'I{YYYY}'                             | Invalid '*.format' @: format 'I{YYYY}' must have at most 100 characters, one number such as {00000}, and no other fields than {yyyy}, {yy}, {MM}, {dd} and {tenant}.
                    gapless: true                                  | Invalid '*.format': format '' must have at most 100 characters, one number such as {00000}, and no other fields than {yyyy}, {yy}, {MM}, {dd} and {tenant}.
                    format: '{yyyy}{0}'                            | Property '*.zone' must be a time zone, because the format has a date, but was not set.
                    format: '{yyyy}{0}', zone: ^Europe/Berln       | Property '*.zone' must be a time zone, such as Europe/Berlin, but was 'Europe/Berln' @.
                    format: 'I{0}', data-source: ^other            | Invalid '*.data-source' @: No bean named 'other' available.
                    format: 'I{0}', table-name: ^a b               | Invalid '*.table-name' @: table must be a name of letters, digits, _, $ and -, optionally with a schema and a dot before it, but was 'a b'. Write any other name in double quotes.
                    format: 'I{0}', initialize-schema: ^true       | Property '*.initialize-schema' must be one of embedded, always, never, but was 'true' @.
                    """)
    void valuesOfDocumentNumbersAreChecked(String series, String description) {
        String yaml = "numbers: {invoice: {" + series + "}}";
        assertThatStartFails(yaml, description.replace("*", "snowflake.numbers.invoice"));
        assertThatTheActionWorks(yaml);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {format: 'I{0}', gapeless: ^true}                             | Property '*.gapeless' has no effect @.
                    {format: [^'I{0}']}                                           | Property '*.format[0]' has no effect @.
                    ^'I{0}'                                                       | Property '*' has no effect @.
                    {format: 'I{0}', continue-after: ^41}                         | Property '*.continue-after' must be a list of last numbers, each with a number, but was '41' @.
                    {format: 'I{0}', continue-after: {number: ^4}}                | Property '*.continue-after.number' has no effect @.
                    {format: 'I{0}', continue-after: [{number: 4, period: '', x: ^1}]} | Property '*.continue-after[0].x' has no effect @.
                    {format: 'I{0}', continue-after: [{tenant: ^a}]}              | Property '*.continue-after[0].number' must be at least 1, but was 0.
                    {format: 'I{0}', continue-after: [{period: ^2026, number: 4}]} | Invalid '*.continue-after[0].period' @: '2026' is not a period of format 'I{0}'.
                    """)
    void shapesOfDocumentNumbersAreChecked(String series, String description) {
        assertThatStartFails(
                "numbers: {invoice: " + series + "}", description.replace("*", "snowflake.numbers.invoice"));
    }

    @ParameterizedTest
    @CsvSource({"credit-note, .credit-note", "on, .true", "Invoice, .Invoice"})
    void namesOfSeriesAreChecked(String name, String property) {
        assertThatStartFails(
                "numbers: {" + name + ": {format: ^'I{0}'}}",
                "The name of series 'snowflake.numbers%s' must have 1 to 50 lower-case letters and digits, begin with a letter, and not be 'true' or 'false' @."
                        .formatted(property));
    }

    @ParameterizedTest
    @CsvSource({
        "order-lines, order-lines",
        "Orders, Orders",
        "order_lines, order_lines",
        "on, true",
        "default, default",
        "1, 1"
    })
    void namesOfGeneratorsAreChecked(String written, String name) {
        assertThatStartFails(
                "generators: {" + written + ": {worker: {id: ^3}}}",
                "The name of generator 'snowflake.generators.%s' must consist of lower-case letters and digits, begin with a letter, and not be 'default', 'true' or 'false', because it is part of the names of environment variables @."
                        .formatted(name));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    public-ids: {keys: [{name: ^a, secret: c2VjcmV0}]}              | Invalid 'snowflake.public-ids.keys[0]' @: key 'a' must have 32 bytes (44 characters of Base64), but has 6 bytes. Generate a key with 'openssl rand -base64 32'.
                    public-ids: {keys: [{name: ^a, secret: '${KEY}'}]}              | Invalid 'snowflake.public-ids.keys[0]' @: a secret refers to 'KEY', which is not set.
                    public-ids: {keys: {name: ^a}}                                  | Property 'snowflake.public-ids.keys.name' is unknown @. Did you mean 'snowflake.public-ids.keys[0].name'?
                    generators: {inv: {type: segment, segment: {jdbc: {data-sources: [^other]}}}} | Property 'snowflake.generators.inv.segment.jdbc.data-sources' names 'other', which is not a DataSource bean @. The beans are 'dataSource'.
                    generators: {inv: {type: segment, segment: {store: ^off}}}      | Property 'snowflake.generators.inv.segment.store' must be one of jdbc, redis, but was 'false' @.
                    layout: {bits: {worker: ^5}}                                    | Property 'snowflake.layout.bits.worker' is unknown @. Did you mean 'snowflake.bits.worker'?
                    layout: ^no                                                     | Property 'snowflake.layout' names an unknown layout @: 'false'.
                    bits: {worker: ^60}                                             | Invalid layout: 'snowflake.bits.worker' must be in [0, 31], but was 60 @.
                    worker: {strategy: ^off}                                        | Property 'snowflake.worker.strategy' must be one of fixed, host, jdbc, redis, zookeeper, etcd, consul, kubernetes, file, but was 'false' @.
                    worker: {lease: {namespace: ^0123}}                             | Property 'snowflake.worker.lease.namespace' must be a value in quotes, because YAML otherwise reads another one, but was '83' @.
                    worker: {lease: {namespace: ^1e3}}                              | Property 'snowflake.worker.lease.namespace' must be a value in quotes, because YAML otherwise reads another one, but was '1000.0' @.
                    worker: {lease: {namespace: ^no}}                               | Property 'snowflake.worker.lease.namespace' must be a value in quotes, because YAML otherwise reads another one, but was 'false' @.
                    worker: {id: ^010}                                              | Property 'snowflake.worker.id' must be a value in quotes, because YAML otherwise reads another one, but was '8' @.
                    worker: {strategy: fixed, id: ^010}                             | Property 'snowflake.worker.id' must be a value in quotes, because YAML otherwise reads another one, but was '8' @.
                    datacenter: {id: ^010}                                          | Property 'snowflake.datacenter.id' must be a value in quotes, because YAML otherwise reads another one, but was '8' @.
                    generators: {orders2: {worker: {id: ^999}}}                     | Property 'snowflake.generators.orders2.worker.id' must be in [0, 31] (5 worker bits), but was 999 @.
                    clock: {max-wait: ^2d}, generators: {orders: {worker: {id: 1}}} | Property 'snowflake.clock.max-wait' must be from 0ms to 1d, but was 172800000ms @.
                    """)
    void messagesHaveTheNameTheValueAndThePlace(String yaml, String description) {
        assertThatStartFails(yaml, description);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "worker: {lease: {namespace: 123}}",
                "worker: {id: 0}",
                "worker: {id: 007}",
                "worker: {lease: {namespace: &a 123}}",
                "generators: {'on': {}}"
            })
    void numbersAndQuotedNamesAreAccepted(String yaml) {
        with("snowflake: {" + yaml + "}").run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void inheritedPropertiesHaveThePlaceWhereTheyAreSet() {
        FailureAnalysis analysis = failureOf(with("snowflake:\n  sequence:\n    start-bound: 5\n  generators.orders:")
                .withPropertyValues("snowflake.worker.id=1", "snowflake.generators.orders.worker.id=2"));
        assertThat(analysis.getDescription())
                .contains("snowflake.generators.orders.sequence.start-bound' is 5 (", "- 3:18)");
    }

    @Test
    void variablesAreNamed() {
        FailureAnalysis analysis = failureOf(with("a: b")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                Map.of(
                                        "SNOWFLAKE_NUMBERS_INVOICE_FORMAT", "I{0}",
                                        "SNOWFLAKE_NUMBERS_INVOICE_PREFETCH", "0")))));

        assertThat(analysis.getDescription())
                .isEqualTo(
                        "Property 'snowflake.numbers.invoice.prefetch' must be from 1 to 100000, but was 0 (\"SNOWFLAKE_NUMBERS_INVOICE_PREFETCH\" from property source \"test-systemEnvironment\").");
    }

    /** Only the lookup of a property by its name knows this form, which was the usual one before Spring Boot 2. */
    @Test
    void variablesWithAnUnderscoreForEachDashAreNamed() {
        FailureAnalysis analysis = failureOf(with("snowflake.worker.lease.max-clock-skew: 10s")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment", Map.of("SNOWFLAKE_WORKER_LEASE_MAX_CLOCK_SKEW", "5d")))));

        assertThat(analysis.getDescription())
                .endsWith(
                        "(\"SNOWFLAKE_WORKER_LEASE_MAX_CLOCK_SKEW\" from property source \"test-systemEnvironment\").");
    }

    @Test
    void anotherEnvironmentIsIgnored() {
        with("snowflake.generators.orders.worker.id: 3")
                .withBean("other", StandardEnvironment.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** The variable is set where the application runs. */
    @Test
    void unsetPlaceholdersAreAcceptedWhenTheApplicationIsBuilt() {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            System.setProperty(AbstractAotProcessor.AOT_PROCESSING, "true");
            new YamlPropertySourceLoader()
                    .load(
                            "a.yml",
                            new ByteArrayResource(
                                    "snowflake.numbers.invoice: {format: '${INVOICES}', table-name: '${NUMBERS}'}"
                                            .getBytes(StandardCharsets.UTF_8)))
                    .forEach(context.getEnvironment().getPropertySources()::addFirst);
            new AnnotatedBeanDefinitionReader(context, context.getEnvironment())
                    .register(SnowflakeNumbersAutoConfiguration.class);
            assertThatCode(() -> context.refreshForAotProcessing(new RuntimeHints()))
                    .doesNotThrowAnyException();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
        }
    }
}
