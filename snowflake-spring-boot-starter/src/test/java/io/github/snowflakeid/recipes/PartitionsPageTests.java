package io.github.snowflakeid.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.migration.DocumentedSql;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The SQL of docs/partitions.md creates partitions by month, and queries by time read one of them. */
@Tag("servers")
class PartitionsPageTests {

    private static final DocumentedSql PAGE = new DocumentedSql("partitions.md");

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
        run("Create the table");
        run("leaves existing ones alone");
        run("Create the partitions of a year");
        run("Create the partitions of a year");
        run("Then call the function regularly");
        insert("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-31T23:59:59.999Z");
        insert("2026-04-01T00:00:00Z", "2027-03-31T23:59:59.999Z");

        assertThat(rowsOf("purchase_before_2026")).isEqualTo(1);
        assertThat(rowsOf("purchase_2026_01")).isEqualTo(1);
        assertThat(rowsOf("purchase_2026_03")).isEqualTo(2);
        assertThat(rowsOf("purchase_2026_04")).isEqualTo(1);
        assertThat(rowsOf("purchase_2027_03")).isEqualTo(1);
        String month = statements("Queries by time").get(0);
        assertThat(jdbc.queryForList(month)).hasSize(2);
        assertThat(plan("EXPLAIN " + month))
                .contains("purchase_2026_03")
                .doesNotContain("2026_02", "2026_04", "Append");
        assertThat(plan("EXPLAIN SELECT * FROM purchase WHERE id = " + id("2026-01-05T00:00:00Z")))
                .contains("purchase_2026_01")
                .doesNotContain("2026_02", "Append");

        run("Delete a month");
        assertThat(jdbc.queryForObject("SELECT count(*) FROM purchase", Long.class))
                .isEqualTo(5);
        assertThatThrownBy(() -> insert("2026-01-01T00:00:00Z")).hasMessageContaining("no partition");
    }

    @Test
    void mariadbHasAPartitionForEachMonth() {
        open(Databases.MARIADB);
        run("Create the table");
        for (int month = 1; month <= 3; month++) {
            for (String statement : statements("Add the partition of a month")) {
                jdbc.execute(statement
                        .replace("2026-02-01", "2026-0%s-01".formatted(month + 1))
                        .replace("2026_01", "2026_0" + month));
            }
        }
        insert("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", "2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00Z");

        String month = statements("Queries with literal IDs").get(0);
        assertThat(jdbc.queryForList(month)).hasSize(2);
        assertThat(plan("EXPLAIN PARTITIONS " + month)).contains("partitions=purchase_2026_01,");
        assertThat(plan("EXPLAIN PARTITIONS SELECT * FROM purchase WHERE id BETWEEN %s AND %s"
                        .formatted(id("2026-01-01T00:00:00Z"), id("2026-02-01T00:00:00Z") - 1)))
                .contains("partitions=purchase_2026_01,");

        run("Delete a month");
        assertThat(jdbc.queryForObject("SELECT count(*) FROM purchase", Long.class))
                .isEqualTo(2);
        assertThatThrownBy(() -> insert("2026-04-01T00:00:00Z")).hasMessageContaining("no partition");
    }

    @Test
    void numberOnThePageIsTheFirstIdOfTheYear() {
        assertThat(DocumentedSql.page("partitions.md"))
                .contains(
                        "TO (%s)".formatted(id("2026-01-01T00:00:00Z")),
                        "LESS THAN (%s)".formatted(id("2026-01-01T00:00:00Z")));
    }

    private void open(Databases database) {
        pool = database.open();
        // User variables belong to a session.
        pool.setMaximumPoolSize(1);
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("DROP TABLE IF EXISTS purchase");
        SqlFunctionsOnServersTests.createFunctions(pool, database, IdLayout.DEFAULT);
    }

    private void run(String introduction) {
        statements(introduction).forEach(jdbc::execute);
    }

    private List<String> statements(String introduction) {
        String section = pool.getJdbcUrl().contains("postgresql") ? "PostgreSQL" : "MariaDB and MySQL";
        return PAGE.blocks().stream()
                .filter(block ->
                        block.section().equals(section) && block.introduction().contains(introduction))
                .findFirst()
                .orElseThrow()
                .statements();
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
