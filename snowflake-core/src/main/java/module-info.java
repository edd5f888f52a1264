/** Generates Snowflake IDs: 64-bit, time-ordered IDs that are unique without an ID server. */
module io.github.snowflakeid.core {
    requires static transitive org.jspecify;

    exports io.github.snowflakeid;
    exports io.github.snowflakeid.internal;
    exports io.github.snowflakeid.segment;
    exports io.github.snowflakeid.sql;
    exports io.github.snowflakeid.test;
    exports io.github.snowflakeid.text;
    exports io.github.snowflakeid.worker;
}
