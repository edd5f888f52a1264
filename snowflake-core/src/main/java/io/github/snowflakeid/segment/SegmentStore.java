package io.github.snowflakeid.segment;

import org.jspecify.annotations.Nullable;

/**
 * Where counters are kept that processes take segments of numbers from: a table, a Redis. It keeps one {@link Counter} per
 * name, for ever, and changes it by one atomic, conditional, durable write. What the numbers mean is no business of the store.
 *
 * <p>An implementation must guarantee that of several writes that have seen the same {@link Counter#token()} at most one is
 * carried out, also one whose answer was lost or that arrives late. What was written must be there after a restart of the store.
 * Each call must return or throw within a time that it bounds itself, a few seconds.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
 */
public interface SegmentStore {

    /**
     * What this store is called in messages and logs.
     *
     * @return a short name, without secrets, as {@code "table snowflake_counter at jdbc:postgresql://db1/shop"}
     */
    String description();

    /**
     * What kind of store this is, as {@code "jdbc"}.
     *
     * @return a word for meters and messages, the same for all stores of a kind; {@code "store"} unless overridden
     */
    default String kind() {
        return "store";
    }

    /**
     * Reads a counter.
     *
     * @param name the name of the counter
     * @return what is committed now; null if there is no counter of that name
     * @throws NumbersUnavailableException if the store cannot be used before somebody mends it, as when its table is missing;
     *     a generator that is being opened fails at once then
     * @throws RuntimeException if the counter cannot be read now
     */
    @Nullable
    Counter read(String name);

    /**
     * Writes a counter, if it still is as it was read.
     *
     * @param name the name of the counter
     * @param seen the counter as it was read; null if there was none
     * @param next what to write, with another token
     * @return whether it was written; {@code false} if the counter has another token meanwhile, if there is none any more, or if
     *     there is one where there was none. A client that repeats a write whose answer it has lost must answer {@code true}
     *     where the first one was carried out and the token of {@code next} still stands there
     * @throws NumbersUnavailableException if nothing was written, nor will be before somebody mends the store
     * @throws RuntimeException if it is not known whether it was written
     */
    boolean write(String name, @Nullable Counter seen, Counter next);

    /**
     * Nothing is asked for a while, perhaps for ever: a store with a connection of its own lets it go, and opens another one when it is
     * asked again. Does nothing unless overridden.
     */
    default void closeIdleConnections() {}

    /**
     * How far the numbers of a name have been taken.
     *
     * @param start the first number that was ever to be taken here
     * @param increment the distance from one number to the next: how many stores share the numbers
     * @param last the last number that was taken; {@code start - increment} if none was
     * @param token a random word that no other write has, at most 36 characters
     */
    record Counter(long start, int increment, long last, String token) {}
}
