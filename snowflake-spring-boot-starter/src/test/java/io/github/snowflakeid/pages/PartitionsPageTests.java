package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.jdbc.Databases;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The scripts that docs/time.md links create partitions by month, and queries by time read one of them. */
@Tag("servers")
class PartitionsPageTests {

    private static final Path SCRIPTS = Page.DOCS.resolve("sql");

    private HikariDataSource pool;
    private JdbcTemplate jdbc;

    @AfterEach
    void close() {
        if (pool != null) {
            jdbc.execute("DROP TABLE IF EXISTS purchase");
            pool.close();
        }
    }

    @Test
    void postgresqlHasAPartitionForEachMonth() {
        open(Databases.POSTGRESQL);
        List<String> script = script("partitions-postgresql.sql");
        // The table, a partition, the function, and the partitions of a year: creating them again changes nothing.
        Stream.of(0, 1, 2, 3, 3, 4).map(script::get).forEach(jdbc::execute);
        insert("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-31T23:59:59.999Z");
        insert("2026-04-01T00:00:00Z", "2027-03-31T23:59:59.999Z");

        assertThat(rowsOf("purchase_before_2026")).isEqualTo(1);
        assertThat(rowsOf("purchase_2026_01")).isEqualTo(1);
        assertThat(rowsOf("purchase_2026_03")).isEqualTo(2);
        assertThat(rowsOf("purchase_2026_04")).isEqualTo(1);
        assertThat(rowsOf("purchase_2027_03")).isEqualTo(1);
        String month = script.get(5);
        assertThat(jdbc.queryForList(month)).hasSize(2);
        assertThat(plan("EXPLAIN " + month))
                .contains("purchase_2026_03")
                .doesNotContain("2026_02", "2026_04", "Append");
        assertThat(plan("EXPLAIN SELECT * FROM purchase WHERE id = " + id("2026-01-05T00:00:00Z")))
                .contains("purchase_2026_01")
                .doesNotContain("2026_02", "Append");

        jdbc.execute(script.get(6));
        assertThat(jdbc.queryForObject("SELECT count(*) FROM purchase", Long.class))
                .isEqualTo(5);
        assertThatThrownBy(() -> insert("2026-01-01T00:00:00Z")).hasMessageContaining("no partition");
    }

    @Test
    void mariadbHasAPartitionForEachMonth() {
        open(Databases.MARIADB);
        List<String> script = script("partitions-mysql.sql");
        jdbc.execute(script.get(0));
        for (int month = 1; month <= 3; month++) {
            for (String statement : script.subList(1, 6)) {
                jdbc.execute(statement
                        .replace("2026-02-01", "2026-0%s-01".formatted(month + 1))
                        .replace("2026_01", "2026_0" + month));
            }
        }
        insert("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", "2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00Z");

        String month = script.get(6);
        assertThat(jdbc.queryForList(month)).hasSize(2);
        assertThat(plan("EXPLAIN PARTITIONS " + month)).contains("partitions=purchase_2026_01,");
        assertThat(plan("EXPLAIN PARTITIONS SELECT * FROM purchase WHERE id BETWEEN %s AND %s"
                        .formatted(id("2026-01-01T00:00:00Z"), id("2026-02-01T00:00:00Z") - 1)))
                .contains("partitions=purchase_2026_01,");

        jdbc.execute(script.get(7));
        assertThat(jdbc.queryForObject("SELECT count(*) FROM purchase", Long.class))
                .isEqualTo(2);
        assertThatThrownBy(() -> insert("2026-04-01T00:00:00Z")).hasMessageContaining("no partition");
    }

    @Test
    void partitionsBeginWithTheFirstIdOfTheYear() {
        long first = id("2026-01-01T00:00:00Z");

        assertThat(SCRIPTS.resolve("partitions-postgresql.sql")).content().contains("TO (%s)".formatted(first));
        assertThat(SCRIPTS.resolve("partitions-mysql.sql")).content().contains("LESS THAN (%s)".formatted(first));
    }

    private void open(Databases database) {
        pool = database.open();
        // User variables belong to a session.
        pool.setMaximumPoolSize(1);
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("DROP TABLE IF EXISTS purchase");
        SqlFunctionsOnServersTests.createFunctions(pool, database, IdLayout.DEFAULT);
    }

    private static List<String> script(String name) {
        return SqlScript.read(SCRIPTS.resolve(name));
    }

    private void insert(String... instants) {
        for (String instant : instants) {
            jdbc.update("INSERT INTO purchase VALUES (?, 'Ada')", id(instant));
        }
    }

    private long rowsOf(String partition) {
        return jdbc.queryForObject("SELECT count(*) FROM " + partition, Long.class);
    }

    private String plan(String explain) {
        return jdbc.queryForList(explain).toString();
    }

    private static long id(String instant) {
        return IdLayout.DEFAULT.firstId(Instant.parse(instant));
    }
}
