package io.github.snowflakeid.internal.properties;

/** The type of numbers that a generator issues. */
public enum GeneratorType {

    /** Time-ordered 64-bit IDs. */
    SNOWFLAKE,

    /** Sequential numbers, which are fetched in ranges from a counter in a store. */
    SEGMENT
}
