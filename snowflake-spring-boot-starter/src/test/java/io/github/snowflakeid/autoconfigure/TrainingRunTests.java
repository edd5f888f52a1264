package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.consul.SnowflakeConsulAutoConfiguration;
import io.github.snowflakeid.etcd.SnowflakeEtcdAutoConfiguration;
import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcSegmentStore;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.kubernetes.SnowflakeKubernetesAutoConfiguration;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.zookeeper.SnowflakeZooKeeperAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Runs of an application that Spring ends on refresh, to record its classes for a CDS archive or an AOT cache. */
class TrainingRunTests {

    @TempDir
    private Path directory;

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        RedisAutoConfiguration.class,
        SnowflakeAutoConfiguration.class,
        SnowflakeConsulAutoConfiguration.class,
        SnowflakeEtcdAutoConfiguration.class,
        SnowflakeFileAutoConfiguration.class,
        SnowflakeJdbcAutoConfiguration.class,
        SnowflakeKubernetesAutoConfiguration.class,
        SnowflakeRedisAutoConfiguration.class,
        SnowflakeZooKeeperAutoConfiguration.class
    })
    static class Shop {

        public static void main(String[] arguments) {
            SpringApplication.run(Shop.class, arguments);
            throw new IllegalStateException("not ended on refresh");
        }

        @Bean
        String opened(ApplicationContext context) {
            context.getBeansOfType(IdGenerator.class).values().forEach(ids -> {
                try {
                    System.out.println("ID " + ids.nextId());
                } catch (GeneratorClosedException e) {
                    System.out.println("no ID");
                }
            });
            return "";
        }
    }

    /** Returns the output of a run that has succeeded. */
    private String train(String... properties) throws Exception {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dspring.context.exit=onRefresh",
                "-cp",
                System.getProperty("java.class.path"),
                Shop.class.getName(),
                "--spring.main.banner-mode=off",
                "--spring.main.web-application-type=none",
                "--snowflake.datacenter.id=3"));
        for (String property : properties) {
            command.add("--" + property);
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.datasource.url=jdbc:h2:tcp://localhost:1/shop",
                "snowflake.worker.jdbc.url=jdbc:h2:tcp://localhost:1/shop",
                "snowflake.worker.strategy=redis spring.data.redis.port=1",
                "snowflake.worker.strategy=zookeeper snowflake.worker.zookeeper.connect-string=localhost:1",
                "snowflake.worker.strategy=etcd snowflake.worker.etcd.endpoints=http://localhost:1",
                "snowflake.worker.strategy=consul snowflake.worker.consul.url=http://localhost:1",
                "snowflake.worker.strategy=kubernetes KUBERNETES_SERVICE_HOST=localhost snowflake.worker.kubernetes.namespace=shop",
                "snowflake.generators.invoices.type=segment snowflake.generators.invoices.segment.jdbc.urls=jdbc:h2:tcp://localhost:1/shop",
                "snowflake.generators.invoices.type=segment snowflake.generators.invoices.segment.store=redis spring.data.redis.port=1"
            })
    void needsNoStore(String properties) throws Exception {
        assertThat(train(properties.split(" ")))
                .contains("no ID")
                .contains("No IDs are issued in this training run ('spring.context.exit' is 'onRefresh')")
                .doesNotContain(" WARN ", " ERROR ");
    }

    @Test
    void leavesNothingInAnyStore() throws Exception {
        Server server = Server.createTcpServer("-ifNotExists", "-tcpPort", "0").start();
        try {
            String url = "jdbc:h2:tcp://localhost:%s/mem:training;DB_CLOSE_DELAY=-1".formatted(server.getPort());
            DriverManagerDataSource data = new DriverManagerDataSource(url, "sa", "");
            new JdbcWorkerRegistry(data, "snowflake_worker", "default")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read();
            new JdbcSegmentStore(data, "snowflake_counter")
                    .initializeSchema(InitializeSchema.ALWAYS)
                    .read("any");

            String output = train(
                    "spring.datasource.url=" + url,
                    "snowflake.generators.invoices.type=segment",
                    "snowflake.generators.files.worker.strategy=file",
                    "snowflake.generators.files.worker.file.directory=" + directory.resolve("leases"),
                    "snowflake.generators.files.worker.file.verify-file-system=false",
                    "snowflake.generators.fixed.worker.id=7");

            assertThat(output).containsOnlyOnce("\nID ");
            assertThat(output.split("no ID\n", -1)).hasSize(4);
            assertThat(new JdbcTemplate(data).queryForList("SELECT * FROM snowflake_worker"))
                    .isEmpty();
            assertThat(new JdbcTemplate(data).queryForList("SELECT * FROM snowflake_counter"))
                    .isEmpty();
            assertThat(directory.resolve("leases")).doesNotExist();
        } finally {
            server.stop();
        }
    }
}
