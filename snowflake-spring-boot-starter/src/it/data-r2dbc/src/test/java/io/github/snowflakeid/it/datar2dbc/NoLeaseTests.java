package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.failure.ConfigurationException;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.util.ClassUtils;

@ExtendWith(OutputCaptureExtension.class)
class NoLeaseTests {

    @Test
    void workerIdIsNotGuessedNextToADatabaseThatOthersMayUse(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(
                        R2dbcShop.class,
                        "--spring.r2dbc.url=r2dbc:pool:postgresql://localhost:5433/shop?sslMode=require",
                        "--spring.r2dbc.username=ada",
                        "--spring.sql.init.mode=never",
                        "--snowflake.worker.jdbc.url=",
                        "--snowflake.worker.jdbc.username="))
                .isNotNull();

        assertThat(output)
                .contains(
                        "There is a database by R2DBC, but no store to lease a worker ID from, and a worker ID that is guessed from the host may be in use by another process.")
                .contains("""
                        or in a database, with its JDBC driver on the class path:

                        snowflake.generators.tickets.worker.jdbc.url: jdbc:postgresql://localhost/shop
                        snowflake.generators.tickets.worker.jdbc.username: ${spring.r2dbc.username}
                        snowflake.generators.tickets.worker.jdbc.password: ${spring.r2dbc.password:}

                        Alternatively, use fixed worker IDs in every process that writes to the same tables.""");
    }

    @Test
    void workerIdIsNotGuessedNextToAConnectionFactoryOfTheApplication(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(
                        OwnFactory.class,
                        "--spring.r2dbc.url=",
                        "--spring.sql.init.mode=never",
                        "--snowflake.worker.jdbc.url=",
                        "--snowflake.worker.jdbc.username="))
                .isNotNull();

        assertThat(output).contains("There is a database by R2DBC, but no store to lease a worker ID from");
    }

    @Test
    void storeInMemoryIsRejectedNextToADatabaseThatOthersMayUse(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(
                        R2dbcShop.class,
                        "--spring.r2dbc.url=r2dbc:postgresql://localhost:5433/shop",
                        "--spring.sql.init.mode=never",
                        "--snowflake.worker.jdbc.url=jdbc:h2:mem:leases"))
                .isNotNull();

        assertThat(output)
                .contains(
                        "The store of leases, jdbc:h2:mem:leases, is inside this process, but other processes reach a database by R2DBC.");
    }

    @Import(R2dbcShop.class)
    static class OwnFactory {

        @Bean
        ConnectionFactory connectionFactory() {
            return ConnectionFactories.get("r2dbc:postgresql://ada@localhost:5433/shop");
        }
    }

    @Test
    void whatIsAdvisedWorks() {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                R2dbcShop.class,
                "--snowflake.worker.jdbc.url=jdbc:h2:mem:shop",
                "--snowflake.worker.jdbc.username=${spring.r2dbc.username}")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
        try (ConfigurableApplicationContext context = SpringApplication.run(
                R2dbcShop.class,
                "--snowflake.worker.jdbc.url=",
                "--snowflake.worker.jdbc.username=",
                "--WORKER_ID=7",
                "--snowflake.worker.strategy=fixed",
                "--snowflake.worker.id=${WORKER_ID}",
                "--snowflake.generators.tickets.worker.id=${WORKER_ID}")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isEmpty();
        }
    }

    /** As from {@code @ServiceConnection} or Docker Compose; each line of Spring Boot has another package for the type. */
    @Test
    void leasesInTheDatabaseOfJdbcConnectionDetails() {
        SpringApplication application = new SpringApplication(R2dbcShop.class);
        application.addInitializers(
                context -> context.getBeanFactory().registerSingleton("jdbcConnectionDetails", connectionDetails()));

        try (ConfigurableApplicationContext context =
                application.run("--snowflake.worker.jdbc.url=", "--snowflake.worker.jdbc.username=")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
    }

    private static Object connectionDetails() {
        ClassLoader loader = NoLeaseTests.class.getClassLoader();
        String boot3 = "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails";
        String boot4 = "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails";
        Class<?> type = ClassUtils.resolveClassName(ClassUtils.isPresent(boot3, loader) ? boot3 : boot4, loader);
        Map<String, String> values =
                Map.of("getJdbcUrl", "jdbc:h2:mem:details", "getUsername", "sa", "getPassword", "");
        return Proxy.newProxyInstance(
                loader, new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    default -> values.get(method.getName());
                });
    }

    /** Like tests with an embedded database. */
    @Test
    void workerIdIsGuessedIfNoOtherProcessCanUseTheDatabase(CapturedOutput output) {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                R2dbcShop.class, "--snowflake.worker.jdbc.url=", "--snowflake.worker.jdbc.username=")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isEmpty();
        }
        assertThat(output).contains("WARN");
    }

    @Test
    void withoutAGeneratorARowWithoutIdIsNotSaved() {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                R2dbcShop.class,
                "--snowflake.enabled=false",
                "--spring.r2dbc.url=r2dbc:h2:mem:///off;DB_CLOSE_DELAY=-1")) {
            TicketRepository tickets = context.getBean(TicketRepository.class);
            context.getBean(R2dbcEntityTemplate.class)
                    .insert(new Ticket(4711L, "imported"))
                    .block();

            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> tickets.save(new Ticket(null, "Hamlet")).block())
                    .withMessage(
                            "No Snowflake ID for attribute 'id' of io.github.snowflakeid.it.datar2dbc.Ticket: there is no IdGenerator bean");
            assertThat(tickets.findAll().map(Ticket::id).collectList().block()).containsExactly(4711L);
        }
    }
}
