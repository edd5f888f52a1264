package io.github.snowflakeid;

import java.util.OptionalLong;

/**
 * A source of unique 64-bit ids that ascend. Implementations are safe for use by any number of threads.
 *
 * @see SnowflakeIdGenerator
 * @see io.github.snowflakeid.segment.SegmentIdGenerator
 * @since 0.1.0
 */
public interface IdGenerator {

    /**
     * Makes one id.
     *
     * @return an id that no other call ever returned, not negative (zero only in the first tick of a layout's epoch, or where numbers
     *     start there); greater than every id that the calling thread got from this generator before
     * @throws SnowflakeException if no id can be made now; its subtypes say why
     */
    long nextId();

    /**
     * Makes one id, if that is possible without waiting: for threads that must not wait, as those of an event loop. Where there is
     * none, {@link #nextId()}, called by another thread, waits for one, or says what is wrong.
     *
     * @return an id with the guarantees of {@link #nextId()}; empty where that would wait or throw, or where others
     *     always claim first. Unless a generator overrides this, always empty: nobody else knows whether it would wait
     */
    default OptionalLong tryNextId() {
        return OptionalLong.empty();
    }

    /**
     * Makes several ids at once, which is cheaper than as many calls of {@link #nextId()}.
     *
     * @param count how many; 0 gives an empty array
     * @return {@code count} ids in ascending order, each with the guarantees of {@link #nextId()}; not necessarily
     *     consecutive
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws SnowflakeException if not all of them can be made; those already claimed are skipped, never issued later
     */
    default long[] nextIds(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative, but was " + count);
        }
        long[] ids = new long[count];
        nextIds(ids);
        return ids;
    }

    /**
     * Fills an array with ids, as {@link #nextIds(int)} does, without making a new one.
     *
     * @param ids filled from its first to its last place, in ascending order; if this throws, what is in it then must not
     *     be used
     * @throws SnowflakeException if not all of them can be made; those already claimed are skipped, never issued later
     */
    default void nextIds(long[] ids) {
        for (int i = 0; i < ids.length; i++) {
            ids[i] = nextId();
        }
    }
}
