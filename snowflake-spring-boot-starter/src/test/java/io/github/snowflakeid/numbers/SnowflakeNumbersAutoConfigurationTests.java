package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.snowflakeid.SnowflakeException;
import io.github.snowflakeid.actuate.boot3.SnowflakeHealthBoot3AutoConfiguration;
import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.micrometer.SnowflakeMicrometerAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.LocalDate;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@ExtendWith(OutputCaptureExtension.class)
class SnowflakeNumbersAutoConfigurationTests {

    private final DataSource dataSource =
            new DriverManagerDataSource("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final ApplicationContextRunner empty = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowflakeNumbersAutoConfiguration.class));
    private final ApplicationContextRunner runner = empty.withBean(DataSource.class, () -> dataSource);
    private final ApplicationContextRunner invoices = runner.withPropertyValues(
            "snowflake.numbers.invoice.format=INV-{yyyy}-{00000}", "snowflake.numbers.invoice.zone=Europe/Berlin");

    private static String messages(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .map(Throwable::toString)
                .reduce("", (all, each) -> all + "\n" + each);
    }

    private static void fails(ApplicationContextRunner runner, String... messages) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(messages(context.getStartupFailure())).contains(messages);
        });
    }

    @Test
    void needsNothingWithoutSeries() {
        empty.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DocumentNumbers.class));
    }

    @Test
    void injectsSeriesByName() {
        invoices.withPropertyValues("snowflake.numbers.receipt.format=R{000}")
                .withUserConfiguration(Documents.class)
                .run(context -> {
                    Documents documents = context.getBean(Documents.class);
                    assertThat(documents.invoice.next()).matches("INV-20\\d\\d-00001");
                    assertThat(documents.receipt.next()).isEqualTo("R001");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Documents {

        private final DocumentNumbers invoice;
        private final DocumentNumbers receipt;

        Documents(@Qualifier("invoice") DocumentNumbers invoice, @Qualifier("receipt") DocumentNumbers receipt) {
            this.invoice = invoice;
            this.receipt = receipt;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "format={YYYY}-{000}, no other fields than {yyyy}",
        "format={MM}-{000}, a month needs a year",
        "format={tenant}{000}, a digit could belong to {tenant} or to the number",
        "format=, one number such as {00000}",
        "zone=Europe/Berln, Europe/Berln",
        "prefetch=0, prefetch' must be from 1 to 100000",
        "gapeless=true, gapeless",
        "table-name=a b, table must be a name",
        "data-source=other, No bean named 'other' available",
        "continue-after[0].period=2026-11, '2026-11' is not a period of format",
        "continue-after[0].period=2026, continue-after[0].number' must be at least 1",
        "continue-after[0].number=7, '' is not a period of format",
    })
    void rejectsInvalidProperties(String property, String message) {
        fails(
                invoices.withPropertyValues(
                        "snowflake.numbers.invoice.gapless=false", "snowflake.numbers.invoice." + property),
                message);
    }

    @Test
    void dateNeedsZone() {
        fails(
                runner.withPropertyValues("snowflake.numbers.invoice.format={yyyy}-{000}"),
                "Property 'snowflake.numbers.invoice.zone' must be a time zone, because the format has a date, but was not set");
    }

    @Test
    void rejectsPrefetchOfGaplessSeries() {
        fails(
                invoices.withPropertyValues(
                        "snowflake.numbers.invoice.gapless=true", "snowflake.numbers.invoice.prefetch=10"),
                "must be 1 for a gapless series");
    }

    @Test
    void rejectsNameThatEnvironmentVariablesCannotHave() {
        fails(
                runner.withPropertyValues("snowflake.numbers.credit-note.format={000}"),
                "The name of series 'snowflake.numbers.credit-note' must have 1 to 50 lower-case letters and digits");
    }

    @Test
    void rejectsAnotherFormatOnceNumbersWereTaken() {
        invoices.run(context -> assertThat(context).hasNotFailed());
        ApplicationContextRunner changed =
                invoices.withPropertyValues("snowflake.numbers.invoice.format=INV-{yyyyMM}-{000}");
        changed.run(context -> context.getBean(DocumentNumbers.class).next());
        fails(
                invoices,
                "Series 'invoice' has numbers of format 'INV-{yyyyMM}-{000}'",
                "SELECT * FROM snowflake_number WHERE series = 'invoice' AND tenant = '' AND time_period = 'format';");
        changed.run(context -> assertThat(context).hasNotFailed());
        jdbc.update(
                "UPDATE snowflake_number SET number_format = 'INV-{yyyy}-{00000}' WHERE series = 'invoice' AND time_period = 'format'");
        invoices.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void continuesNumbersOnce() {
        ApplicationContextRunner continued = invoices.withPropertyValues(
                "snowflake.numbers.invoice.continue-after[0].period=2024",
                "snowflake.numbers.invoice.continue-after[0].number=41",
                "snowflake.numbers.invoice.continue-after[1].period=2024",
                "snowflake.numbers.invoice.continue-after[1].tenant=acme",
                "snowflake.numbers.invoice.continue-after[1].number=7");
        LocalDate date = LocalDate.of(2024, 5, 6);
        for (int start = 0; start < 2; start++) {
            int started = start;
            continued.run(context -> {
                DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
                assertThat(numbers.take("", date).number()).isEqualTo(42 + started);
                assertThat(numbers.take("acme", date).number()).isEqualTo(8 + started);
                assertThat(numbers.take("", LocalDate.of(2023, 5, 6)).number()).isEqualTo(1 + started);
            });
        }
        fails(
                continued.withPropertyValues("snowflake.numbers.invoice.continue-after[0].number=100"),
                "Series 'invoice' cannot continue after 100, because its last number is already 43",
                "time_period = '2024'");
    }

    @Test
    void rejectsTableWithoutPrimaryKeyOrWithShortColumns() {
        String columns =
                "series VARCHAR(50), tenant VARCHAR(%s), time_period VARCHAR(10), number_format VARCHAR(100), last_number BIGINT";
        jdbc.execute("CREATE TABLE snowflake_number (" + columns.formatted(100) + ")");
        fails(
                invoices,
                "has neither a primary key nor a unique index on (series, tenant, time_period)",
                "ADD PRIMARY KEY (series, tenant, time_period);");
        jdbc.execute("DROP TABLE snowflake_number");
        jdbc.execute("CREATE TABLE snowflake_number (" + columns.formatted(20)
                + ", PRIMARY KEY (series, tenant, time_period))");
        fails(invoices, "Table 'snowflake_number' of document numbers cannot be written", "tenant        VARCHAR(100)");
    }

    @Test
    void asksForTheTableInTheWordsOfTheSeries() {
        fails(
                invoices.withPropertyValues("snowflake.numbers.invoice.initialize-schema=never"),
                "Table 'snowflake_number' of document numbers cannot be read",
                "CREATE TABLE IF NOT EXISTS snowflake_number");
    }

    /** Flyway, Liquibase or scripts may create the table. */
    @Test
    void waitsForTheInitializationOfTheDatabase() {
        invoices.withConfiguration(AutoConfigurations.of(SqlInitializationAutoConfiguration.class))
                .withPropertyValues(
                        "spring.sql.init.mode=always",
                        "spring.sql.init.schema-locations=classpath:io/github/snowflakeid/jdbc/number-h2.sql",
                        "snowflake.numbers.invoice.initialize-schema=never")
                .run(context -> assertThat(
                                context.getBean(DocumentNumbers.class).next())
                        .endsWith("-00001"));
    }

    @Test
    void rejectsDatabaseThatLocksWholeTables() {
        fails(
                empty.withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:hsqldb:mem:numbers"))
                        .withPropertyValues("snowflake.numbers.invoice.format={000}"),
                "Database 'HSQLDB' is not supported for document numbers");
    }

    @Test
    void needsOneDataSource() {
        DataSource other = new DriverManagerDataSource("jdbc:h2:mem:other");
        ApplicationContextRunner two = invoices.withBean("other", DataSource.class, () -> other);
        fails(
                two,
                "Invalid 'snowflake.numbers.invoice.data-source'",
                "snowflake.numbers.invoice.data-source: dataSource");
        two.withPropertyValues("snowflake.numbers.invoice.data-source=other")
                .run(context -> assertThat(context).hasNotFailed());
        empty.withPropertyValues("snowflake.numbers.invoice.format={000}")
                .withBean("other", DataSource.class, () -> other)
                .withUserConfiguration(Marked.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class Marked {

        @Bean
        @SnowflakeDataSource
        DataSource marked() {
            return new DriverManagerDataSource("jdbc:h2:mem:marked");
        }
    }

    @Test
    void warnsOnceAtNinetyPercentOfTheWidth(CapturedOutput output) {
        runner.withPropertyValues("snowflake.numbers.receipt.format=R{0}").run(context -> {
            DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
            for (int i = 0; i < 12; i++) {
                numbers.next();
            }
            assertThat(numbers.last("", null))
                    .hasValueSatisfying(last -> assertThat(last.text()).isEqualTo("R12"));
        });
        assertThat(output.getAll())
                .containsOnlyOnce("Series 'receipt' has used 90 % of the numbers that fit into its format: R9");
    }

    @Test
    void rejectsTenantThatIsNull() {
        invoices.run(
                context -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> context.getBean(DocumentNumbers.class).next(null))
                        .withMessage(
                                "A tenant must have at most 100 characters, at least one for {tenant}, and no white space at its ends, but was null. Without tenants, it is \"\""));
    }

    /** Its unique key would count the numbers of different tenants together. */
    @Test
    void rejectsTableThatIgnoresUpperCase() {
        jdbc.execute(
                "CREATE TABLE snowflake_number (series VARCHAR(50), tenant VARCHAR_IGNORECASE(100), "
                        + "time_period VARCHAR(10), number_format VARCHAR(100), last_number BIGINT, PRIMARY KEY (series, tenant, time_period))");
        fails(
                invoices,
                "Table 'snowflake_number' of document numbers cannot be used: for its collation, tenants 'a' and 'A' are the same",
                "Give column 'tenant' a type and a collation that distinguish upper from lower case.");
    }

    /** The names are in the same bin of a hash table. */
    @Test
    void tenantWithReservedNumbersDoesNotWaitForAnother() {
        invoices.withPropertyValues("snowflake.numbers.invoice.prefetch=2").run(context -> {
            DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
            SeriesStatistics statistics =
                    context.getBean(AllSeries.class).statistics().get("invoice");
            numbers.next("q");
            numbers.next("A");
            numbers.next("A");
            new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult(status -> {
                jdbc.update("UPDATE snowflake_number SET last_number = last_number WHERE tenant = 'A'");
                Thread other = new Thread(() -> catchThrowable(() -> numbers.next("A")));
                other.start();
                while (statistics.waiting() == 0) {
                    Thread.onSpinWait();
                }
                assertThat(numbers.next("q")).endsWith("-00002");
                assertThat(statistics.waiting()).isEqualTo(1);
            });
        });
    }

    @Test
    void seriesHaveHealthAndMetersWithoutGenerators() {
        invoices.withConfiguration(AutoConfigurations.of(
                        SnowflakeHealthBoot3AutoConfiguration.class, SnowflakeMicrometerAutoConfiguration.class))
                .run(context -> {
                    DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
                    HealthIndicator health = context.getBean("snowflakeHealthIndicator", HealthIndicator.class);
                    SimpleMeterRegistry meters = new SimpleMeterRegistry();
                    context.getBean(MeterBinder.class).bindTo(meters);
                    numbers.next();
                    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                    jdbc.execute("DROP TABLE snowflake_number");
                    assertThat(catchThrowable(numbers::next)).isInstanceOf(SnowflakeException.class);
                    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.health().getDetails().get("snowflake.numbers.invoice"))
                            .asString()
                            .startsWith("{taken=1, conflicts=0, failures=1, waiting=0, reason=Table");
                    assertThat(meters.get("snowflake.numbers.taken")
                                    .tag("series", "invoice")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                    assertThat(meters.get("snowflake.numbers.time")
                                    .functionCounter()
                                    .count())
                            .isPositive();
                });
    }

    @Test
    void reportsMisconfigurationWithAction() {
        fails(
                invoices.withPropertyValues("snowflake.numbers.invoice.data-source=x"),
                ConfigurationException.class.getName());
    }
}
