package io.github.snowflakeid.autoconfigure;

import static io.github.snowflakeid.autoconfigure.ActionAssertions.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** A store inside the process is rejected if the application has a database that other processes reach. */
@ExtendWith(OutputCaptureExtension.class)
class SingleProcessTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SnowflakeAutoConfiguration.class, SnowflakeJdbcAutoConfiguration.class));

    private final ApplicationContextRunner withServer =
            runner.withBean("shop", DataSource.class, SingleProcessTests::server);

    /** Is never connected to. */
    private static HikariDataSource server() {
        HikariDataSource server = new HikariDataSource();
        server.setJdbcUrl("jdbc:postgresql://db.example.org/shop?password=secret");
        return server;
    }

    private static JdbcDataSource inMemory(String name) {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(name));
        return database;
    }

    private static String message(AssertableApplicationContext context) {
        return Causes.of(context.getStartupFailure()).stream()
                .filter(ConfigurationException.class::isInstance)
                .reduce((first, last) -> last)
                .orElseThrow()
                .getMessage();
    }

    private static void assertRejected(ApplicationContextRunner application, String reachable) {
        application.run(context -> {
            assertThat(context).hasFailed();
            assertThat(message(context))
                    .contains(" is inside this process, but other processes reach " + reachable + ". ");
        });
    }

    @Test
    void storeInMemoryIsRejectedNextToADatabaseOfAServerWithAnAction() {
        withServer
                .withPropertyValues("snowflake.worker.jdbc.url=jdbc:h2:mem:leases")
                .run(context -> {
                    FailureAnalysis analysis = analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .isEqualTo(
                                    "The store of leases, jdbc:h2:mem:leases, is inside this process, but other processes reach jdbc:postgresql://db.example.org/shop. Each process would have a separate store, and they would issue the same IDs.");
                    assertThat(analysis.getAction()).isEqualTo("""
                            Keep leases in a database that all processes reach:

                            snowflake.worker.jdbc.url: jdbc:postgresql://localhost/shop""");
                });
    }

    static class Marked {

        @Bean
        @SnowflakeDataSource
        DataSource marked() {
            return inMemory("marked_single");
        }
    }

    @Test
    void storeInsideTheProcessIsRejectedHoweverItIsNamed() {
        for (String url :
                new String[] {"jdbc:h2:mem:leases", "jdbc:hsqldb:mem:leases", "jdbc:h2:file:./target/single/leases"}) {
            assertRejected(
                    withServer.withPropertyValues(
                            "snowflake.worker.jdbc.url=" + url, "snowflake.worker.jdbc.initialize-schema=always"),
                    "jdbc:postgresql://db.example.org/shop");
        }
        assertRejected(withServer.withUserConfiguration(Marked.class), "jdbc:postgresql://db.example.org/shop");
        ApplicationContextRunner numbers = withServer.withPropertyValues(
                "snowflake.type=segment", "snowflake.segment.jdbc.initialize-schema=always");
        assertRejected(
                numbers.withPropertyValues("snowflake.segment.jdbc.urls=jdbc:h2:mem:numbers"),
                "jdbc:postgresql://db.example.org/shop");
        assertRejected(
                numbers.withPropertyValues("snowflake.segment.jdbc.data-sources=other")
                        .withBean("other", DataSource.class, () -> inMemory("named_single")),
                "jdbc:postgresql://db.example.org/shop");
    }

    @Test
    void databaseThatIsNotReachedByJdbcCounts() {
        ApplicationContextRunner inMemory = runner.withBean("batch", DataSource.class, () -> inMemory("batch_single"));
        assertRejected(
                inMemory.withBean(
                        com.mongodb.client.MongoClient.class, () -> mock(com.mongodb.client.MongoClient.class)),
                "MongoDB");
    }

    /** Its driver reports a URL without the setting. */
    @Test
    void fileThatSeveralProcessesShareIsAcceptedWithoutALine(CapturedOutput output) {
        withServer
                .withPropertyValues(
                        "snowflake.worker.jdbc.url=jdbc:h2:file:./target/single/shared;AUTO_SERVER=TRUE",
                        "snowflake.worker.jdbc.initialize-schema=always")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("is inside this process");
    }

    /** The connection decides: the URL of a wrapper is unknown. */
    @Test
    void connectionDecidesWhereADatabaseIs() throws Exception {
        Server h2 = Server.createTcpServer("-ifNotExists", "-tcpPort", "0").start();
        try {
            String url = "jdbc:h2:tcp://localhost:%s/mem:single;DB_CLOSE_DELAY=-1".formatted(h2.getPort());
            withServer
                    .withPropertyValues(
                            "snowflake.worker.jdbc.url=" + url, "snowflake.worker.jdbc.initialize-schema=always")
                    .run(context -> assertThat(context).hasNotFailed());
            JdbcDataSource remote = new JdbcDataSource();
            remote.setUrl(url);
            assertRejected(
                    runner.withUserConfiguration(Marked.class)
                            .withBean("wrapped", DataSource.class, () -> new DelegatingDataSource(remote)),
                    "jdbc:h2:tcp://localhost:%s/mem:single".formatted(h2.getPort()));
        } finally {
            h2.stop();
        }
    }

    @Test
    void routingDataSourceCountsByTheDatabasesItChoosesFrom() {
        for (DataSource tenant : List.of(inMemory("tenant_single"), server())) {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected @Nullable Object determineCurrentLookupKey() {
                    return null;
                }
            };
            routing.setTargetDataSources(Map.of("tenant", tenant));
            ApplicationContextRunner application = runner.withUserConfiguration(Marked.class)
                    .withBean("routing", DataSource.class, () -> routing, bean -> bean.setPrimary(true));
            if (tenant instanceof HikariDataSource) {
                assertRejected(application, "jdbc:postgresql://db.example.org/shop");
            } else {
                application.run(context -> assertThat(context).hasNotFailed());
            }
        }
    }

    @Test
    void logSaysOnceThatThereIsOneProcess(CapturedOutput output) {
        withServer
                .withPropertyValues(
                        "snowflake.worker.jdbc.url=jdbc:h2:mem:leases",
                        "snowflake.worker.jdbc.single-process=true",
                        "snowflake.generators.other.layout=default")
                .run(context -> {
                    assertThat(context.getBean(SnowflakeIdGenerator.class).nextId())
                            .isPositive();
                    context.getBean(SnowflakeGenerators.class).get("other").nextId();
                });
        assertThat(output.toString().lines())
                .filteredOn(line -> line.contains("inside this process"))
                .singleElement()
                .asString()
                .endsWith(
                        "The store of leases, jdbc:h2:mem:leases, is inside this process: no other process may write to the same tables");
    }

    @Test
    void applicationsWithDatabasesInMemoryAloneStart(CapturedOutput output) {
        for (List<String> names : List.of(List.of("only_single"), List.of("first_single", "second_single"))) {
            ApplicationContextRunner application = runner;
            for (String name : names) {
                application = application.withBean(
                        name,
                        DataSource.class,
                        () -> inMemory(name),
                        bean -> bean.setPrimary(name.equals(names.get(0))));
            }
            application.run(context -> assertThat(context.getBean(SnowflakeIdGenerator.class)
                            .workerId()
                            .origin())
                    .startsWith("leased"));
        }
        assertThat(output).contains("The store of leases, jdbc:h2:mem:only_single, is inside this process");
    }
}
