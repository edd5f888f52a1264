/** Generates Snowflake IDs: 64-bit, time-ordered IDs that are unique without an ID server. */
@SuppressWarnings("module") // The starter is compiled after the core.
module io.github.snowflakeid.core {
    requires static transitive org.jspecify;

    exports io.github.snowflakeid;
    exports io.github.snowflakeid.internal to
            io.github.snowflakeid.starter;
    exports io.github.snowflakeid.segment;
    exports io.github.snowflakeid.sql;
    exports io.github.snowflakeid.test;
    exports io.github.snowflakeid.text;
    exports io.github.snowflakeid.worker;
}
