package io.github.snowflakeid;

/**
 * A generator that holds a resource in a store or in this process, such as a lease or a range of numbers. Closing the
 * generator releases the resource; the generator can be opened again later. Implementations are safe for use by any
 * number of threads.
 *
 * @since 1.0
 */
public interface ManagedIdGenerator extends IdGenerator, AutoCloseable {

    /**
     * Returns the name that the generator was built with.
     *
     * @return the name; for a {@link io.github.snowflakeid.segment.SegmentIdGenerator}, the name of its counter
     */
    String name();

    /**
     * Closes the generator and releases its resource. Later calls for an ID get a {@link GeneratorClosedException}.
     * Closing a closed generator does nothing.
     */
    @Override
    void close();

    /**
     * Opens the generator again after {@link #close()}. IDs continue; none is repeated. Opening an open generator does
     * nothing.
     *
     * @throws SnowflakeException if the generator cannot acquire its resource; it remains closed then
     */
    void reopen();
}
