package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Checks docs/document-numbers.md against the code. */
class DocumentNumbersPageTests {

    private static final Path PAGE =
            Path.of("").toAbsolutePath().getParent().resolve("docs").resolve("document-numbers.md");

    @Service
    static class Invoices {

        private final DocumentNumbers numbers;
        private final JdbcTemplate jdbc;

        Invoices(@Qualifier("invoice") DocumentNumbers numbers, JdbcTemplate jdbc) {
            this.numbers = numbers;
            this.jdbc = jdbc;
        }

        @Transactional
        String write(String customer) {
            String number = numbers.next();
            jdbc.update("INSERT INTO invoice (number, customer) VALUES (?, ?)", number, customer);
            return number;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @Import(Invoices.class)
    static class Shop {

        @Bean
        DataSource dataSource() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:numbers_page;DB_CLOSE_DELAY=-1");
            new JdbcTemplate(database).execute("DROP ALL OBJECTS");
            new JdbcTemplate(database)
                    .execute("CREATE TABLE invoice (number VARCHAR(50) UNIQUE, customer VARCHAR(50))");
            return database;
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("^```" + language + "\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static ApplicationContextRunner with(String yaml) throws IOException {
        var properties = new YamlPropertySourceLoader()
                .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                .get(0);
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakeNumbersAutoConfiguration.class))
                .withUserConfiguration(Shop.class)
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(properties));
    }

    @Test
    void firstBlockNumbersInvoices() throws IOException {
        with(blocks("yaml").get(0)).run(context -> {
            Invoices invoices = context.getBean(Invoices.class);
            assertThat(invoices.write("Ada")).matches("INV-\\d{4}-00001");
            assertThat(invoices.write("Bob")).matches("INV-\\d{4}-00002");
        });
    }

    @Test
    void secondBlockContinuesNumbers() throws IOException {
        with(blocks("yaml").get(1)).run(context -> {
            LocalDate date = LocalDate.of(2026, 5, 6);
            DocumentNumbers numbers = context.getBean(DocumentNumbers.class);
            assertThat(numbers.last("", date).map(DocumentNumber::text)).contains("INV-2026-04711");
            assertThat(numbers.last("acme", date).map(DocumentNumber::text)).contains("INV-2026-00017");
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.update(blocks("sql").get(1).strip().replace(";", "")))
                    .isEqualTo(1);
        });
    }

    @Test
    void tableIsThatOfTheScript() throws IOException {
        assertThat(blocks("sql").get(0))
                .isEqualTo(new ClassPathResource("io/github/snowflakeid/jdbc/number-postgresql.sql")
                        .getContentAsString(StandardCharsets.UTF_8));
    }

    @Test
    void hasEveryProperty() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(Arrays.stream(NumberProperties.Series.class.getRecordComponents())
                        .map(component ->
                                component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT)))
                .allSatisfy(name -> assertThat(page).contains("\n| `" + name + "` |"));
    }

    @Test
    void differentFormatsMayWriteTheSameNumber() {
        assertThat(NumberFormat.of("{yyyy}{000}").format("", "2026", 111).text())
                .isEqualTo(
                        NumberFormat.of("{yyyyMM}{0}").format("", "2026-11", 1).text())
                .isEqualTo("2026111");
    }
}
