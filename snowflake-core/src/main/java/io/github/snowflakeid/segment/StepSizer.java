package io.github.snowflakeid.segment;

import java.time.Duration;

/**
 * How many numbers are taken at once, and how early. Not safe for use by several threads. All times are nanoseconds from an
 * arbitrary start.
 *
 * <p>The step follows the mean rate since the last segment was taken, so that the next one lasts as long as it should. It grows
 * at most eightfold at a time: a burst of a moment must not waste a hundred thousand numbers. It shrinks at most by half.
 *
 * <p>The next segment is taken when what is left, less what goes before the next milestone, would be used up within four answers of
 * the store at the rate of the last milestones; an eighth of the segment is kept in any case.
 */
final class StepSizer {

    private static final int MOST_GROWTH = 8;
    private static final int ANSWERS_AHEAD = 4;

    /** How much of the slowest answer is remembered from one to the next. */
    private static final double MEMORY = 0.9;

    private final double minStep;
    private final double maxStep;
    private final double lasting;

    private long step;
    private double answer;

    /** Numbers a nanosecond, between the last two milestones. */
    private double rate;

    private long milestoneAt;
    private long usedAtMilestone;
    private long takenAt;
    private long usedWhenTaken;
    private boolean first = true;

    StepSizer(long minStep, long maxStep, Duration lasting) {
        this.minStep = minStep;
        this.maxStep = maxStep;
        this.lasting = (double) lasting.toNanos();
        step = minStep;
    }

    /**
     * How many numbers to take now.
     *
     * @param used how many numbers were issued so far
     */
    long step(long now, long used) {
        if (first) {
            first = false;
            milestoneAt = now;
        } else {
            double wanted = rate(used - usedWhenTaken, now - takenAt) * lasting;
            double near = Math.max(step / 2.0, Math.min((double) step * MOST_GROWTH, wanted));
            step = (long) Math.max(minStep, Math.min(maxStep, near));
        }
        takenAt = now;
        usedWhenTaken = used;
        return step;
    }

    /** The size of the segment that was asked for last. */
    long lastStep() {
        return step;
    }

    /** The store has answered. */
    void answered(long nanos) {
        answer = Math.max((double) nanos, answer * MEMORY);
    }

    /** A milestone was passed, or a segment begun. */
    void passed(long now, long used) {
        if (used > usedAtMilestone) {
            rate = rate(used - usedAtMilestone, now - milestoneAt);
        }
        milestoneAt = now;
        usedAtMilestone = used;
    }

    /** Whether it is time to take the next segment. */
    boolean isDue(Segment present) {
        double needed = Math.max((double) present.spacing(), ANSWERS_AHEAD * answer * rate);
        return present.left() - present.spacing() <= needed;
    }

    private static double rate(long numbers, long nanos) {
        return (double) numbers / Math.max(1, nanos);
    }
}
