package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.PaddedLong;

/**
 * A range of numbers that only this process may issue. Callers claim positions in it, from 0 on, by fetch-and-add on
 * the word, which holds the next position. A caller that gets a position at or beyond {@link #size} has claimed
 * nothing: the segment is exhausted.
 *
 * <p>The word counts positions rather than numbers because positions cannot overflow, while a segment may end at the
 * highest number that a {@code long} can hold.
 */
final class Segment extends PaddedLong {

    /** Below every number. */
    static final long NOTHING = Long.MIN_VALUE;

    /** The empty segment, from which callers claim while there are no numbers. */
    static final Segment NONE = new Segment(0, 1, 0, 0, NOTHING);

    /**
     * Beyond every position, and so far below the limit of a {@code long} that callers could add to it for centuries.
     */
    private static final long BEYOND_ALL = 1L << 62;

    /** The number of milestones of a segment. */
    private static final int MILESTONES = 8;

    final long size;

    private final long first;
    private final int increment;

    /** The index of the store in which the segment was reserved. */
    final int store;

    /**
     * The last number that this process held in that store before the segment; {@link #NOTHING} if it held none.
     * Numbers between the two belong to other processes, which may return them.
     */
    final long heldBefore;

    /** A caller that claims this position or a later one has the supplier measure how fast numbers are issued. */
    private volatile long milestone;

    Segment(long first, int increment, long size, int store, long heldBefore) {
        super(0);
        this.first = first;
        this.increment = increment;
        this.size = size;
        this.store = store;
        this.heldBefore = heldBefore;
        milestone = Math.min(size, spacing());
    }

    /** Claims consecutive positions and returns the first of them. */
    long claim(long count) {
        return getAndAdd(count);
    }

    /**
     * Returns whether a claimed position is before the next milestone, so that its number can be issued without any
     * further work.
     */
    boolean isBeforeMilestone(long position) {
        return position < milestone;
    }

    long numberAt(long position) {
        return first + position * increment;
    }

    long last() {
        return numberAt(size - 1);
    }

    /** Returns how many positions were claimed. */
    long used() {
        return Math.min(get(), size);
    }

    long left() {
        return size - used();
    }

    /** Returns the distance between two milestones. */
    long spacing() {
        return Math.max(1, size / MILESTONES);
    }

    /** Moves the milestone past the claimed positions. */
    void moveMilestone() {
        milestone = Math.min(size, (used() / spacing() + 1) * spacing());
    }

    /**
     * Claims all remaining positions, so that no other caller can, and returns their numbers as a new segment, which
     * may be empty.
     */
    Segment drain() {
        long from = Math.min(getAndSet(BEYOND_ALL), size);
        return new Segment(numberAt(from), increment, size - from, store, from > 0 ? numberAt(from - 1) : heldBefore);
    }
}
