package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.IdRange;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.sql.SqlFunctions;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Code of the pages about IDs in use, which has no better place. */
class RecipePagesTests {

    @Test
    void libraryWritesTheScriptOfALayout() {
        IdLayout layout = IdLayout.TWITTER;
        String script = SqlFunctions.POSTGRESQL.script(layout);

        assertThat(script).contains("snowflake_first_id", "2010-11-04");
    }

    @Test
    void idIsDecodedByALayout() {
        IdLayout layout = IdLayout.DEFAULT;
        IdFields fields = layout.decode(249828685941993514L);
        Instant generatedAt = layout.timestamp(249828685941993514L);

        assertThat(fields).isEqualTo(new IdFields(generatedAt, 3, 7, 42));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    @Tag("servers")
    void rowsOfAMonthAreFoundBySql(Databases database) {
        IdRange march =
                IdLayout.DEFAULT.range(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-01T00:00:00Z"));
        String introduction = database == Databases.MARIADB ? "On MariaDB and MySQL" : "On PostgreSQL, this finds";
        String rows = Page.of("time.md").blocks().stream()
                .filter(block ->
                        block.language().equals("sql") && block.introduction().contains(introduction))
                .findFirst()
                .orElseThrow()
                .statements()
                .get(0);
        try (HikariDataSource pool = database.open()) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            SqlFunctionsOnServersTests.createFunctions(pool, database, IdLayout.DEFAULT);
            jdbc.execute("DROP TABLE IF EXISTS purchase");
            jdbc.execute("CREATE TABLE purchase (id BIGINT NOT NULL PRIMARY KEY, customer VARCHAR(100))");
            for (long id : new long[] {march.first() - 1, march.first(), march.last(), march.last() + 1}) {
                jdbc.update("INSERT INTO purchase VALUES (?, 'Ada')", id);
            }

            assertThat(jdbc.query(rows, (row, number) -> row.getLong("id")))
                    .containsExactlyInAnyOrder(march.first(), march.last());
            jdbc.execute("DROP TABLE purchase");
        }
    }
}
