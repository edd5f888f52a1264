package io.github.snowflakeid;

import java.time.Duration;

/**
 * How far ids may run ahead of the clock, and how long a caller waits beyond that: one budget for every trouble with the
 * clock. Immutable.
 */
final class Budget {

    /** As good as forever; what is longer would only overflow. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** The longest sleep at the end of the drift. */
    private static final long SLACK_MILLIS = 8;

    private final Time time;
    private final Ticks ticks;
    private final long driftMillis;

    /** How far ids may run ahead of the clock. */
    final long driftTicks;

    /** How long a caller waits beyond that. */
    final long waitMillis;

    /** How much longer than it must a caller sleeps who has used up the drift: one long sleep is cheaper than many. */
    final long slackTicks;

    Budget(Time time, Ticks ticks, IdLayout layout, Duration maxDrift, Duration maxWait) {
        this.time = time;
        this.ticks = ticks;
        driftMillis = millis(maxDrift);
        waitMillis = millis(maxWait);
        driftTicks = Math.min(ticks.ticksIn(driftMillis), layout.endTick());
        slackTicks = Math.min(driftTicks / 4, ticks.ticksIn(Math.min(SLACK_MILLIS, waitMillis / 2)));
    }

    private static long millis(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toMillis() : LONGEST.toMillis();
    }

    /**
     * Refuses a slot whose tick is too far ahead of the clock to wait for.
     *
     * @param tick that of the slot
     * @param tickBefore that of the slot before
     * @param leftMillis how long the caller may still wait
     * @throws ClockMovedBackwardsException if that is not enough
     */
    void check(long tick, long tickBefore, long leftMillis) {
        long now = ticks.millis();
        long toOwn = ticks.startOf(tick) - now;
        if (toOwn - ticks.startOf(driftTicks) <= Math.max(leftMillis, 0)) {
            return;
        }
        long toLast = ticks.startOf(tickBefore) - now;
        long tolerated = driftMillis + waitMillis;
        String message = toLast > 0
                ? "Clock is %d ms behind the last issued id (tolerated: %d ms); no id issued"
                        .formatted(toLast, tolerated)
                : "All ids of this tick are used and the next tick begins in %d ms (tolerated: %d ms); no id issued"
                        .formatted(toOwn, tolerated);
        throw new ClockMovedBackwardsException(
                message, Duration.ofMillis(toLast > 0 ? toLast : toOwn), Duration.ofMillis(tolerated));
    }

    /**
     * Sleeps until the clock has passed a tick, as far as the drift allows it to be ahead; an interrupt does not end it.
     */
    void awaitPassed(long lastTick) {
        long until = Math.min(lastTick, ticks.current() + driftTicks) + 1;
        long atMost = ticks.startOf(1) + driftMillis;
        long start = time.nanos();
        boolean interrupted = false;
        while (ticks.millis() < ticks.startOf(until) && time.millisSince(start) < atMost) {
            ticks.approach(until, atMost - time.millisSince(start));
            interrupted |= Thread.interrupted();
        }
        Time.keepInterrupt(interrupted);
    }
}
