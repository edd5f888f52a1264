package io.github.snowflakeid.jdbc;

/**
 * When a store creates its table if the table does not exist.
 *
 * @since 1.0
 */
public enum InitializeSchema {

    /** Only in a database in the memory of this process. */
    EMBEDDED,

    /** In every database. */
    ALWAYS,

    /** Never: a migration creates the table. */
    NEVER
}
