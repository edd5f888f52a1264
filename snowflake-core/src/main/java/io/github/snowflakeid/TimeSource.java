package io.github.snowflakeid;

import io.github.snowflakeid.internal.DaemonThreads;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Clock, monotonic time, sleep, threads and random numbers of a generator, except for owner tokens and random starts of sequences. No
 * other class uses these directly, so that a simulation can replace them.
 */
class TimeSource {

    /** The clock of generators that are built without a clock. */
    static final InstantSource SYSTEM = Clock.systemUTC();

    private final InstantSource clock;
    private final boolean system;

    TimeSource(InstantSource clock) {
        this.clock = clock;
        system = clock.getClass() == SYSTEM.getClass() || clock.equals(InstantSource.system());
    }

    /**
     * Returns whether this is the system clock, which all generators of a process share; {@link TickClock} reads it directly then. That
     * is {@link InstantSource#system()} and {@link Clock#system} of any time zone; a clock that wraps it is not recognized.
     */
    boolean isSystem() {
        return system;
    }

    /**
     * Returns from how many IDs in a millisecond on the ticker of a {@link ClockFreeIssuer} reads the clock for all callers, because
     * reading it for each ID would cost more than a thread that wakes up each tick.
     *
     * @return 0 if there must be no ticker, because a clock of a test does not advance by itself
     */
    int manyInAMillisecond() {
        return isSystem() ? 1024 : 0;
    }

    /** The clock in milliseconds since 1970. */
    long millis() {
        return system ? systemMillis() : clock.millis();
    }

    static long systemMillis() {
        return System.currentTimeMillis();
    }

    /** The clock, as finely as it goes. */
    Instant instant() {
        return clock.instant();
    }

    /** Real time in nanoseconds from an arbitrary start, which no step of a clock changes. */
    long nanos() {
        return System.nanoTime();
    }

    /** The clock in whole milliseconds. */
    Instant timestamp() {
        return Instant.ofEpochMilli(millis());
    }

    /** How many milliseconds of real time have passed since {@link #nanos()} was that. */
    long millisSince(long nanos) {
        return (nanos() - nanos) / 1_000_000;
    }

    /** Ends a wait that no interrupt has ended: the flag is there again if there was one. */
    static void keepInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sleeps; may return early, and does at once in an interrupted thread or one that was {@linkplain #wake woken}. */
    void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    /** Ends the sleep of a thread, the present one or the next. */
    void wake(Thread thread) {
        LockSupport.unpark(thread);
    }

    /** Passes the shortest of times. */
    void spin() {
        Thread.onSpinWait();
    }

    /** Starts a thread that does not keep the process alive, nor what the calling thread has, its class loader included. */
    Thread start(String name, Runnable body) {
        return DaemonThreads.start(name, body, TimeSource.class.getClassLoader());
    }

    /** A random number from 0 to {@code bound - 1}. */
    int draw(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
