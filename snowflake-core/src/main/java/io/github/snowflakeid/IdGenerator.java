package io.github.snowflakeid;

import java.util.OptionalLong;

/**
 * A source of unique, ascending 64-bit IDs. Implementations are safe for use by any number of threads.
 *
 * @see SnowflakeIdGenerator
 * @see io.github.snowflakeid.segment.SegmentIdGenerator
 * @since 1.0
 */
public interface IdGenerator {

    /**
     * Generates one ID.
     *
     * @return an ID that no other call has ever returned, greater than every ID that the calling thread got from this
     *     generator before. It is never negative. It is zero only in the first tick after a layout's epoch, or if
     *     sequential numbers start at zero.
     * @throws SnowflakeException if no ID can be issued now; the subtype indicates the reason
     */
    long nextId();

    /**
     * Generates one ID if that is possible without waiting. For threads that must not block, such as event-loop
     * threads. If the result is empty, call {@link #nextId()} on a thread that may block: it waits for an ID or throws
     * an exception with the reason.
     *
     * @return an ID with the guarantees of {@link #nextId()}; empty if that method would wait or throw, or if other
     *     threads keep claiming IDs first. The default implementation always returns empty, because it cannot know
     *     whether {@code nextId()} would wait.
     */
    default OptionalLong tryNextId() {
        return OptionalLong.empty();
    }

    /**
     * Returns the greatest ID that this generator may issue. Attributes that cannot hold it are rejected at startup.
     *
     * @return by default {@link Long#MAX_VALUE}
     */
    default long maxId() {
        return Long.MAX_VALUE;
    }

    /**
     * Generates several IDs at once. This is cheaper than the same number of calls to {@link #nextId()}.
     *
     * @param count the number of IDs; 0 returns an empty array
     * @return {@code count} IDs in ascending order, each with the guarantees of {@link #nextId()}; not necessarily
     *     consecutive
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws SnowflakeException if not all of the IDs can be issued; IDs that were already claimed are skipped and
     *     never issued later
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
     * Fills an existing array with IDs. Otherwise like {@link #nextIds(int)}.
     *
     * @param ids the array to fill from its first to its last element, in ascending order; if this method throws, do
     *     not use its contents
     * @throws SnowflakeException if not all of the IDs can be issued; IDs that were already claimed are skipped and
     *     never issued later
     */
    default void nextIds(long[] ids) {
        for (int i = 0; i < ids.length; i++) {
            ids[i] = nextId();
        }
    }
}
