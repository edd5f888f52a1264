package io.github.snowflakeid.segment;

import java.time.Duration;

/**
 * Figures about a {@link SegmentIdGenerator} since it was built. Immutable. The figures are read one after the other while callers may be
 * getting numbers, so they need not match exactly.
 *
 * @since 0.1.0
 */
public final class SegmentStatistics {

    private final Figures figures;

    SegmentStatistics(Figures figures) {
        this.figures = figures;
    }

    /**
     * Returns how many numbers were issued.
     *
     * @return never decreases
     */
    public long issued() {
        return figures.issued();
    }

    /**
     * Returns how long callers have waited for a segment in total.
     *
     * @return the sum of all waits
     */
    public Duration waited() {
        return figures.waited();
    }

    /**
     * Returns how many calls got no number.
     *
     * @return never decreases
     */
    public long refused() {
        return figures.refused();
    }

    /**
     * Returns how many segments were reserved in a store.
     *
     * @return never decreases
     */
    public long fetches() {
        return figures.fetches();
    }

    /**
     * Returns how often reserving a segment failed.
     *
     * @return never decreases
     */
    public long failures() {
        return figures.failures();
    }

    /**
     * Returns the size of the segment that was requested last.
     *
     * @return a count of numbers
     */
    public long step() {
        return figures.step();
    }

    /**
     * Returns how many numbers can be issued without contacting a store.
     *
     * @return a count of numbers
     */
    public long remaining() {
        return figures.remaining();
    }

    /**
     * Returns the last number that was reserved in a store. It may not have been issued yet.
     *
     * @return one less than the initial value if none was reserved
     */
    public long last() {
        return figures.last();
    }

    @Override
    public String toString() {
        return "SegmentStatistics"
                + figures.toString().substring(Figures.class.getSimpleName().length());
    }

    /** The figures, named like the accessors. */
    record Figures(
            long issued,
            Duration waited,
            long refused,
            long fetches,
            long failures,
            long step,
            long remaining,
            long last) {}
}
