package io.github.snowflakeid.segment;

import org.jspecify.annotations.Nullable;

/**
 * Stores counters from which processes reserve segments of numbers, for example in a table or in Redis. It keeps one
 * {@link Counter} per name permanently, and changes it by one atomic, conditional, durable write. The store does not
 * interpret the numbers.
 *
 * <p>If several writes expect the same {@link Counter#token()}, an implementation must guarantee that at most one of
 * them takes effect, even if its answer was lost or it arrives late. A confirmed write must survive a restart of the
 * store.
 *
 * <p>The generator waits for at most 4.5 s for a call, which runs in a thread that is started for it. The effect of a
 * call that is given up may still happen later. The first call that is given up keeps running, because it may be
 * opening a connection that other calls need; further ones are interrupted. While four of them are still running, new
 * calls fail at once.
 *
 * <p>Implementations must be safe for use by any number of threads. Test them with {@code SegmentStoreContract} from
 * the test jar of the core.
 *
 * @since 1.0
 */
public interface SegmentStore {

    /**
     * Returns a description of this store for messages and logs.
     *
     * @return a short description without secrets, such as
     *     {@code "table snowflake_counter at jdbc:postgresql://db1/shop"}
     */
    String description();

    /**
     * Returns the kind of this store, such as {@code "jdbc"}.
     *
     * @return a word for meters and messages, the same for all stores of a kind; {@code "store"} unless overridden
     */
    default String kind() {
        return "store";
    }

    /**
     * Called before a generator is opened that has no other store. A store may open its first connection, for as long
     * as its clients usually wait for one: {@code maxWait} begins when this method has returned. Does nothing unless
     * overridden.
     *
     * @throws RuntimeException if there is no connection
     */
    default void connect() {}

    /**
     * Reads a counter.
     *
     * @param name the name of the counter
     * @return the committed counter; null if there is no counter of that name
     * @throws NumbersUnavailableException if the store cannot be used until it is repaired, for example because its
     *     table is missing; a generator that is being opened then fails at once
     * @throws RuntimeException if the counter cannot be read at the moment
     */
    @Nullable
    Counter read(String name);

    /**
     * Writes a counter if it has not changed since it was read.
     *
     * @param name the name of the counter
     * @param seen the counter as it was read; null if there was none
     * @param next the counter to write, with another token
     * @return whether the counter was written; {@code false} if the counter now has another token, if it no longer
     *     exists, or if it exists although {@code seen} is null. A client that repeats a write whose answer was lost
     *     must return {@code true} if the first attempt took effect and the counter still has the token of {@code next}
     * @throws NumbersUnavailableException if nothing was written and nothing can be written until the store is repaired
     * @throws RuntimeException if it is unknown whether the counter was written
     */
    boolean write(String name, @Nullable Counter seen, Counter next);

    /**
     * Called when no further calls are expected for a while, possibly for the rest of the process. A store with a
     * dedicated connection closes it and opens a new one on the next call. Does nothing unless overridden.
     */
    default void closeIdleConnections() {}

    /**
     * The state of a counter: how far its numbers have been reserved.
     *
     * @param start the first number of this counter
     * @param increment the distance between two numbers, which is the number of stores that share the numbers
     * @param last the last number that was reserved; {@code start - increment} if none was
     * @param token a random text that no other write has, at most 36 characters
     */
    record Counter(long start, int increment, long last, String token) {}
}
