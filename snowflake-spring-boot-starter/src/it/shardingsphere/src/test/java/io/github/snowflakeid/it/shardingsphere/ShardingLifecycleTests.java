package io.github.snowflakeid.it.shardingsphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keys of rows that are inserted during startup and shutdown, and configurations at which startup fails. */
@ExtendWith(OutputCaptureExtension.class)
class ShardingLifecycleTests {

    @TempDir
    private Path directory;

    @Test
    void doesNotLeaseInTheShards(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(
                        ShardingShop.class, "--snowflake.worker.jdbc.url=", "--snowflake.worker.jdbc.username="))
                .isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "The DataSource is ShardingSphere's, which chooses among databases, but leases need one database that all processes share")
                .contains("worker.jdbc.url: jdbc:postgresql://localhost/shop");
    }

    @Test
    void aNameThatNoGeneratorHasFailsStartup(CapturedOutput output) throws Exception {
        String url = configuration("generator: tickets", "generator: tikets");

        assertThatThrownBy(() -> SpringApplication.run(ShardingShop.class, "--spring.datasource.url=" + url))
                .isNotNull();

        assertThat(output)
                .contains(
                        "Attribute of key generator 'SNOWFLAKEID' refers to generator 'tikets', which does not exist; existing generators: 'default', 'tickets'")
                .contains("Use one of these names");
    }

    @Test
    void aScriptThatNeedsIdsTooEarlyIsReported(CapturedOutput output) throws Exception {
        Path data = Files.writeString(directory.resolve("data.sql"), "INSERT INTO orders (name) VALUES ('Ada');");

        assertThatThrownBy(() ->
                        SpringApplication.run(ShardingShop.class, "--spring.sql.init.data-locations=file:" + data))
                .isNotNull();

        assertThat(output)
                .contains(
                        "No IDs are available yet for attribute orders.ID: a script or a migration inserts rows without IDs before the generator is created")
                .contains("Set the IDs of these rows in the script");
    }

    @Test
    void contextsOneAfterTheOtherGiveTheirOwnIds() throws Exception {
        String url = configuration("odd-and-even", "even-and-odd");
        for (int worker = 3; worker <= 4; worker++) {
            try (ConfigurableApplicationContext context = start(url, worker)) {
                long id = context.getBean(ShardedOrders.class).add("orders", "Ada");
                assertThat(id >> 12 & 31).isEqualTo(worker);
            }
        }
    }

    @Test
    void rowsAreInsertedUntilTheDataSourceIsClosed() throws Exception {
        AtomicLong last = new AtomicLong();
        try (ConfigurableApplicationContext context =
                new SpringApplicationBuilder(ShardingShop.class, Last.class).run()) {
            // If there are named generators, the unnamed one is created for the first row. During shutdown, that is too
            // late.
            context.getBean(ShardedOrders.class).add("orders", "first");
            context.getBean(Last.class).last = last;
        }

        assertThat(last).hasPositiveValue();
    }

    @Configuration(proxyBeanMethods = false)
    static class Last {

        private AtomicLong last = new AtomicLong();

        @Bean
        AutoCloseable closing(ShardedOrders orders) {
            return () -> last.set(orders.add("orders", "last"));
        }
    }

    private static ConfigurableApplicationContext start(String url, int worker) {
        return SpringApplication.run(
                ShardingShop.class,
                "--spring.datasource.url=" + url,
                "--snowflake.worker.id=" + worker,
                "--snowflake.generators.tickets.worker.id=" + worker);
    }

    private String configuration(String replaced, String replacement) throws Exception {
        String yaml;
        try (var sharding = ShardingShop.class.getResourceAsStream("/sharding.yaml")) {
            yaml = new String(sharding.readAllBytes());
        }
        Path changed = directory.resolve("sharding.yaml");
        assertThat(yaml).contains(replaced);
        Files.writeString(changed, yaml.replace(replaced, replacement));
        return "jdbc:shardingsphere:absolutepath:" + changed + "?placeholder-type=system_props";
    }
}
