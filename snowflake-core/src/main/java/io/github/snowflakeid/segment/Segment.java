package io.github.snowflakeid.segment;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Keeps what is before it in memory off the line of {@link Claimed}. Two lines of 64 bytes, since processors fetch pairs. */
class RoomBefore {
    long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
}

/** The one word that all callers write. Others that they only read would be fetched again and again if they were near. */
class Claimed extends RoomBefore {
    volatile long claimed;
}

/** Keeps what comes after it off the line of {@link Claimed}. */
class RoomAfter extends Claimed {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
}

/**
 * A range of numbers that this process alone may issue. Callers claim positions in it, from 0 on, by fetch-and-add. Whoever
 * gets a position that is not below {@link #size} has claimed nothing: the segment is used up.
 *
 * <p>Positions are counted rather than numbers, because they cannot overflow: a segment may end at the last number that a
 * {@code long} can hold.
 */
final class Segment extends RoomAfter {

    /** What callers find where there are no numbers. */
    static final Segment NONE = new Segment(0, 1, 0, 0);

    private static final AtomicLongFieldUpdater<Claimed> CLAIMED =
            AtomicLongFieldUpdater.newUpdater(Claimed.class, "claimed");

    /** Behind every position, and little enough to be added to for centuries. */
    private static final long BEHIND_ALL = 1L << 62;

    /** How many milestones a segment has. */
    private static final int MILESTONES = 8;

    final long size;

    private final long first;
    private final int increment;

    /** Which of the stores it was taken from. */
    final int store;

    /** Who claims this position, or one behind it, lets the supply look how fast numbers go. */
    private volatile long milestone;

    Segment(long first, int increment, long size, int store) {
        this.first = first;
        this.increment = increment;
        this.size = size;
        this.store = store;
        milestone = Math.min(size, spacing());
    }

    /** Claims positions: the result and those that follow. */
    long claim(long count) {
        return CLAIMED.getAndAdd(this, count);
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
        return Math.min(claimed, size);
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
        return Math.min(CLAIMED.getAndSet(this, BEHIND_ALL), size);
    }
}
