package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import java.time.Duration;

/**
 * Decides what happens to callers whose IDs are ahead of the clock. IDs may run ahead by {@code maxDrift}. Beyond that,
 * callers wait for the clock. If the wait would exceed {@code maxWait}, they are rejected. Waits and rejections are
 * counted. Immutable, except for the statistics.
 */
final class DriftBudget {

    /** The longest duration that counts: longer ones would overflow. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /**
     * How much longer than {@code maxWait} a caller waits if the clock is slewed, so that the awaited tick begins later
     * than expected.
     */
    private static final long SLEWED_MILLIS = 10;

    /** How much longer than necessary a caller sleeps at most if the drift is exhausted. */
    private static final long SLACK_MILLIS = 8;

    /** How far the clock must be behind for a caller to be told how IDs can resume before the clock has caught up. */
    private static final long LONG_MILLIS = 60_000;

    private final TimeSource time;
    private final IdLayout layout;
    private final boolean isLeased;
    private final long driftMillis;

    /** The clock that callers wait for. */
    final TickClock ticks;

    /** Counts waits, and callers that got no ID. */
    final StatisticsRecorder statistics = new StatisticsRecorder();

    /** How far IDs may run ahead of the clock. */
    final long driftTicks;

    /** How long a caller waits beyond that. */
    final long waitMillis;

    /**
     * How long a caller waits at most: longer than {@link #waitMillis}, because the clock may be slewed a little during
     * the wait.
     */
    final long atMostMillis;

    /**
     * How much longer than necessary a caller sleeps if the drift is exhausted: one long sleep is cheaper than many
     * short ones.
     */
    final long slackTicks;

    /** @param isLeased whether the worker ID is leased, so that a new process continues with another worker ID */
    DriftBudget(TimeSource time, IdLayout layout, Duration maxDrift, Duration maxWait, boolean isLeased) {
        this.time = time;
        this.layout = layout;
        this.isLeased = isLeased;
        ticks = new TickClock(time, layout);
        driftMillis = millis(maxDrift);
        waitMillis = millis(maxWait);
        atMostMillis = waitMillis + Math.min(ticks.startOf(1), SLEWED_MILLIS);
        driftTicks = Math.min(ticks.ticksIn(driftMillis), layout.endTick());
        slackTicks = Math.min(driftTicks / 4, ticks.ticksIn(Math.min(SLACK_MILLIS, waitMillis / 2)));
    }

    private static long millis(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toMillis() : LONGEST.toMillis();
    }

    /** Returns how far IDs may be ahead of the clock before callers get an exception. */
    Duration tolerated() {
        return Duration.ofMillis(driftMillis).plusMillis(waitMillis);
    }

    /**
     * Rejects slots if the tick of the last slot is too far ahead of the clock to wait for.
     *
     * @param slot the first slot
     * @param count the number of slots
     * @param leftMillis how long the caller may still wait
     * @throws ClockMovedBackwardsException if that is not long enough
     */
    void check(long slot, int count, long leftMillis) {
        long now = ticks.millis();
        long furthest = ticks.startOf(driftTicks) + Math.max(leftMillis, 0);
        long toLast = startOf(slot + count - 1) - now;
        if (toLast <= furthest) {
            return;
        }
        long toFirst = startOf(slot) - now;
        long behind = startOf(Math.max(slot - 1, 0)) - now;
        long tolerated = driftMillis + waitMillis;
        if (count > 1 && toFirst <= furthest) {
            String batch = "No ID issued: a batch of " + count
                    + " IDs needs %s ms of future ticks (tolerated: %s ms). Request fewer IDs at once";
            throw rejection(batch, toLast, tolerated);
        }
        throw behind > 0
                ? rejection(
                        "No ID issued: the clock is %s ms behind the last issued ID (tolerated: %s ms). IDs resume when it has caught up"
                                + wayOut(behind),
                        behind,
                        tolerated)
                : rejection(
                        "No ID issued: all IDs of this tick are used, and the next tick begins in %s ms (tolerated: %s ms)",
                        toFirst, tolerated);
    }

    /**
     * Returns what an operator can do if the clock was corrected by so much that waiting is no option; empty if it is
     * one.
     */
    private String wayOut(long behindMillis) {
        if (behindMillis < LONG_MILLIS) {
            return "";
        }
        return isLeased
                ? ", or if this process is restarted: it then leases another worker ID, unless the clock of the store is wrong, too"
                : ". Do not restart this process before: it would repeat IDs. IDs resume at once with a worker ID that was never used";
    }

    /**
     * Rejects the next slot if it is too far ahead of the clock to wait for. {@link #pause} checks the first tick
     * instead.
     */
    void check(Allocation mine, long slot) {
        if (mine.hasBegun()) {
            check(slot, 1, waitMillis);
        }
    }

    private long startOf(long slot) {
        return ticks.startOf(slot >>> layout.sequenceBits());
    }

    /**
     * Counts a rejected caller, and returns the exception for it.
     *
     * @param message a format for {@code behindMillis} and {@code toleratedMillis}, in this order
     */
    private ClockMovedBackwardsException rejection(String message, long behindMillis, long toleratedMillis) {
        Duration behind = Duration.ofMillis(behindMillis);
        Duration tolerated = Duration.ofMillis(toleratedMillis);
        String filled = message.formatted(behindMillis, toleratedMillis);
        return statistics.refused(Refusal.CLOCK, new ClockMovedBackwardsException(filled, behind, tolerated));
    }

    /**
     * Sleeps {@linkplain TickClock#approach towards} the clock's tick in which an ID of a later tick may be issued. May
     * return early.
     */
    void approach(long tick, long atMostMillis) {
        long begin = time.nanos();
        ticks.approach(tick - driftTicks + slackTicks, atMostMillis);
        statistics.waited(time.nanos() - begin);
    }

    /**
     * Sleeps until the fence may have moved: for a {@linkplain TickClock#pause pause} if the registry moves it, or
     * towards the first tick if the clock moves it. May return early.
     */
    void pause(Allocation current, long waitedMillis) {
        // The fence is read first: another thread may begin the first tick now, which moves the fence.
        long fence = current.fence();
        if (!current.hasBegun()) {
            approachFirst(fence, waitedMillis);
            return;
        }
        long begin = time.nanos();
        ticks.pause(waitedMillis, waitMillis - waitedMillis);
        statistics.waited(time.nanos() - begin);
    }

    /** Sleeps towards the first tick, which the clock must have reached: {@code maxDrift} does not apply to it. */
    private void approachFirst(long tick, long waitedMillis) {
        long left = ticks.startOf(tick) - ticks.millis();
        if (left > atMostMillis - waitedMillis) {
            String message = "No ID issued: the first ID can be issued at " + layout.timestampOf(tick)
                    + ", in %s ms (tolerated: %s ms), because another process with this worker ID may have used the tick of "
                    + layout.tick().toMillis() + " ms before it";
            throw rejection(message, left, waitMillis);
        }
        long begin = time.nanos();
        ticks.approach(tick, left);
        statistics.waited(time.nanos() - begin);
    }

    /**
     * Sleeps until another process can use the worker ID without repeating an ID. If ticks
     * {@linkplain TickClock#mayOutlastARestart may outlast a restart}, that is when the clock has reached the last tick
     * that was used, because the other process begins with the tick after it; otherwise when the clock has passed that
     * tick. The sleep takes at most {@code maxDrift} and a tick, even if the clock has stepped back farther. An
     * interrupt does not end the sleep.
     */
    void awaitUsed(long lastTick) {
        long until = Math.min(lastTick, ticks.current() + driftTicks) + (ticks.mayOutlastARestart() ? 0 : 1);
        long atMost = ticks.startOf(1) + driftMillis;
        long start = time.nanos();
        boolean interrupted = false;
        while (ticks.millis() < ticks.startOf(until) && time.millisSince(start) < atMost) {
            ticks.approach(until, atMost - time.millisSince(start));
            interrupted |= Thread.interrupted();
        }
        TimeSource.restoreInterrupt(interrupted);
    }
}
