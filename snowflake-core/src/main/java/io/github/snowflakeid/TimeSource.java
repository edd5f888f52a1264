package io.github.snowflakeid;

import io.github.snowflakeid.internal.DaemonThreads;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The clock, monotonic time, sleeping, threads and random numbers of a generator. No other class uses these directly,
 * so that a simulation in tests can replace them; owner tokens and random starts of sequences are exceptions.
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
     * Returns whether this is the system clock, which all generators of a process share, and which {@link TickClock}
     * reads directly. {@link InstantSource#system()} and {@link Clock#system} with any time zone are recognized, but
     * clocks that wrap them are not.
     */
    boolean isSystem() {
        return system;
    }

    /**
     * Returns the number of IDs per millisecond from which on the ticker of a {@link ClockFreeIssuer} reads the clock
     * for all callers. At this rate, reading the clock for each ID would cost more than a thread that wakes up each
     * tick.
     *
     * @return 0 if there must be no ticker, because the clock of a test does not advance by itself
     */
    int manyInAMillisecond() {
        return isSystem() ? 1024 : 0;
    }

    /** Returns the time of the clock in milliseconds since 1970. */
    long millis() {
        return system ? systemMillis() : clock.millis();
    }

    static long systemMillis() {
        return System.currentTimeMillis();
    }

    /** Returns the time of the clock at its full precision. */
    Instant instant() {
        return clock.instant();
    }

    /** Returns the monotonic time in nanoseconds since an arbitrary origin, which is independent of the clock. */
    long nanos() {
        return System.nanoTime();
    }

    /** Returns the time of the clock, truncated to milliseconds. */
    Instant timestamp() {
        return Instant.ofEpochMilli(millis());
    }

    /** Returns how many milliseconds of monotonic time have passed since an earlier value of {@link #nanos()}. */
    long millisSince(long nanos) {
        return (nanos() - nanos) / 1_000_000;
    }

    /** Sets the interrupt flag again after a wait that has cleared it, if the thread was interrupted. */
    static void restoreInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sleeps. May return early; returns immediately if the thread was interrupted or {@linkplain #wake woken}. */
    void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    /** Ends the current sleep of a thread, or its next one if it does not sleep now. */
    void wake(Thread thread) {
        LockSupport.unpark(thread);
    }

    /** Lets the shortest possible time pass. */
    void spin() {
        Thread.onSpinWait();
    }

    /**
     * Starts a daemon thread. It inherits neither the thread locals nor the class loader of the calling thread, so that
     * it does not keep these in memory.
     */
    Thread start(String name, Runnable body) {
        return DaemonThreads.start(name, body, TimeSource.class.getClassLoader());
    }

    /** Returns a random number from 0 to {@code bound - 1}. */
    int draw(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
