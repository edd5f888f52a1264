package io.github.snowflakeid.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.springframework.core.io.ClassPathResource;

/** What is kept in a table: in words for people, and what its properties and scripts are called. */
enum StoredKind {
    WORKER_IDS(
            "worker ids",
            "leases",
            "{snowflake}.worker.jdbc",
            JdbcWorkerRegistry.DEFAULT_TABLE,
            "namespace, datacenter_id, worker_id",
            "reserved_until",
            "schema"),
    COUNTERS(
            "counters",
            "counters",
            "{snowflake}.segment.jdbc",
            JdbcSegmentStore.DEFAULT_TABLE,
            "name",
            "last_number",
            "counter");

    /** What the rows are. */
    final String rows;

    /** Who needs them. */
    final String users;

    /** The group of the properties. */
    private final String properties;

    /** The name of the table in the scripts that create it. */
    private final String usualTable;

    /** The columns by which no two rows are the same. */
    final String key;

    /** A column that only grows, and that hardly another table has. */
    final String column;

    private final String scripts;

    StoredKind(
            String rows,
            String users,
            String properties,
            String usualTable,
            String key,
            String column,
            String scripts) {
        this.rows = rows;
        this.users = users;
        this.properties = properties;
        this.usualTable = usualTable;
        this.key = key;
        this.column = column;
        this.scripts = scripts;
    }

    /** The full name of a property. */
    String property(String name) {
        return properties + "." + (this == COUNTERS && name.equals("url") ? "urls" : name);
    }

    /** The statement that creates the table under a name, without a semicolon. */
    String createStatement(Dialect dialect, String table) {
        String script = scripts + "-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try {
            return new ClassPathResource(script, StoredKind.class)
                    .getContentAsString(StandardCharsets.UTF_8)
                    .strip()
                    .replace(";", "")
                    .replace(usualTable, table);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
