package io.github.snowflakeid.internal.failure;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of {@link ConfigurationException}. Each has an entry in {@code docs/troubleshooting.md}. */
public enum Problem {

    // Properties

    /** A generator has a name that properties cannot have. */
    GENERATOR_NAME,
    /** A value has the wrong type or is out of range. */
    INVALID_PROPERTY,
    /** A property is set, but nothing uses it. */
    PROPERTY_WITHOUT_EFFECT,
    /** A property has a name that does not exist. */
    UNKNOWN_PROPERTY,
    /** A value refers to an environment variable or a property that is not set. */
    UNSET_PLACEHOLDER,

    // Layouts and worker IDs

    /** The registry has no worker ID left. */
    ALL_WORKER_IDS_LEASED,
    /** The clock of this machine differs too much from the store's. */
    CLOCK_SKEW,
    /** The layout does not exist, does not fit in 63 bits, or begins in the future. */
    INVALID_LAYOUT,
    /** A bean of the application returns a worker ID that the layout does not have. */
    INVALID_WORKER_ID,
    /** The timestamp field of the layout is exhausted. */
    LAYOUT_ENDED,
    /** Other processes generate IDs of another layout. */
    LAYOUT_MISMATCH,
    /** Nothing says which worker ID to use. */
    MISSING_WORKER_ID,
    /** The application was stopped while it waited for a worker ID. */
    STARTUP_CANCELLED,

    // Stores

    /** Several beans connect to stores, and none is preferred. */
    AMBIGUOUS_STORE,
    /** The client was not started, or is closed too early. */
    CLIENT_NOT_RUNNING,
    /** The key, file or node holds data of something else. */
    FOREIGN_DATA,
    /** User name or password are wrong. */
    LOGIN_REJECTED,
    /** A library is not on the class path. */
    MISSING_LIBRARY,
    /** The user may not read or write. */
    MISSING_PERMISSION,
    /** The strategy needs a store, but none is configured. */
    MISSING_STORE,
    /** The server or the connection is read-only. */
    READ_ONLY_STORE,
    /** The disk or the memory is full. */
    STORE_FULL,
    /** Another process holds a lock, or the server is too slow. */
    STORE_LOCKED,
    /** The store answered with an error. */
    STORE_REJECTED_CALL,
    /** The store does not answer. */
    STORE_UNREACHABLE,
    /** The store cannot be used before it is repaired. */
    STORE_UNUSABLE,
    /** Leases in the directory would be lost, or could be changed by others. */
    UNSUITABLE_DIRECTORY,

    // Databases

    /** Every connection of the pool is in use. */
    CONNECTION_POOL_EXHAUSTED,
    /** The server has no such database. */
    MISSING_DATABASE,
    /** No driver accepts the URL. */
    MISSING_DRIVER,
    /** The table accepts the same worker ID or counter twice. */
    MISSING_PRIMARY_KEY,
    /** The table does not exist. */
    MISSING_TABLE,
    /** The data source selects a database by the thread. */
    ROUTING_DATA_SOURCE,
    /** The table does not exist and cannot be created. */
    TABLE_NOT_CREATED,
    /** The library has no dialect for the database. */
    UNSUPPORTED_DATABASE,
    /** The table has other columns, or a column is too short. */
    WRONG_TABLE,

    // Sequential numbers

    /** Other processes use the counter with other stores or another first number. */
    COUNTER_MISMATCH,
    /** The counter lost numbers that were already issued. */
    COUNTER_MOVED_BACK,
    /** The counter reached its highest number. */
    NUMBERS_EXHAUSTED,

    // Generators

    /** Several generators exist, and none is preferred. */
    AMBIGUOUS_GENERATOR,
    /** A bean needs IDs before the store of the generator is ready. */
    GENERATOR_TOO_EARLY,
    /** There is no generator. */
    MISSING_GENERATOR,
    /** There is no generator of that name. */
    UNKNOWN_GENERATOR,

    // Attributes

    /** The mapper does not insert an annotated attribute. */
    ATTRIBUTE_NOT_INSERTED,
    /** The mapper cannot set an annotated attribute. */
    ATTRIBUTE_NOT_SETTABLE,
    /** The type of an annotated attribute cannot hold IDs. */
    ATTRIBUTE_TYPE,
    /** An annotated attribute also gets values from something else. */
    TWO_ORIGINS,

    // Public IDs

    /** There is no key, or it is no key. */
    PUBLIC_ID_KEY,
    /** An annotation is where it cannot have its effect. */
    PUBLIC_ID_MISPLACED,
    /** Another bean converts values without this library. */
    PUBLIC_ID_NOT_APPLIED,

    // ShardingSphere

    /** A property of the key generator is unknown. */
    KEY_GENERATOR_PROPERTIES;

    /**
     * Returns the anchor of the entry.
     *
     * @return the name in lower case, with hyphens
     */
    public String anchor() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Creates an exception.
     *
     * @param description the problem, in one line
     * @param action the solution, with lines that can be pasted
     * @return the exception
     */
    public ConfigurationException exception(String description, String action) {
        return exception(description, action, null);
    }

    /**
     * Creates an exception.
     *
     * @param description the problem, in one line
     * @param action the solution, with lines that can be pasted; null if none is known
     * @param cause the failure that shows the problem, or null
     * @return the exception
     */
    public ConfigurationException exception(String description, @Nullable String action, @Nullable Throwable cause) {
        return new ConfigurationException(anchor(), description, action, cause);
    }

    /**
     * Creates an exception for a failure whose message describes the problem.
     *
     * @param cause the failure
     * @param action the solution, with lines that can be pasted
     * @return the exception
     */
    public ConfigurationException exception(Throwable cause, String action) {
        return exception(String.valueOf(cause.getMessage()), action, cause);
    }

    /**
     * Returns the exception for a value below {@code snowflake.worker} that is invalid.
     *
     * @param value the failure; its message names the rule and the value
     * @param example valid lines to be pasted into {@code application.yml}
     * @return the exception
     */
    public static ConfigurationException invalid(IllegalArgumentException value, String example) {
        return INVALID_PROPERTY.exception(
                "Invalid '{snowflake}.worker': " + value.getMessage(),
                "Set valid values, for example:\n\n" + example,
                value);
    }
}
