package io.github.snowflakeid.jdbc;

import java.util.Locale;

/** What is kept in a table: in words for people, and what its properties and scripts are called. */
enum Contents {
    WORKER_IDS(
            "worker ids",
            "leases",
            "snowflake.worker.jdbc",
            JdbcWorkerRegistry.DEFAULT_TABLE,
            "namespace, datacenter_id, worker_id",
            "reserved_until",
            "schema"),
    COUNTERS(
            "counters",
            "counters",
            "snowflake.segment.jdbc",
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
    final String usualTable;

    /** The columns by which no two rows are the same. */
    final String key;

    /** A column that only grows, and that hardly another table has. */
    final String column;

    private final String scripts;

    Contents(
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

    /** Whether it is written afresh as well as read: leases are renewed all the time, and save what that costs. */
    boolean isWrittenAfresh() {
        return this == COUNTERS;
    }

    /** The full name of a property. */
    String property(String name) {
        return properties + "." + name;
    }

    /** The file beside this class that creates the table. */
    String script(Dialect dialect) {
        return scripts + "-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
    }
}
