package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.PaddedLong;

/**
 * A range of numbers that this process alone may issue. Callers claim positions in it, from 0 on, by fetch-and-add: the word is the
 * next position. A caller that gets a position that is not below {@link #size} has claimed nothing: the segment is exhausted.
 *
 * <p>Positions are counted rather than numbers, because they cannot overflow: a segment may end at the last number that a
 * {@code long} can hold.
 */
final class Segment extends PaddedLong {

    /** What callers find where there are no numbers. */
    static final Segment NONE = new Segment(0, 1, 0, 0);

    /** Behind every position, and little enough to be added to for centuries. */
    private static final long BEHIND_ALL = 1L << 62;

    /** How many milestones a segment has. */
    private static final int MILESTONES = 8;

    final long size;

    private final long first;
    private final int increment;

    /** Which of the stores it was taken from. */
    final int store;

    /** A caller that claims this position, or one behind it, lets the supplier measure how fast numbers are issued. */
    private volatile long milestone;

    Segment(long first, int increment, long size, int store) {
        super(0);
        this.first = first;
        this.increment = increment;
        this.size = size;
        this.store = store;
        milestone = Math.min(size, spacing());
    }

    /** Claims positions: the result and those that follow. */
    long claim(long count) {
        return getAndAdd(count);
    }

    /** Whether a claimed position has a number, and asks for nothing else to be done. */
    boolean isBeforeMilestone(long position) {
        return position < milestone;
    }

    long numberAt(long position) {
        return first + position * increment;
    }

    /** How many positions were claimed. */
    long used() {
        return Math.min(get(), size);
    }

    long left() {
        return size - used();
    }

    /** The distance between two milestones. */
    long spacing() {
        return Math.max(1, size / MILESTONES);
    }

    /** Puts the milestone behind what was claimed. */
    void moveMilestone() {
        milestone = Math.min(size, (used() / spacing() + 1) * spacing());
    }

    /**
     * Claims all that is left, so that nobody else can.
     *
     * @return the first position that nobody had claimed; the size if there is none
     */
    long drain() {
        return Math.min(getAndSet(BEHIND_ALL), size);
    }
}
