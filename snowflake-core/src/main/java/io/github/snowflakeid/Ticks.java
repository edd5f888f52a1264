package io.github.snowflakeid;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Time as a generator sees it: the clock that ids are stamped by, counted in ticks of its layout, and the passing of
 * real time, which waits are measured by. The only class that reads either.
 */
final class Ticks {

    /** The clock of generators that are not given another. */
    static final InstantSource SYSTEM = InstantSource.system();

    /** How long a thread sleeps at most before it looks at the clock again, which may have been stepped meanwhile. */
    private static final long LONGEST_PARK_MILLIS = 10;

    /** How late a parked thread may wake up; the rest of a wait spins. */
    private static final long PARK_LATENESS_NANOS = 80_000;

    private final InstantSource clock;
    private final long epochMillis;
    private final long tickMillis;

    Ticks(InstantSource clock, IdLayout layout) {
        this.clock = clock;
        epochMillis = layout.epoch().toEpochMilli();
        tickMillis = layout.tick().toMillis();
    }

    /** The time of the clock in milliseconds since the epoch, negative before it. */
    long millis() {
        return clock.millis() - epochMillis;
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

    /** Real time in nanoseconds from an arbitrary start, which no step of a clock changes. */
    static long elapsedNanos() {
        return System.nanoTime();
    }

    /**
     * Sleeps, and spins at last, towards the start of a tick that the clock has not entered yet. May return early;
     * returns at once in an interrupted thread.
     */
    void approach(long tick) {
        if (startOf(tick) - millis() > LONGEST_PARK_MILLIS) {
            LockSupport.parkNanos(LONGEST_PARK_MILLIS * 1_000_000);
            return;
        }
        long nanos = clock.instant().until(Instant.ofEpochMilli(epochMillis + startOf(tick)), ChronoUnit.NANOS);
        if (nanos > PARK_LATENESS_NANOS) {
            LockSupport.parkNanos(nanos - PARK_LATENESS_NANOS);
        } else {
            Thread.onSpinWait();
        }
    }
}
