package io.github.snowflakeid.segment;

import java.time.Duration;

/**
 * Decides how many numbers to reserve at a time, and how early. Not safe for use by several threads at a time. All
 * times are in nanoseconds from an arbitrary origin.
 *
 * <p>The step follows the mean rate since the last segment was reserved, so that the next segment lasts for the target
 * duration. It grows at most eightfold at a time, so that a short burst does not waste a hundred thousand numbers, and
 * shrinks at most by half.
 *
 * <p>The next segment is due when the numbers that will remain at the next milestone are at most an eighth of the
 * segment, or would be used within four response times of the store at the rate of the last milestones.
 */
final class StepSizer {

    private static final int MOST_GROWTH = 8;
    private static final int ANSWERS_AHEAD = 4;

    /** The share of the slowest response time that is carried over from one response to the next. */
    private static final double DECAY = 0.9;

    private final double minStep;
    private final double maxStep;
    private final double targetNanos;

    private long step;
    private double answer;

    /** Numbers per nanosecond between the last two milestones. */
    private double rate;

    private long milestoneAt;
    private long usedAtMilestone;
    private long reservedAt;
    private long usedWhenReserved;
    private boolean first = true;

    StepSizer(long minStep, long maxStep, Duration target) {
        this.minStep = minStep;
        this.maxStep = maxStep;
        this.targetNanos = (double) target.toNanos();
        step = minStep;
    }

    /**
     * Returns how many numbers to reserve now.
     *
     * @param used how many numbers were issued so far
     */
    long step(long now, long used) {
        if (first) {
            first = false;
            milestoneAt = now;
        } else {
            double wanted = rate(used - usedWhenReserved, now - reservedAt) * targetNanos;
            double bounded = Math.max(step / 2.0, Math.min((double) step * MOST_GROWTH, wanted));
            step = (long) Math.max(minStep, Math.min(maxStep, bounded));
        }
        reservedAt = now;
        usedWhenReserved = used;
        return step;
    }

    /** Returns the size of the segment that was requested last. */
    long lastStep() {
        return step;
    }

    /** Records the response time of a store. */
    void answered(long nanos) {
        answer = Math.max((double) nanos, answer * DECAY);
    }

    /** Records that a milestone was passed, or that a segment has become the current one. */
    void passed(long now, long used) {
        if (used > usedAtMilestone) {
            rate = rate(used - usedAtMilestone, now - milestoneAt);
        }
        milestoneAt = now;
        usedAtMilestone = used;
    }

    /** Returns whether it is time to reserve the next segment. */
    boolean isDue(Segment current) {
        double needed = Math.max((double) current.spacing(), ANSWERS_AHEAD * answer * rate);
        return current.left() - current.spacing() <= needed;
    }

    private static double rate(long numbers, long nanos) {
        return (double) numbers / Math.max(1, nanos);
    }
}
