package io.github.snowflakeid;

/**
 * A generator that holds something in a store or in this process, such as a lease or a range of numbers: it can be closed to release
 * that, and opened again. Implementations are safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public interface ManagedIdGenerator extends IdGenerator, AutoCloseable {

    /**
     * Returns the name that the generator was built with.
     *
     * @return the name; of a {@link io.github.snowflakeid.segment.SegmentIdGenerator} that of its counter
     */
    String name();

    /**
     * Closes the generator, and releases what it holds. Later calls for an ID get a {@link GeneratorClosedException}. Closing a closed
     * generator does nothing.
     */
    @Override
    void close();

    /**
     * Opens the generator again after {@link #close()}. IDs continue; none is repeated. Opening an open generator does nothing.
     *
     * @throws SnowflakeException if the generator cannot get what it needs; it remains closed then
     */
    void reopen();
}
