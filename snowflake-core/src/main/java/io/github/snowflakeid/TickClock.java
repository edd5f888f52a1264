package io.github.snowflakeid;

import java.time.Instant;

/** The clock that IDs are stamped by, counted in ticks of a layout. */
final class TickClock {

    /** How long a ticker sleeps at most. */
    private static final long LONGEST_TICK_MILLIS = 10;

    /** A process needs longer to be killed and started again. */
    private static final long SHORTEST_RESTART_MILLIS = 10;

    /** How long a caller sleeps, at least and at most, that waits for the fence. */
    private static final long SHORTEST_PAUSE_MILLIS = 10;

    private static final long LONGEST_PAUSE_MILLIS = 100;

    /**
     * How long a caller sleeps at most that waits for the clock, because the clock may step and the generator may be closed meanwhile. If
     * very many callers wait, waking up is what costs.
     */
    private static final long LONGEST_WAIT_MILLIS = 1000;

    /** Shorter times are not worth sleeping: a thread that sleeps wakes up some 50 microseconds late in any case. */
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

    /** The time of the clock in milliseconds since the epoch, negative before it. */
    long millis() {
        return (system ? TimeSource.systemMillis() : time.millis()) - epochMillis;
    }

    /** The tick that the clock is in, negative before the epoch. */
    long current() {
        return tickMillis == 1 ? millis() : Math.floorDiv(millis(), tickMillis);
    }

    /** When a tick begins, in milliseconds since the epoch; also the length of that many ticks. */
    long startOf(long tick) {
        return tick * tickMillis;
    }

    /** Whether a process may be killed and started again within one tick. */
    boolean mayOutlastARestart() {
        return tickMillis > SHORTEST_RESTART_MILLIS;
    }

    /** The number of ticks that fit into some milliseconds. */
    long ticksIn(long millis) {
        return millis / tickMillis;
    }

    /**
     * Sleeps until the fence may have moved: as long again as the caller has waited, from 10 to 100 ms, so that it does not wake up all
     * the time.
     *
     * @param waitedMillis how long it has waited
     * @param atMostMillis how long it sleeps at most
     */
    void pause(long waitedMillis, long atMostMillis) {
        long again = Math.max(SHORTEST_PAUSE_MILLIS, Math.min(waitedMillis, LONGEST_PAUSE_MILLIS));
        time.sleep(Math.min(again, atMostMillis) * 1_000_000);
    }

    /**
     * Sleeps, and spins at last, towards the start of a tick that the clock has not entered yet. May return early;
     * returns at once in an interrupted thread.
     *
     * @param atMostMillis how long it sleeps at most; less than 1 counts as 1
     */
    void approach(long tick, long atMostMillis) {
        long longest = Math.max(1, Math.min(atMostMillis, LONGEST_WAIT_MILLIS));
        // What is far may be too much for a number of nanoseconds.
        boolean far = startOf(tick) - millis() > longest;
        long nanos = far ? longest * 1_000_000 : nanosTo(startOf(tick));
        if (nanos > SHORTEST_SLEEP_NANOS) {
            time.sleep(Math.min(nanos, longest * 1_000_000));
        } else {
            time.spin();
        }
    }

    /** Sleeps until the clock enters another tick, or for as long as a ticker sleeps at most. */
    void sleepToNext() {
        long nanos = nanosTo(startOf(current() + 1));
        time.sleep(Math.max(SHORTEST_SLEEP_NANOS, Math.min(nanos, LONGEST_TICK_MILLIS * 1_000_000)));
    }

    /** Returns the time between two looks of a ticker that {@linkplain #sleepToNext() sleeps} in between. */
    long millisToLookAgain() {
        return Math.min(tickMillis, LONGEST_TICK_MILLIS);
    }

    private long nanosTo(long millis) {
        Instant now = time.instant();
        return (epochMillis + millis - now.getEpochSecond() * 1000) * 1_000_000 - now.getNano();
    }
}
