package io.github.snowflakeid.segment;

import java.time.Duration;

/**
 * Told what becomes of the stores that a {@link SegmentIdGenerator} takes numbers from, by a thread of the library, or by the one
 * that opens the generator. Must return soon. Each method does nothing unless overridden.
 *
 * @since 0.1.0
 */
public interface SegmentListener {

    /**
     * A store does not answer, or its counter has moved back; the store is left out until it is repaired. Called each time that the
     * store is asked without success: every few milliseconds to every 30 s.
     *
     * @param store what the store is called
     * @param reason why it is left out; a {@link NumbersUnavailableException} where it answers, but somebody has to mend it
     */
    default void storeExcluded(String store, RuntimeException reason) {}

    /**
     * A store that was left out has answered.
     *
     * @param store what the store is called
     * @param away how long it was left out
     */
    default void storeRecovered(String store, Duration away) {}

    /**
     * There are no numbers for callers, or there will be none when those at hand are used up.
     *
     * @param reason why, and what to do
     */
    default void numbersEnded(NumbersUnavailableException reason) {}

    /**
     * There are numbers again.
     *
     * @param away how long after {@link #numbersEnded}
     */
    default void numbersResumed(Duration away) {}
}
