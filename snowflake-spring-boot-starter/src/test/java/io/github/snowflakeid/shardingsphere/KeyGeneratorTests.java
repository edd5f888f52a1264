package io.github.snowflakeid.shardingsphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.failure.ConfigurationException;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A key generator, created and called as by ShardingSphere. */
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
                .satisfies(found -> assertThat(found.getType()).isEqualTo("SNOWFLAKEID"));
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
    void usesTheContextThatWasStartedLastUntilItIsClosed() {
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
    void unknownGeneratorNameIsRejectedAtOnce() {
        application
                .withPropertyValues("snowflake.generators.orders.worker.id=8")
                .run(context -> assertRejected(
                        "Attribute of key generator 'SNOWFLAKEID' refers to generator 'ordres', which does not exist; existing generators: 'default', 'orders'",
                        """
                        Use one of these names, or define the generator:

                        snowflake.generators.ordres.layout: default""",
                        "generator",
                        "ordres"));
    }

    @Test
    void withoutSpringThereIsNoGenerator() {
        assertRejected(
                "Key generator 'SNOWFLAKEID' cannot issue IDs: there is no Spring application context with an IdGenerator bean",
                "Create the DataSource of ShardingSphere in a Spring Boot application that has the starter.");
    }

    @Test
    void rejectsUnknownProperties() {
        assertRejected(
                "Property 'worker-id' of ShardingSphere's key generator 'SNOWFLAKEID' is unknown",
                "Remove the property. The only supported property is 'generator', the name of a generator of the application.",
                "worker-id",
                "1");
    }

    private static void assertRejected(String message, String action, String... properties) {
        ConfigurationException rejected = catchThrowableOfType(ConfigurationException.class, () -> keys(properties));

        assertThat(rejected).hasMessage(message);
        assertThat(rejected.action().orElseThrow()).isEqualTo(action);
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
