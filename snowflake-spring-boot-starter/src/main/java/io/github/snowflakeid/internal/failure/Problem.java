package io.github.snowflakeid.internal.failure;

import io.github.snowflakeid.failure.ConfigurationException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of {@link ConfigurationException}. Each has an entry in {@code docs/troubleshooting.md}. */
public enum Problem {

    // Properties

    /** A generator has a name that properties cannot have. */
    GENERATOR_NAME,
    /** A value has the wrong type or is out of range. */
    INVALID_PROPERTY,
    /** A property is set, but has no effect. */
    PROPERTY_WITHOUT_EFFECT,
    /** A property does not exist. */
    UNKNOWN_PROPERTY,
    /** A value refers to an environment variable or a property that is not set. */
    UNSET_PLACEHOLDER,

    // Layouts and worker IDs

    /** All worker IDs are leased. */
    ALL_WORKER_IDS_LEASED,
    /** The clock of this machine differs too much from the clock of the store. */
    CLOCK_SKEW,
    /** The layout does not exist, does not fit into 63 bits, or begins in the future. */
    INVALID_LAYOUT,
    /** A bean of the application returned a worker ID that does not fit into the layout. */
    INVALID_WORKER_ID,
    /** The timestamp field of the layout is exhausted. */
    LAYOUT_ENDED,
    /** Other processes generate IDs of another layout. */
    LAYOUT_MISMATCH,
    /** No worker ID is configured, and there is no store to lease one from. */
    MISSING_WORKER_ID,
    /** The application was stopped while it waited for a worker ID. */
    STARTUP_CANCELLED,

    // Stores

    /** Several beans connect to stores, and none of them is primary; or a store has several datacenters. */
    AMBIGUOUS_STORE,
    /** The client was not started, or was closed too early. */
    CLIENT_NOT_RUNNING,
    /** The key, file or node contains data that this library did not write. */
    FOREIGN_DATA,
    /** The user name or password is wrong. */
    LOGIN_REJECTED,
    /** A library is not on the class path. */
    MISSING_LIBRARY,
    /** The user lacks a permission to read or write. */
    MISSING_PERMISSION,
    /** The strategy needs a store, but none is configured. */
    MISSING_STORE,
    /** The server or the connection is read-only. */
    READ_ONLY_STORE,
    /** The clock of the store was ahead, so IDs with later timestamps may exist. */
    STORE_CLOCK_AHEAD,
    /** The disk or the memory of the store is full. */
    STORE_FULL,
    /** Another process holds a lock, or the server is too slow. */
    STORE_LOCKED,
    /** The store answered with an error. */
    STORE_REJECTED_CALL,
    /** The store is inside this process, while others may use the application's database. */
    STORE_OF_ONE_PROCESS,
    /** The store does not answer. */
    STORE_UNREACHABLE,
    /** The store cannot be used until it is repaired. */
    STORE_UNUSABLE,
    /** Leases in the directory could be lost or changed by others. */
    UNSUITABLE_DIRECTORY,

    // Databases

    /** A table of that name exists in several schemas, and not every connection finds the same one. */
    AMBIGUOUS_TABLE,
    /** All connections of the pool are in use. */
    CONNECTION_POOL_EXHAUSTED,
    /** The database does not exist on the server. */
    MISSING_DATABASE,
    /** No driver accepts the URL. */
    MISSING_DRIVER,
    /** The table accepts the same worker ID or counter twice. */
    MISSING_PRIMARY_KEY,
    /** The table does not exist. */
    MISSING_TABLE,
    /** The data source routes to different databases, depending on the thread. */
    ROUTING_DATA_SOURCE,
    /** The table does not exist and cannot be created. */
    TABLE_NOT_CREATED,
    /** The library does not support the database. */
    UNSUPPORTED_DATABASE,
    /** The table has other columns, or a column is too short. */
    WRONG_TABLE,

    // Sequential numbers

    /** Other processes use the counter with other stores or another initial value. */
    COUNTER_MISMATCH,
    /** The counter lost numbers that were already issued. */
    COUNTER_MOVED_BACK,
    /** The counter has reached its highest number. */
    NUMBERS_EXHAUSTED,

    // Document numbers

    /** The series has numbers of another format, or numbers that it should continue after. */
    NUMBER_SERIES_MISMATCH,

    // Generators

    /** There are several generators, and none of them is primary. */
    AMBIGUOUS_GENERATOR,
    /** A bean needs IDs before the generator's store is ready. */
    GENERATOR_TOO_EARLY,
    /** There is no generator. */
    MISSING_GENERATOR,
    /** There is no generator with the given name. */
    UNKNOWN_GENERATOR,

    // Attributes

    /** The mapper does not insert an annotated attribute. */
    ATTRIBUTE_NOT_INSERTED,
    /** The mapper cannot set an annotated attribute. */
    ATTRIBUTE_NOT_SETTABLE,
    /** The type of an annotated attribute cannot hold IDs. */
    ATTRIBUTE_TYPE,
    /** An annotated attribute also gets its values from another source. */
    TWO_ORIGINS,

    // Public IDs

    /** There is no valid key for public IDs. */
    PUBLIC_ID_KEY,
    /** An annotation is in a place where it cannot have an effect. */
    PUBLIC_ID_MISPLACED,
    /** Another bean converts values without using this library. */
    PUBLIC_ID_NOT_APPLIED,

    // ShardingSphere

    /** A property of the key generator is unknown. */
    KEY_GENERATOR_PROPERTIES;

    /**
     * Returns the anchor of this problem in {@code docs/troubleshooting.md}.
     *
     * @return the name in lower case, with hyphens
     */
    public String anchor() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Creates an exception.
     *
     * @param description the problem in one line
     * @param action the solution, with lines to paste
     * @return the exception
     */
    public ConfigurationException exception(String description, String action) {
        return exception(description, action, null);
    }

    /**
     * Creates an exception.
     *
     * @param description the problem in one line
     * @param action the solution, with lines to paste; null if none is known
     * @param cause the failure that revealed the problem, or null
     * @return the exception
     */
    public ConfigurationException exception(String description, @Nullable String action, @Nullable Throwable cause) {
        boolean isUnknown = action == null && this == STORE_REJECTED_CALL;
        return new ConfigurationException(
                anchor(), description, isUnknown ? "Remove the cause that the message names." : action, cause);
    }

    /**
     * Creates an exception for a failure whose message describes the problem.
     *
     * @param cause the failure
     * @param action the solution, with lines to paste
     * @return the exception
     */
    public ConfigurationException exception(Throwable cause, String action) {
        return exception(String.valueOf(cause.getMessage()), action, cause);
    }

    /**
     * Returns the exception for an invalid value of a property.
     *
     * @param value the failure; its message names the rule and the value
     * @param property the property, as in a template of {@link ConfigurationException}
     * @param example a valid value
     * @return the exception
     */
    public static ConfigurationException invalid(IllegalArgumentException value, String property, String example) {
        return INVALID_PROPERTY.exception(
                "Invalid '%s': %s".formatted(property, value.getMessage()),
                "Set a valid value, for example:\n\n%s: %s".formatted(property, example),
                value);
    }
}
