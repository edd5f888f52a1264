package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.ActionAssertions;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.jdbc.JdbcSegmentStore;
import io.github.snowflakeid.jdbc.SnowflakeJdbcAutoConfiguration;
import io.github.snowflakeid.redis.SnowflakeRedisAutoConfiguration;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.PropertySource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Checks docs/sequential-numbers.md and docs/segment-stores.md against the code. */
class SegmentPageTests {

    private static final Path PAGE = Page.DOCS.resolve("sequential-numbers.md");
    private static final Path STORES = Page.DOCS.resolve("segment-stores.md");

    private final ApplicationContextRunner shop = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SnowflakeAutoConfiguration.class,
                    SnowflakeJdbcAutoConfiguration.class,
                    SnowflakeRedisAutoConfiguration.class))
            .withUserConfiguration(Databases.class);

    @Configuration(proxyBeanMethods = false)
    static class Databases {

        @Bean
        @Primary
        DataSource first() {
            return database("page_first");
        }

        @Bean
        DataSource second() {
            return database("page_second");
        }

        private static DataSource database(String name) {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
            return database;
        }
    }

    private static List<String> blocks(Path page, String language) {
        return Page.at(page).blocks(language);
    }

    @ParameterizedTest
    @MethodSource
    void everyYamlBlockStartsAnApplicationThatIssuesNumbers(String yaml) {
        PropertySource<?> properties = Page.properties(inMemory(yaml)).get(0);
        // Only the unnamed generator rejects a worker ID that it does not use.
        shop.withPropertyValues(yaml.startsWith("snowflake:\n  type:") ? "snowflake.worker.id=" : "unused=")
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(properties))
                .run(context -> {
                    if (yaml.contains("store: redis")) {
                        assertThat(ActionAssertions.analysis(context.getStartupFailure())
                                        .getDescription())
                                .contains("no unique RedisConnectionFactory bean");
                    } else {
                        assertThat(context.getBeansOfType(SegmentIdGenerator.class)
                                        .values())
                                .isNotEmpty()
                                .allSatisfy(generator ->
                                        assertThat(generator.nextIds(300)).isSorted());
                    }
                });
    }

    /** Replaces the servers of the page. */
    private static String inMemory(String yaml) {
        return yaml.replaceAll("jdbc:postgresql://(\\w+)\\S*", "jdbc:h2:mem:$1_of_page");
    }

    static List<String> everyYamlBlockStartsAnApplicationThatIssuesNumbers() {
        return Stream.of(PAGE, STORES)
                .flatMap(page -> blocks(page, "yaml").stream())
                .toList();
    }

    @Test
    void entityNamesAGeneratorOfThePage() throws Exception {
        String source = Files.readString(
                Path.of("src/test/java", Voucher.class.getName().replace('.', '/') + ".java"));
        String generator = Voucher.class
                .getDeclaredField("id")
                .getAnnotation(SnowflakeId.class)
                .value();

        assertThat(blocks(PAGE, "java")).containsExactly(source.substring(source.indexOf("@Entity")));
        assertThat(blocks(PAGE, "yaml")).anyMatch(yaml -> yaml.contains("    " + generator + ":\n      type: segment"));
    }

    private static String sql(String beginning) {
        return blocks(PAGE, "sql").stream()
                .filter(block -> block.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void sqlOfThePageCreatesTheTableAndItsCounters() throws IOException {
        String table = sql("CREATE TABLE");
        try (InputStream script = JdbcSegmentStore.class.getResourceAsStream("counter-postgresql.sql")) {
            assertThat(table).isEqualTo(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        DataSource databases = Databases.database("page_sql");
        JdbcTemplate database = new JdbcTemplate(databases);
        database.execute(table);
        database.execute(
                sql(
                        "INSERT INTO snowflake_counter (name, start_number, increment_by, last_number, token)\nVALUES ('vouchers'"));
        assertThat(first(databases)).isEqualTo(1234568);

        database.execute("create table voucher (id bigint primary key)");
        database.update("insert into voucher values (2000000)");
        database.update(sql("UPDATE snowflake_counter SET last_number = (SELECT max(id)"));

        assertThat(first(databases)).isEqualTo(2000001);
    }

    private static long first(DataSource database) {
        try (SegmentIdGenerator vouchers = SegmentIdGenerator.builder()
                .name("vouchers")
                .store(new JdbcSegmentStore(database, JdbcSegmentStore.DEFAULT_TABLE))
                .build()) {
            return vouchers.nextId();
        }
    }
}
