package io.github.snowflakeid;

import java.time.Instant;

/**
 * The clock that provides the timestamps of IDs, counted in ticks of a layout since its epoch. Safe for use by any
 * number of threads.
 */
final class TickClock {

    /** The longest time that a ticker sleeps between two reads of the clock. */
    private static final long LONGEST_TICK_MILLIS = 10;

    /** The shortest time in which a process can be killed and started again. */
    private static final long SHORTEST_RESTART_MILLIS = 10;

    /** The shortest time that a caller sleeps while it waits for the fence. */
    private static final long SHORTEST_PAUSE_MILLIS = 10;

    /** The longest time that a caller sleeps while it waits for the fence. */
    private static final long LONGEST_PAUSE_MILLIS = 100;

    /**
     * The longest time that a caller sleeps while it waits for the clock. It wakes up in between because the clock may
     * step and the generator may be closed during the wait. It does so rarely, because many waiting callers would
     * otherwise use much processor time.
     */
    private static final long LONGEST_WAIT_MILLIS = 1000;

    /**
     * A caller spins instead of sleeping for a shorter time: a thread that sleeps wakes up about 50 microseconds late
     * in any case.
     */
    private static final long SHORTEST_SLEEP_NANOS = 5_000;

    private final TimeSource time;
    private final boolean system;
    private final long epochMillis;
    private final long tickMillis;

    TickClock(TimeSource time, IdLayout layout) {
        this.time = time;
        system = time.isSystem();
        epochMillis = layout.epoch().toEpochMilli();
        tickMillis = layout.tick().toMillis();
    }

    /** Returns the time of the clock in milliseconds since the epoch; negative before it. */
    long millis() {
        return (system ? TimeSource.systemMillis() : time.millis()) - epochMillis;
    }

    /** Returns the clock's tick; negative before the epoch. */
    long current() {
        return tickMillis == 1 ? millis() : Math.floorDiv(millis(), tickMillis);
    }

    /** Returns the start of a tick, in milliseconds since the epoch. This is also the length of that many ticks. */
    long startOf(long tick) {
        return tick * tickMillis;
    }

    /** Returns whether a process may be killed and started again within one tick. */
    boolean mayOutlastARestart() {
        return tickMillis > SHORTEST_RESTART_MILLIS;
    }

    /** Returns the number of whole ticks in a number of milliseconds. */
    long ticksIn(long millis) {
        return millis / tickMillis;
    }

    /**
     * Sleeps until the fence may have moved: as long as the caller has already waited, but from 10 to 100 ms, so that
     * the caller does not wake up too often.
     *
     * @param waitedMillis how long the caller has already waited
     * @param atMostMillis how long it may sleep
     */
    void pause(long waitedMillis, long atMostMillis) {
        long again = Math.max(SHORTEST_PAUSE_MILLIS, Math.min(waitedMillis, LONGEST_PAUSE_MILLIS));
        time.sleep(Math.min(again, atMostMillis) * 1_000_000);
    }

    /**
     * Sleeps, and in the last microseconds spins, until the start of a tick that the clock has not entered yet. May
     * return early, so call it in a loop. Returns immediately in an interrupted thread.
     *
     * @param atMostMillis how long the caller may sleep; less than 1 counts as 1
     */
    void approach(long tick, long atMostMillis) {
        long longest = Math.max(1, Math.min(atMostMillis, LONGEST_WAIT_MILLIS));
        // The time to a tick far ahead may overflow in nanoseconds.
        boolean far = startOf(tick) - millis() > longest;
        long nanos = far ? longest * 1_000_000 : nanosTo(startOf(tick));
        if (nanos > SHORTEST_SLEEP_NANOS) {
            time.sleep(Math.min(nanos, longest * 1_000_000));
        } else {
            time.spin();
        }
    }

    /** Sleeps until the clock enters the next tick, but at most 10 ms. */
    void sleepToNext() {
        long nanos = nanosTo(startOf(current() + 1));
        time.sleep(Math.max(SHORTEST_SLEEP_NANOS, Math.min(nanos, LONGEST_TICK_MILLIS * 1_000_000)));
    }

    /** Returns the time between two reads of a ticker that {@linkplain #sleepToNext() sleeps} in between. */
    long millisToNextRead() {
        return Math.min(tickMillis, LONGEST_TICK_MILLIS);
    }

    private long nanosTo(long millis) {
        Instant now = time.instant();
        return (epochMillis + millis - now.getEpochSecond() * 1000) * 1_000_000 - now.getNano();
    }
}
