package io.github.snowflakeid;

import io.github.snowflakeid.GeneratorStatistics.Refusal;
import java.time.Duration;

/**
 * How far IDs may run ahead of the clock, and how long a caller waits beyond that: one budget for every problem with the clock. Immutable,
 * except for the statistics.
 */
final class DriftBudget {

    /** As good as forever; longer durations would overflow. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** How much later a tick may begin than it seemed when a caller began to wait for it. */
    private static final long SLEWED_MILLIS = 10;

    /** The longest sleep at the end of the drift. */
    private static final long SLACK_MILLIS = 8;

    private final TimeSource time;
    private final IdLayout layout;
    private final long driftMillis;

    /** The clock that callers wait for. */
    final TickClock ticks;

    /** Counts waits and refusals. */
    final StatisticsRecorder statistics = new StatisticsRecorder();

    /** How far IDs may run ahead of the clock. */
    final long driftTicks;

    /** How long a caller waits beyond that. */
    final long waitMillis;

    /** How long a caller waits at most: the clock may be slewed a little meanwhile. */
    final long atMostMillis;

    /** How much longer than necessary a caller sleeps if the drift is exhausted: one long sleep is cheaper than many. */
    final long slackTicks;

    DriftBudget(TimeSource time, IdLayout layout, Duration maxDrift, Duration maxWait) {
        this.time = time;
        this.layout = layout;
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
     * Rejects slots if the tick of the last one is too far ahead of the clock to wait for.
     *
     * @param slot the first one
     * @param count how many there are
     * @param leftMillis how long the caller may still wait
     * @throws ClockMovedBackwardsException if that is not enough
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
            String batch = "A batch of " + count + " IDs needs %d ms of future ticks (tolerated: %d ms); no ID issued";
            throw refusal(batch, toLast, tolerated);
        }
        throw behind > 0
                ? refusal(
                        "Clock is %d ms behind the last issued id (tolerated: %d ms); no id issued", behind, tolerated)
                : refusal(
                        "All ids of this tick are used and the next tick begins in %d ms (tolerated: %d ms); no id issued",
                        toFirst, tolerated);
    }

    /** Rejects the next slot if it is too far ahead of the clock to wait for. The first tick has another check. */
    void check(Allocation mine, long slot) {
        if (mine.hasBegun()) {
            check(slot, 1, waitMillis);
        }
    }

    private long startOf(long slot) {
        return ticks.startOf(slot >>> layout.sequenceBits());
    }

    /** @param message with places for the two numbers */
    private ClockMovedBackwardsException refusal(String message, long behindMillis, long toleratedMillis) {
        Duration behind = Duration.ofMillis(behindMillis);
        Duration tolerated = Duration.ofMillis(toleratedMillis);
        String filled = message.formatted(behindMillis, toleratedMillis);
        return statistics.refused(Refusal.CLOCK, new ClockMovedBackwardsException(filled, behind, tolerated));
    }

    /** Lets a caller {@linkplain TickClock#approach approach} the tick that its id has to wait for. */
    void approach(long tick, long atMostMillis) {
        long begin = time.nanos();
        ticks.approach(tick - driftTicks + slackTicks, atMostMillis);
        statistics.waited(time.nanos() - begin);
    }

    /** Lets a caller wait for the fence: {@linkplain TickClock#pause pause}, or approach the first tick if the clock moves the fence. */
    void pause(Allocation current, long waitedMillis) {
        // In this order: another thread may begin it at this moment.
        long fence = current.fence();
        if (!current.hasBegun()) {
            approachFirst(fence, waitedMillis);
            return;
        }
        long begin = time.nanos();
        ticks.pause(waitedMillis, waitMillis - waitedMillis);
        statistics.waited(time.nanos() - begin);
    }

    /** Drift does not bring the first tick nearer. */
    private void approachFirst(long tick, long waitedMillis) {
        long left = ticks.startOf(tick) - ticks.millis();
        if (left > atMostMillis - waitedMillis) {
            String message = "IDs are issued from " + layout.timestampOf(tick) + " on, in %d ms (tolerated: %d ms),"
                    + " because another process may have used the tick of "
                    + layout.tick().toMillis() + " ms before it with this worker ID; no ID issued";
            throw refusal(message, left, waitMillis);
        }
        long begin = time.nanos();
        ticks.approach(tick, left);
        statistics.waited(time.nanos() - begin);
    }

    /**
     * Sleeps until another process may continue after a tick, as far as the drift allows it to be ahead; an interrupt does not end the
     * sleep. With ticks that {@linkplain TickClock#mayOutlastARestart outlast a restart}, that is when the clock has reached it, else when
     * it has passed it.
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
        TimeSource.keepInterrupt(interrupted);
    }
}
