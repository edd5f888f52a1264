package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.consul.ConsulServer;
import io.github.snowflakeid.consul.SnowflakeConsulAutoConfiguration;
import io.github.snowflakeid.etcd.EtcdCluster;
import io.github.snowflakeid.etcd.SnowflakeEtcdAutoConfiguration;
import io.github.snowflakeid.file.SnowflakeFileAutoConfiguration;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.kubernetes.KubernetesServer;
import io.github.snowflakeid.kubernetes.SnowflakeKubernetesAutoConfiguration;
import io.github.snowflakeid.redis.Server;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.zookeeper.Clients;
import io.github.snowflakeid.zookeeper.SnowflakeZooKeeperAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Checks the pages about worker IDs: their YAML starts applications, and their tables and SQL equal the code. */
class WorkerPagesTests {

    private static final List<String> PAGES = List.of(
            "worker-ids.md",
            "jdbc.md",
            "databases.md",
            "redis.md",
            "zookeeper.md",
            "etcd-and-consul.md",
            "file.md",
            "kubernetes.md",
            "layouts.md",
            "clocks.md",
            "sharding.md",
            "deployment.md");

    @TempDir
    private static Path directory;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    SnowflakeAutoConfiguration.class,
                    SnowflakeConsulAutoConfiguration.class,
                    SnowflakeEtcdAutoConfiguration.class,
                    SnowflakeFileAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class,
                    SnowflakeKubernetesAutoConfiguration.class,
                    SnowflakeRedisAutoConfiguration.class,
                    SnowflakeZooKeeperAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "DB_PASSWORD=",
                    "DATACENTER_ID=3",
                    "REGION_NUMBER=5");

    static Stream<String> blocks() {
        return PAGES.stream()
                .flatMap(page -> Page.of(page).blocks("yaml").stream())
                .filter(yaml -> !yaml.startsWith("apiVersion:"));
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void yamlStartsAnApplicationThatIssuesIds(String yaml) throws Exception {
        List<String> here = new ArrayList<>();
        ApplicationContextRunner application = runner;
        if (yaml.contains("strategy: redis")) {
            here.add("snowflake.worker.redis.assume-new-namespace=true");
            application = runner.withBean(
                    LettuceConnectionFactory.class, () -> Server.shared().connections());
        } else if (yaml.contains("strategy: zookeeper")) {
            here.add("snowflake.worker.zookeeper.connect-string="
                    + Clients.sharedServer().getConnectString());
        } else if (yaml.contains("strategy: etcd")) {
            here.add("snowflake.worker.etcd.endpoints="
                    + EtcdCluster.shared().endpoints().get(0));
            // There is no certificate.
            here.add("snowflake.worker.etcd.ssl-bundle=");
        } else if (yaml.contains("strategy: consul")) {
            here.add("snowflake.worker.consul.url=" + ConsulServer.shared().url());
        } else if (yaml.contains("strategy: kubernetes")) {
            KubernetesServer server = KubernetesServer.shared();
            application = runner.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class));
            here.add("snowflake.worker.kubernetes.url=" + server.url());
            here.add("snowflake.worker.kubernetes.namespace=default");
            here.add("snowflake.worker.kubernetes.token=" + KubernetesServer.ADMIN);
            here.add("snowflake.worker.kubernetes.ssl-bundle=api-server");
            here.add("spring.ssl.bundle.pem.api-server.truststore.certificate=file:" + server.certificate());
        } else if (yaml.contains("strategy: file")) {
            here.add("snowflake.worker.file.directory=" + directory);
            here.add("snowflake.worker.file.verify-file-system=false");
        }
        application
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        // Stands for the server of the page.
                        .addLast(Page.properties(yaml.replace("jdbc:postgresql://localhost/", "jdbc:h2:mem:pages_"))
                                .get(0)))
                .withPropertyValues(here.toArray(String[]::new))
                .run(context -> assertThat(context.getBean(SnowflakeGenerators.class)
                                .get(yaml.contains("orders:") ? "orders" : "default")
                                .nextIds(5))
                        .isSorted()
                        .doesNotHaveDuplicates());
    }

    @Test
    void sqlIsThatOfTheScriptsInTheJar() {
        assertThat(Page.of("jdbc.md").blocks("sql")).containsExactly(script("postgresql"), script("mysql"));
        assertThat(script("h2")).isEqualToIgnoringWhitespace(script("postgresql"));
        new JdbcTemplate(new DriverManagerDataSource("jdbc:hsqldb:mem:page")).execute(script("postgresql"));
    }

    private static String script(String database) {
        try (InputStream script = JdbcWorkerRegistry.class.getResourceAsStream("schema-" + database + ".sql")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void oddsAreThoseOfTheBirthdayProblem() {
        assertThat(Page.of("worker-ids.md").text())
                .contains("| 32 (a `datacenter.id` is set) |" + odds(32))
                .contains("| 1024 (both derived) |" + odds(1024));
    }

    private static String odds(int pairs) {
        return Stream.of(5, 10, 20, 40)
                .map(instances -> {
                    double allDiffer = 1;
                    for (int i = 1; i < instances; i++) {
                        allDiffer *= Math.max(0, 1 - (double) i / pairs);
                    }
                    return String.format(Locale.ROOT, " %.1f%% |", 100 * (1 - allDiffer));
                })
                .collect(Collectors.joining());
    }
}
