package io.github.snowflakeid.it.plainjdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeIdGenerator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@ExtendWith(OutputCaptureExtension.class)
class PlainJdbcTests {

    @Test
    void leasesInTheExistingDatabase(CapturedOutput output) {
        try (ConfigurableApplicationContext context = SpringApplication.run(WithDatabase.class)) {
            assertThat(context.getBean(IdGenerator.class).nextId()).isPositive();
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
        assertThat(output).contains("(leased, namespace 'default')").doesNotContain("WARN", "ERROR");
    }

    @Test
    void leasesByAUrlWithoutADataSource() {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                Application.class,
                "--snowflake.worker.jdbc.url=jdbc:h2:mem:by_url",
                // Spring Boot 3.5 would embed a database.
                "--spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration")) {
            assertThat(context.getBeansOfType(DataSource.class)).isEmpty();
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
    }

    @Test
    void excludedStoreIsNotReplacedByAGuess(CapturedOutput output) {
        String exclude = "--spring.autoconfigure.exclude=io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration";
        assertThatThrownBy(() -> SpringApplication.run(WithDatabase.class, exclude))
                .isNotNull();
        assertThat(output)
                .contains(
                        "The application uses the store 'jdbc', but not its auto-configuration SnowflakeJdbcAutoConfiguration.")
                .contains("remove it from 'spring.autoconfigure.exclude'");

        try (ConfigurableApplicationContext context =
                SpringApplication.run(WithDatabase.class, exclude, "--snowflake.worker.id=7")) {
            assertThat(context.getBean(SnowflakeIdGenerator.class).workerId().workerId())
                    .isEqualTo(7);
        }
    }

    @Test
    void reportsWhyItDoesNotStart(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(
                        WithDatabase.class,
                        "--snowflake.worker.jdbc.table-name=none",
                        "--snowflake.worker.jdbc.initialize-schema=never"))
                .isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Table 'none' of worker IDs cannot be read: ")
                .contains("CREATE TABLE IF NOT EXISTS none (")
                .doesNotContain("FailureAnalyzer", "\tat ");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    static class WithDatabase extends Application {

        @Bean
        DataSource database() {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:plain;DB_CLOSE_DELAY=-1");
            return database;
        }
    }
}
