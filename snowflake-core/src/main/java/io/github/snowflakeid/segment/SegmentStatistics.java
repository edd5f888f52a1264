package io.github.snowflakeid.segment;

import java.time.Duration;

/**
 * Figures about a {@link SegmentIdGenerator} since it was built. Immutable. The figures are read one after the other
 * while callers may be getting numbers, so they need not match exactly.
 *
 * @since 1.0
 */
public sealed interface SegmentStatistics permits SegmentValues {

    /**
     * Returns how many numbers were issued.
     *
     * @return never decreases
     */
    long issued();

    /**
     * Returns how long callers have waited for a segment in total.
     *
     * @return the sum of all waits
     */
    Duration waited();

    /**
     * Returns how many calls got no number.
     *
     * @return never decreases
     */
    long refused();

    /**
     * Returns how many segments were reserved in a store.
     *
     * @return never decreases
     */
    long fetches();

    /**
     * Returns how often reserving a segment failed.
     *
     * @return never decreases
     */
    long failures();

    /**
     * Returns the size of the segment that was requested last.
     *
     * @return a count of numbers
     */
    long step();

    /**
     * Returns how many numbers can be issued without contacting a store.
     *
     * @return a count of numbers
     */
    long remaining();

    /**
     * Returns the last number that was reserved in a store. It may not have been issued yet.
     *
     * @return one less than the initial value if none was reserved
     */
    long last();
}
