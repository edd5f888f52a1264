package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine whose time passes only under control of a test. It has a clock that may be wrong, a monotonic time that
 * stands still while the machine is suspended, and the true time, which the clock of a registry shows.
 */
final class ScriptedTime extends TimeSource {

    private final AtomicLong trueMillis;
    private final AtomicLong clockMillis;
    private final AtomicLong nanos = new AtomicLong(1_000_000_000);

    private final AtomicLong sleeps = new AtomicLong();

    private volatile @Nullable Thread sleeper;

    private ScriptedTime(AtomicLong trueMillis, AtomicLong clockMillis) {
        super((InstantSource) () -> Instant.ofEpochMilli(clockMillis.get()));
        this.trueMillis = trueMillis;
        this.clockMillis = clockMillis;
    }

    /** Creates a machine whose clock is right. */
    static ScriptedTime at(Instant instant) {
        return new ScriptedTime(new AtomicLong(instant.toEpochMilli()), new AtomicLong(instant.toEpochMilli()));
    }

    /** Returns the true time. */
    Instant now() {
        return Instant.ofEpochMilli(trueMillis.get());
    }

    void pass(Duration time) {
        clockMillis.addAndGet(time.toMillis());
        trueMillis.addAndGet(time.toMillis());
        nanos.addAndGet(time.toNanos());
    }

    void suspend(Duration time) {
        trueMillis.addAndGet(time.toMillis());
        clockMillis.addAndGet(time.toMillis());
    }

    void stepClock(Duration by) {
        clockMillis.addAndGet(by.toMillis());
    }

    /** Lets time pass, from now on, while the calling thread sleeps. */
    void passWhileSleeping() {
        sleeper = Thread.currentThread();
    }

    /** Waits until another thread has done something. Scripted time does not pass. */
    static void await(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted, as by the time-out of a test");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Waits until another thread has nothing to do. Scripted time does not pass. */
    void awaitPause() {
        long before = sleeps.get();
        await(() -> sleeps.get() > before);
    }

    @Override
    long nanos() {
        return nanos.get();
    }

    /** Returns early, which every sleep may do. */
    @Override
    void sleep(long nanos) {
        sleeps.incrementAndGet();
        if (Thread.currentThread() == sleeper) {
            pass(Duration.ofNanos(nanos));
        }
        super.sleep(Math.min(nanos, 1_000_000));
    }
}
