package io.github.snowflakeid.segment;

import java.time.Duration;

/**
 * Receives events of a {@link SegmentIdGenerator} about its stores and numbers. Each method does nothing unless
 * overridden.
 *
 * <p>Methods are called in the order of the events, one at a time, in threads that the library starts for that. The
 * generator does not wait for a listener, so a listener may close or reopen the generator, ask it for numbers, or end
 * the JVM. The generator may have changed again when the listener is called.
 *
 * @since 1.0
 */
public interface SegmentListener {

    /**
     * Called when a store does not answer or its counter has moved back. The store is excluded until it recovers.
     * Called for each failed attempt: every few milliseconds to every 30 s.
     *
     * @param store the description of the store
     * @param reason why it is excluded; a {@link NumbersUnavailableException} if the store answers but has to be
     *     repaired
     */
    default void storeExcluded(String store, RuntimeException reason) {}

    /**
     * Called when an excluded store has answered.
     *
     * @param store the description of the store
     * @param outage how long it was excluded
     */
    default void storeRecovered(String store, Duration outage) {}

    /**
     * Called when callers get no numbers, or will get none once the reserved numbers are used.
     *
     * @param reason why, and how to fix it
     */
    default void numbersEnded(NumbersUnavailableException reason) {}

    /**
     * Called when there are numbers again.
     *
     * @param outage the time since {@link #numbersEnded numbersEnded}
     */
    default void numbersResumed(Duration outage) {}
}
