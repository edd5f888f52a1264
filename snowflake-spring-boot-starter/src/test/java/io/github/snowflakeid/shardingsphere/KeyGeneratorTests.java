package io.github.snowflakeid.shardingsphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.jdbc.ConnectionSettings;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A key generator as ShardingSphere makes and asks it. */
class KeyGeneratorTests {

    private static final AlgorithmSQLContext COLUMN = new AlgorithmSQLContext("logic_db", "public", "orders", "id");

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SnowflakeAutoConfiguration.class, SnowflakeShardingSphereAutoConfiguration.class))
            .withPropertyValues("snowflake.worker.id=7");

    @Test
    void shardingSphereFindsItByItsTypeInBothPackages() {
        assertThat(ServiceLoader.load(org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm.class))
                .singleElement()
                .satisfies(found -> assertThat(found.getType()).isEqualTo("SNOWFLAKEID"))
                .satisfies(found -> assertThat(found.isSupportAutoIncrement()).isTrue());
        assertThat(ServiceLoader.load(org.apache.shardingsphere.infra.algorithm.keygen.spi.KeyGenerateAlgorithm.class))
                .singleElement()
                .satisfies(found -> assertThat(found.getType()).isEqualTo("SNOWFLAKEID"))
                .satisfies(found -> found.init(properties("worker-id", "30")))
                .satisfies(found ->
                        assertThat(found.generateKeys(COLUMN, 3)).hasSize(3).doesNotHaveDuplicates());
    }

    @Test
    void hasTheIdsOfTheApplication() {
        application.run(context -> {
            KeyGenerator keys = keys();
            long before = context.getBean(IdGenerator.class).nextId();

            assertThat(List.copyOf(keys.generateKeys(COLUMN, 2)))
                    .hasSize(2)
                    .isSorted()
                    .allSatisfy(id -> assertThat(id).isGreaterThan(before));
        });
    }

    @Test
    void hasTheIdsOfAGeneratorWithAName() {
        application
                .withPropertyValues("snowflake.generators.orders.worker.id=8")
                .run(context -> assertThat(worker(keys("generator", "orders"))).isEqualTo(8));
    }

    @Test
    void ofSeveralContextsItTakesTheOneThatWasStartedLastUntilThatIsClosed() {
        application.run(first -> {
            KeyGenerator ofFirst = keys();
            KeyGenerator[] ofSecond = new KeyGenerator[1];
            application.withPropertyValues("snowflake.worker.id=9").run(second -> {
                ofSecond[0] = keys();
                assertThat(worker(ofFirst)).isEqualTo(7);
                assertThat(worker(ofSecond[0])).isEqualTo(9);
            });
            assertThat(worker(ofSecond[0])).isEqualTo(7);
        });
    }

    @Test
    void aNameThatNoGeneratorHasIsRefusedAtOnce() {
        application
                .withPropertyValues("snowflake.generators.orders.worker.id=8")
                .run(context -> assertRefused(
                        "Attribute of key generator 'SNOWFLAKEID' is to get ids of generator 'ordres', but there is none; there are: 'default', 'orders'",
                        """
                        Use one of these names, or define the generator:

                        snowflake.generators.ordres.layout: default""",
                        "generator",
                        "ordres"));
    }

    @Test
    void withoutSpringItNeedsAWorkerId() {
        assertRefused(
                "Key generator 'SNOWFLAKEID' has neither a 'worker-id' nor a 'url' to lease one at, and there is no Spring application context with a generator of Snowflake IDs",
                """
                Let it lease worker IDs in a database that all processes share, in the configuration of ShardingSphere:

                keyGenerators:
                  ids:
                    type: SNOWFLAKEID
                    props:
                      url: jdbc:postgresql://localhost/shop
                      username: shop
                      password: secret""");
    }

    @Test
    void hasTheWorkerIdThatIsSet() {
        KeyGenerator keys =
                keys("worker-id", "5", "datacenter-id", "3", "layout", "twitter", "sequence-start", "random");

        long id = keys.generateKeys(COLUMN, 1).iterator().next();

        assertThat(IdLayout.TWITTER.decode(id).workerId()).isEqualTo(5);
        assertThat(IdLayout.TWITTER.decode(id).datacenterId()).isEqualTo(3);
    }

    @Test
    void allWithTheSameSettingsShareOneGenerator() {
        String[] settings = {"url", "jdbc:h2:mem:keys", "username", "sa", "namespace", "orders"};

        IdGenerator ids = keys(settings).ids("orders.id");

        assertThat(keys(settings).ids("orders.id")).isSameAs(ids);
        assertThat(((SnowflakeIdGenerator) ids).lease()).isPresent();
    }

    @Tag("servers")
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void leasesOnAServer(Databases database) {
        String[] settings = {"url", database.url(), "table-name", "of_keys", "initialize-schema", "always"};

        SnowflakeIdGenerator ids = (SnowflakeIdGenerator) keys(settings).ids("orders.id");

        assertThat(ids.lease()).isPresent();
        assertThat(ids.nextId()).isPositive();
        ids.close();
    }

    @Test
    void aDatabaseWithoutTheTableIsReportedWithWhatCreatesIt() {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> keys("url", "jdbc:h2:mem:none", "initialize-schema", "never")
                        .ids("orders.id"));

        assertThat(refused)
                .hasMessageStartingWith(
                        "Key generator 'SNOWFLAKEID' of ShardingSphere: Table 'snowflake_worker' of worker ids cannot be read: ");
        assertThat(refused.action().orElseThrow())
                .startsWith("Create the table with Flyway, Liquibase or by hand:\n\nCREATE TABLE")
                .endsWith("or let it be created at startup, if the user of the database may do so:\n\n"
                        + "initialize-schema: always");
    }

    @Test
    void aTableWithoutItsKeyIsReportedWithWhatAddsTheKey() throws SQLException {
        String url = "jdbc:h2:mem:keyless;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(new JdbcWorkerRegistry(
                            new ConnectionSettings(url, null, null), JdbcWorkerRegistry.DEFAULT_TABLE, "default")
                    .createStatement());
            statement.execute("ALTER TABLE snowflake_worker DROP PRIMARY KEY");
        }

        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class, () -> keys("url", url).ids("orders.id"));

        assertThat(refused.action().orElseThrow())
                .startsWith("Let the owner of the table execute:")
                .doesNotContain("CREATE TABLE", "initialize-schema");
    }

    @Test
    void aDatabaseThatIsNotThereIsReportedByThePropertiesOfTheKeyGenerator() {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> keys("url", "jdbc:nothing:there").ids("orders.id"));

        assertThat(refused)
                .hasMessageStartingWith(
                        "Key generator 'SNOWFLAKEID' of ShardingSphere: The database at jdbc:nothing:there (url) cannot be reached: ");
    }

    @Test
    void refusesPropertiesThatHaveNoEffect() {
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property 'worker-ip' is unknown",
                "Correct or remove it. The properties are generator, url, worker-id, initialize-schema, namespace, password, table-name, username, datacenter-id, layout, sequence-bound, sequence-start.",
                "worker-ip",
                "1");
        assertNoEffect("'generator' has no effect beside 'url'", "generator", "orders", "url", "jdbc:h2:mem:keys");
        assertNoEffect("'worker-id' has no effect beside 'url'", "worker-id", "1", "url", "jdbc:h2:mem:keys");
        assertNoEffect("'namespace' has no effect beside 'worker-id'", "worker-id", "1", "namespace", "orders");
        assertNoEffect("'table-name' has no effect beside 'worker-id'", "workerId", "1", "tableName", "leases");
        assertNoEffect(
                "'sequence-start' has no effect on the generator of the application", "sequence-start", "rotating");
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property 'sequence-bound' has no effect if the sequence starts at zero",
                "Remove it, or set:\n\nsequence-start: rotating",
                "worker-id",
                "1",
                "sequence-bound",
                "2");
    }

    @Test
    void refusesValuesThatAreNone() {
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property 'worker-id' must be a whole number from 0 to 31, but is '32'",
                "Set a number in that range; each running process needs a worker ID of its own.",
                "worker-id",
                "32");
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property 'worker-id' must be a whole number, but is 'one'",
                "Correct or remove it.",
                "worker-id",
                "one");
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property 'sequence-start' must be one of zero, random, rotating, but is 'any'",
                "Correct or remove it.",
                "worker-id",
                "1",
                "sequence-start",
                "any");
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property 'initialize-schema' must be one of embedded, always, never, but is 'yes'",
                "Correct or remove it.",
                "url",
                "jdbc:h2:mem:keys",
                "initialize-schema",
                "yes");
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property 'layout' must be the name of a preset, but is 'mine'",
                "Use one of default, twitter, leaf, shardingsphere, baidu, discord, javascript-safe.",
                "worker-id",
                "1",
                "layout",
                "mine");
    }

    private static void assertNoEffect(String message, String... properties) {
        assertRefused(
                "Key generator 'SNOWFLAKEID' of ShardingSphere: Property " + message,
                "Remove it, or let the key generator lease worker IDs itself:\n\n" + KeyGeneratorProperties.EXAMPLE,
                properties);
    }

    private static void assertRefused(String message, String action, String... properties) {
        ConfigurationException refused = catchThrowableOfType(ConfigurationException.class, () -> keys(properties));

        assertThat(refused).hasMessage(message);
        assertThat(refused.action().orElseThrow()).isEqualTo(action);
    }

    private static long worker(KeyGenerator keys) {
        return IdLayout.DEFAULT
                .decode(keys.generateKeys(COLUMN, 1).iterator().next())
                .workerId();
    }

    private static KeyGenerator keys(String... properties) {
        KeyGenerator keys = new SpiKeyGenerateAlgorithm();
        keys.init(properties(properties));
        return keys;
    }

    private static Properties properties(String... namesAndValues) {
        Properties properties = new Properties();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
        }
        return properties;
    }
}
