package io.github.snowflakeid.autoconfigure;

import static io.github.snowflakeid.autoconfigure.ActionAssertions.assertThatFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.ManagedIdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.json.JsonProperties;
import io.github.snowflakeid.internal.log.LogLines;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.publicid.text.SnowflakePublicIdAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Rejection of properties that would otherwise have no effect. */
class PropertyCheckTests {

    private static final String ORDERS = "snowflake.generators.orders.";

    private final ApplicationContextRunner guessed = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class));

    private final ApplicationContextRunner leased = guessed.withConfiguration(
                    AutoConfigurations.of(DataSourceAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    private final ApplicationContextRunner fixed = guessed.withPropertyValues("snowflake.worker.id=7");

    private static ApplicationContextRunner withVariable(ApplicationContextRunner runner, String name, String value) {
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
    }

    private static String description(ApplicationContextRunner runner) {
        String[] description = new String[1];
        runner.run(context -> description[0] =
                ActionAssertions.analysis(context.getStartupFailure()).getDescription());
        return description[0];
    }

    // Unknown names

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowflake.worker.leese.ttl      | 90s    | snowflake.worker.lease.ttl
                    snowflake.worker.lease-ttl      | 90s    | snowflake.worker.lease.ttl
                    snowflake.worker.ttl            | 90s    | snowflake.worker.lease.ttl
                    snowflake.worker.jdbc.namespace | mine   | snowflake.worker.lease.namespace
                    snowflake.worker.namespace      | mine   | snowflake.worker.lease.namespace
                    snowflake.worker.jdbc.tabel-name | mine  | snowflake.worker.jdbc.table-name
                    snowflake.worker-id             | 3      | snowflake.worker.id
                    snowflake.workerId              | 3      | snowflake.worker.id
                    snowflake.datacenter-id         | 3      | snowflake.datacenter.id
                    snowflake.clock.maxWiat         | 2s     | snowflake.clock.max-wait
                    Snowflake.Worker.Hosts.Source   | name   | snowflake.worker.host.source
                    snowflake.json.id-as-strings    | true   | snowflake.json.ids-as-strings
                    snowflake.layut                 | leaf   | snowflake.layout
                    snowflake.lay-uot               | leaf   | snowflake.layout
                    snowflake.laoyt                 | leaf   | snowflake.layout
                    snowflake.epohc                 | 2020-01-01T00:00:00Z | snowflake.epoch
                    snowflake.ticks                 | 10ms   | snowflake.tick
                    snowflake.bist.worker           | 5      | snowflake.bits.worker
                    snowflake.generators.orders.worker.leese.ttl | 90s | snowflake.generators.orders.worker.lease.ttl
                    snowflake.generators.orders.tik | 10ms   | snowflake.generators.orders.tick
                    snowflake.generators.orders.json.ids-as-strings | true | snowflake.json.ids-as-strings
                    snowflake.generators.orders.numbers.receipt.format | R{0} | snowflake.numbers.receipt.format
                    """)
    void rejectsMisspelledNames(String property, String value, String meant) {
        assertThatFailure(
                leased.withPropertyValues(property + "=" + value),
                "Property '%s' is unknown (\"%s\" from property source \"test\"). Did you mean '%s'?"
                        .formatted(property, property, meant),
                "Rename '%s' to '%s'.".formatted(property, meant));
    }

    @Test
    void rejectsANameThatIsCloseToNone() {
        assertThatFailure(
                fixed.withPropertyValues("snowflake.clock.zone=UTC"),
                "Property 'snowflake.clock.zone' is unknown (\"snowflake.clock.zone\" from property source \"test\").",
                "Remove 'snowflake.clock.zone', or use a name of the documentation.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snowflake.worker.jdbc.pasword",
                "snowflake.segment.jdbc.url",
                "snowflake.public-ids.secret",
                "snowflake.public-ids.key"
            })
    void doesNotPrintSecrets(String property) {
        fixed.withPropertyValues(property + "=tiger")
                .run(context -> assertThat(ActionAssertions.analysis(context.getStartupFailure()))
                        .satisfies(analysis -> assertThat(analysis.getDescription() + analysis.getAction())
                                .doesNotContain("tiger")));
    }

    @Test
    void acceptsKnownNamesInAnySpellingAndBlankValues() {
        leased.withPropertyValues(
                        "snowflake.worker.lease.acquireTimeout=60s",
                        "snowflake.worker.lease.max_clock_skew=1s",
                        "snowflake.Clock.MAX-WAIT=2s",
                        "snowflake.worker.id=",
                        "snowflake.worker.strategy=",
                        "snowflake.worker.file.directory=${DIRECTORY:}",
                        "snowflake.segment.name=",
                        "snowflake.datacenter=",
                        "snowflake.worker.leese.ttl=")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void warnsOnceOfNamesThatMayBelongToOthers(CapturedOutput output) {
        withVariable(fixed, "SNOWFLAKE_USER", "acme")
                .withPropertyValues("snowflake.account=acme", "snowflake.jdbc.url=x", "snowflake.tipe=segment")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(LogLines.ofThisThread(output).stream().filter(line -> line.contains("WARN")))
                .singleElement()
                .asString()
                .contains(
                        "Properties without effect on ID generators: 'snowflake.account' (\"snowflake.account\" from property source \"test\"), "
                                + "'snowflake.jdbc.url' (",
                        "'snowflake.tipe' (\"snowflake.tipe\" from property source \"test\"; did you mean 'snowflake.type'?)");
    }

    // Environment variables

    @ParameterizedTest
    @CsvSource({
        "SNOWFLAKE_WORKER_LEESE_TTL, 90s, SNOWFLAKE_WORKER_LEASE_TTL",
        "SNOWFLAKE_WORKERID, 3, SNOWFLAKE_WORKER_ID",
        "SNOWFLAKE_LAYOTU, leaf, SNOWFLAKE_LAYOUT",
        "SNOWFLAKE_BIT_WORKER, 5, SNOWFLAKE_BITS_WORKER",
        "SNOWFLAKE_GENERATORS_ORDERS_TIK, 10ms, SNOWFLAKE_GENERATORS_ORDERS_TICK"
    })
    void rejectsMisspelledVariables(String variable, String value, String meant) {
        assertThat(description(withVariable(leased, variable, value)))
                .isEqualTo(
                        "Property '%s' is unknown (\"%1$s\" from property source \"test-systemEnvironment\"). Did you mean '%s'?"
                                .formatted(variable, meant));
    }

    @Test
    void rejectsAVariableThatSplitsTheNameOfAGenerator() {
        assertThat(description(withVariable(leased, "SNOWFLAKE_GENERATORS_ORDER_LINES_WORKER_ID", "3")))
                .startsWith(
                        "Property 'SNOWFLAKE_GENERATORS_ORDER_LINES_WORKER_ID' is unknown"
                                + " (\"SNOWFLAKE_GENERATORS_ORDER_LINES_WORKER_ID\" from property source \"test-systemEnvironment\").");
    }

    @Test
    void acceptsVariablesThatAreOursOrBelongToOthers() {
        ApplicationContextRunner runner = leased;
        for (String variable : new String[] {
            "SNOWFLAKE_HOME",
            "SNOWFLAKE_WORKER_POOL_SIZE",
            "SNOWFLAKE_WORKER_JDBC_TABLE_NAME",
            "SNOWFLAKE_PUBLIC_IDS_FORMAT"
        }) {
            runner = withVariable(runner, variable, variable.endsWith("FORMAT") ? "checked" : "mine");
        }
        runner.run(context -> assertThat(context).hasNotFailed());
    }

    // Values in the wrong shape

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowflake.layout[0]                | leaf | snowflake.layout
                    snowflake.layout.name              | leaf | snowflake.layout
                    snowflake.worker.id[0]             | 3    | snowflake.worker.id
                    snowflake.worker.id.value          | 3    | snowflake.worker.id
                    snowflake.worker.lease.ttl[1]      | 90s  | snowflake.worker.lease.ttl
                    snowflake.worker.jdbc.table-name.a | ids  | snowflake.worker.jdbc.table-name
                    snowflake.generators.orders.worker.id[0] | 3 | snowflake.generators.orders.worker.id
                    """)
    void rejectsAListOrAGroupInPlaceOfAValue(String property, String value, String meant) {
        assertThatFailure(
                leased.withPropertyValues(property + "=" + value),
                "Property '%s' is unknown (\"%1$s\" from property source \"test\"). Did you mean '%s'?"
                        .formatted(property, meant),
                "Rename '%s' to '%s'.".formatted(property, meant));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snowflake.worker.lease",
                "snowflake.worker.jdbc",
                "snowflake.bits",
                "snowflake",
                "snowflake.numbers",
                "snowflake.generators.orders.worker.jdbc"
            })
    void rejectsAValueInPlaceOfAGroup(String property) {
        assertThat(description(leased.withPropertyValues(property + "=3")))
                .startsWith("Property '%s' is unknown (\"%1$s\" from property source \"test\").".formatted(property));
    }

    @ParameterizedTest
    @CsvSource({
        "snowflake.worker.lease[0].ttl, snowflake.worker.lease.ttl",
        "snowflake.generators.orders.worker[1].id, snowflake.generators.orders.worker.id",
        "snowflake.worker.etcd.endpoints.first, snowflake.worker.etcd.endpoints[0]",
        "snowflake.public-ids.keys.name, snowflake.public-ids.keys[0].name",
        "snowflake.publicIds.key[0].name, snowflake.public-ids.keys[0].name"
    })
    void rejectsAListInPlaceOfAGroupAndAGroupInPlaceOfAList(String property, String meant) {
        assertThatFailure(
                leased.withConfiguration(AutoConfigurations.of(SnowflakePublicIdAutoConfiguration.class))
                        .withPropertyValues(property + "=tiger"),
                "Property '%s' is unknown (\"%1$s\" from property source \"test\"). Did you mean '%s'?"
                        .formatted(property, meant),
                "Rename '%s' to '%s'.".formatted(property, meant));
    }

    @Test
    void rejectsAListInPlaceOfAGroup() {
        assertThat(description(leased.withPropertyValues("snowflake.worker[0]=3")))
                .isEqualTo(
                        "Property 'snowflake.worker[0]' is unknown (\"snowflake.worker[0]\" from property source \"test\").");
    }

    /** YAML reads no, off, yes and on as Booleans. */
    @Test
    void rejectsABooleanInPlaceOfAText() {
        assertThatFailure(
                leased.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "yaml", Map.of("snowflake.worker.lease.namespace", Boolean.FALSE)))),
                "Property 'snowflake.worker.lease.namespace' must be a value in quotes, because YAML otherwise reads another one, but was 'false' (\"snowflake.worker.lease.namespace\" from property source \"yaml\").",
                "Set a value in quotes, because YAML otherwise reads another one.");
    }

    @ParameterizedTest
    @CsvSource({
        "snowflake.genarators.orders.worker.id, snowflake.generators.orders.worker.id",
        "snowflake.nubmers.receipt.format, snowflake.numbers.receipt.format"
    })
    @ExtendWith(OutputCaptureExtension.class)
    void hintsAtMisspelledGroups(String property, String meant, CapturedOutput output) {
        fixed.withPropertyValues(property + "=3")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output)
                .contains(
                        "'%s' (\"%1$s\" from property source \"test\"; did you mean '%s'?)".formatted(property, meant));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "sometimes"})
    void initializeSchemaIsNotABoolean(String value) {
        assertThatFailure(
                leased.withPropertyValues("snowflake.worker.jdbc.initialize-schema=" + value),
                "Property 'snowflake.worker.jdbc.initialize-schema' must be one of embedded, always, never, but was '%s' (\"snowflake.worker.jdbc.initialize-schema\" from property source \"test\")."
                        .formatted(value),
                "Set one of embedded, always, never.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowflake.clock.max-wait=2d       | Property 'snowflake.clock.max-wait' must be from 0ms to 1d, but was 172800000ms.
                    snowflake.worker.lease.namespace= | Property 'snowflake.worker.lease.namespace' must have 1 to 100 characters, but was ''.
                    """)
    void rangesNameThePropertyItself(String property, String description) {
        assertThat(description(leased.withPropertyValues(property))).isEqualTo(description);
    }

    /** YAML reads a number that begins with 0 as an octal number. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void namesThePlaceOfANumberThatYamlHasChanged(CapturedOutput output, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("application.yml"), "snowflake:\n  worker:\n    id: 0123\n");

        assertThatThrownBy(() -> new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run("--spring.config.location=" + file.toUri()))
                .isNotNull();

        assertThat(output)
                .contains(
                        "Property 'snowflake.worker.id' must be a value in quotes, because YAML otherwise reads another one, but was '83' (")
                .contains("application.yml] - 3:9).");
    }

    @ImportAutoConfiguration({SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class})
    static class Application {}

    // No effect

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowflake.worker.file.directory           | /tmp/x    | file
                    snowflake.worker.zookeeper.connect-string | zk:2181   | zookeeper
                    snowflake.worker.redis.key-prefix         | x         | redis
                    snowflake.worker.etcd.prefix              | x         | etcd
                    snowflake.worker.consul.token             | x         | consul
                    snowflake.worker.kubernetes.namespace     | x         | kubernetes
                    """)
    void rejectsPropertiesOfStoresWithoutAStore(String property, String value, String strategy) {
        String description = "Property '%s' has no effect: 'snowflake.worker.strategy' is not '%s'.";
        ApplicationContextRunner withoutRedis =
                guessed.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class));
        withoutRedis
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThatFailure(
                        context.getStartupFailure(),
                        description.formatted(property, strategy),
                        "Remove '%s', or set:\n\nsnowflake.worker.strategy: %s".formatted(property, strategy)));
        String variable = property.toUpperCase(Locale.ROOT).replace('.', '_').replace("-", "");
        assertThat(description(withVariable(withoutRedis, variable, value)))
                .isEqualTo(description.formatted(variable, strategy));
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowflake.worker.lease.namespace", "snowflake.worker.jdbc.table-name"})
    void rejectsPropertiesOfLeasesWithoutADatabase(String property) {
        assertThatFailure(
                guessed.withPropertyValues(property + "=shop"),
                "There are properties of '%s', but there is neither a DataSource nor a URL of a database."
                        .formatted(property.substring(0, property.lastIndexOf('.'))),
                """
                Add the driver of your database, and set its URL:

                snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
        guessed.withPropertyValues("snowflake.worker.jdbc.url=")
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Returns the variables that Kubernetes sets in every container for a service. */
    private static Map<String, Object> variables(String service) {
        String prefix = service.toUpperCase(Locale.ROOT).replace('-', '_');
        Map<String, Object> variables = new LinkedHashMap<>();
        variables.put(prefix + "_SERVICE_HOST", "10.0.0.1");
        variables.put(prefix + "_SERVICE_PORT", "80");
        variables.put(prefix + "_PORT", "tcp://10.0.0.1:80");
        for (String port : List.of("HTTP", "GRPC_WEB", "HTTP_80", "8080_HTTP", "ID", "KEYS")) {
            variables.put(prefix + "_SERVICE_PORT_" + port, "80");
        }
        for (String protocol : List.of("TCP", "UDP", "SCTP")) {
            String port = prefix + "_PORT_80_" + protocol;
            variables.put(port, "tcp://10.0.0.1:80");
            variables.put(port + "_PROTO", "tcp");
            variables.put(port + "_PORT", "80");
            variables.put(port + "_ADDR", "10.0.0.1");
        }
        return variables;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snowflake",
                "snowflake-worker",
                "snowflake-worker-id",
                "snowflake-worker-lease",
                "snowflake-worker-file",
                "snowflake-worker-redis",
                "snowflake-worker-jdbc",
                "snowflake-segment",
                "snowflake-layout",
                "snowflake-epoch",
                "snowflake-bits",
                "snowflake-public-ids",
                "snowflake-public-ids-keys",
                "snowflake-generators",
                "snowflake-generators-orders",
                "snowflake-id-service",
                "snowflake-1"
            })
    @ExtendWith(OutputCaptureExtension.class)
    void ignoresVariablesOfServices(String service, CapturedOutput output) {
        for (ApplicationContextRunner runner : List.of(fixed, guessed, leased)) {
            runner.withInitializer(context -> context.getEnvironment()
                            .getPropertySources()
                            .addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables(service))))
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ManagedIdGenerator.class));
        }

        assertThat(LogLines.ofThisThread(output).stream()
                        .filter(line -> line.contains("WARN") && !line.contains("derived from this host")))
                .isEmpty();
    }

    @Test
    void rejectsPropertiesOfOtherStoresNextToADataSource() {
        assertThat(description(leased.withPropertyValues(ORDERS + "worker.file.directory=/tmp/x")))
                .isEqualTo("Property 'snowflake.generators.orders.worker.file.directory' has no effect:"
                        + " 'snowflake.generators.orders.worker.strategy' is not 'file'.");
    }

    @Test
    void acceptsPropertiesOfStoresThatAreNotUsedByIntention() {
        leased.withPropertyValues(
                        "snowflake.worker.strategy=jdbc",
                        "snowflake.worker.redis.key-prefix=x",
                        ORDERS + "worker.strategy=fixed",
                        ORDERS + "worker.id=3",
                        ORDERS + "worker.lease.ttl=30s")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void rejectsVariablesOfSegmentsForSnowflakes() {
        assertThat(description(withVariable(fixed, "SNOWFLAKE_SEGMENT_MAX_VALUE", "99")))
                .isEqualTo("Property 'SNOWFLAKE_SEGMENT_MAX_VALUE' has no effect: 'snowflake.type' is not 'segment'.");
    }

    // Others

    @Test
    void rejectsAValueOfTheWholeApplicationThatIsNotOfItsType() {
        assertThatFailure(
                fixed.withUserConfiguration(Json.class).withPropertyValues("snowflake.json.ids-as-strings=maybe"),
                "Property 'snowflake.json.ids-as-strings' must be true or false, but was 'maybe' (\"snowflake.json.ids-as-strings\" from"
                        + " property source \"test\").",
                "Set true or false.");
    }

    @EnableConfigurationProperties(JsonProperties.class)
    static class Json {}

    @Test
    void checksAnApplicationThatDefinesItsGenerator() {
        fixed.withBean(
                        SnowflakeIdGenerator.class,
                        () -> SnowflakeIdGenerator.builder().build())
                .withPropertyValues("snowflake.worker.leese.ttl=1s")
                .run(context -> assertThat(context).hasFailed());
    }
}
