package io.github.snowflakeid;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock that ids are stamped by, counted in ticks of a layout. */
final class Ticks {

    /** How long a thread sleeps at most before it looks at the clock again, which may have been stepped meanwhile. */
    private static final long LONGEST_SLEEP_MILLIS = 10;

    /** How late a sleeping thread may wake up; the rest of a wait spins. */
    private static final long LATENESS_NANOS = 80_000;

    private final Time time;
    private final long epochMillis;
    private final long tickMillis;

    Ticks(Time time, IdLayout layout) {
        this.time = time;
        epochMillis = layout.epoch().toEpochMilli();
        tickMillis = layout.tick().toMillis();
    }

    /** The time of the clock in milliseconds since the epoch, negative before it. */
    long millis() {
        return time.millis() - epochMillis;
    }

    /** The tick that the clock is in, negative before the epoch. */
    long current() {
        return tickMillis == 1 ? millis() : Math.floorDiv(millis(), tickMillis);
    }

    /** When a tick begins, in milliseconds since the epoch; also the length of that many ticks. */
    long startOf(long tick) {
        return tick * tickMillis;
    }

    /** The number of ticks that fit into some milliseconds. */
    long ticksIn(long millis) {
        return millis / tickMillis;
    }

    /** Sleeps until something may have changed that no clock tells. */
    void pause() {
        time.sleep(LONGEST_SLEEP_MILLIS * 1_000_000);
    }

    /**
     * Sleeps, and spins at last, towards the start of a tick that the clock has not entered yet. May return early;
     * returns at once in an interrupted thread.
     */
    void approach(long tick) {
        if (startOf(tick) - millis() > LONGEST_SLEEP_MILLIS) {
            pause();
            return;
        }
        long nanos = time.instant().until(Instant.ofEpochMilli(epochMillis + startOf(tick)), ChronoUnit.NANOS);
        if (nanos > LATENESS_NANOS) {
            time.sleep(nanos - LATENESS_NANOS);
        } else {
            time.spin();
        }
    }
}
