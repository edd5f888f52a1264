package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine whose time passes only under control of a test. It has a clock that may be wrong, a monotonic time that
 * stands still while the machine is suspended, and the true time, which the clock of a registry shows.
 */
class ScriptedTime extends TimeSource {

    private static final long MILLISECOND = 1_000_000;

    /** How long a sleep lasts in real time. */
    private static final long NAP_NANOS = 100_000;

    /** The longest time that passes at once while all threads sleep. */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(1);

    /** How long a test waits at most, in scripted time. */
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private final AtomicLong trueMillis;
    private final AtomicLong clockMillis;
    private final AtomicLong nanos = new AtomicLong(1_000_000_000);

    /** The threads that were started and have not ended. */
    private final Queue<Started> running = new ConcurrentLinkedQueue<>();

    private volatile @Nullable Thread sleeper;

    /**
     * The next steps of other threads, when the sleeper was about to sleep last. If they have changed, the sleeper
     * first has to see what was done.
     */
    private List<Long> nextSteps = List.of();

    /** A thread that was started with this time. */
    private static final class Started {
        private volatile @Nullable Thread thread;
        private volatile long until;
        private volatile long sleeps;

        /** Returns whether it waits without a limit, for example in a call that a test answers later. */
        boolean hangs() {
            Thread mine = thread;
            return mine != null && mine.getState() == Thread.State.WAITING;
        }
    }

    private ScriptedTime(AtomicLong trueMillis, AtomicLong clockMillis) {
        super((InstantSource) () -> Instant.ofEpochMilli(clockMillis.get()));
        this.trueMillis = trueMillis;
        this.clockMillis = clockMillis;
    }

    /** Creates a machine whose clock is right. */
    ScriptedTime(Instant instant) {
        this(new AtomicLong(instant.toEpochMilli()), new AtomicLong(instant.toEpochMilli()));
    }

    /** Creates a machine whose clock is right. */
    static ScriptedTime at(Instant instant) {
        return new ScriptedTime(instant);
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

    /**
     * Lets time pass, from now on, while the calling thread sleeps: from one moment to the next at which another thread
     * has something to do, so that no thread is ever late.
     */
    void passWhileSleeping() {
        sleeper = Thread.currentThread();
    }

    /** Lets time pass, with no thread being late, until something has happened. */
    void passUntil(BooleanSupplier done) {
        long end = nanos() + LONGEST_WAIT.toNanos();
        awaitIdle();
        while (!done.getAsBoolean()) {
            if (nanos() - end > 0) {
                throw new AssertionError("did not happen within " + LONGEST_WAIT);
            }
            passToNextStep(LONGEST_STEP.toNanos());
            awaitIdle();
        }
    }

    private List<Long> nextSteps() {
        return running.stream()
                .filter(started -> !started.hangs())
                .map(started -> started.until)
                .toList();
    }

    private void passToNextStep(long atMostNanos) {
        long now = nanos.get();
        long step = nextSteps().stream()
                .mapToLong(next -> next - now)
                .reduce(Math.min(atMostNanos, LONGEST_STEP.toNanos()), Math::min);
        pass(Duration.ofMillis(Math.max(1, (step + MILLISECOND - 1) / MILLISECOND)));
    }

    /** Waits until another thread has done something. Scripted time does not pass. */
    static void await(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted, as by the time-out of a test");
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /**
     * Waits until each thread that was started has done what it has to do at this time: it sleeps, hangs or has ended.
     * Scripted time does not pass.
     */
    void awaitIdle() {
        for (Started started : running) {
            // It may have decided to sleep before something that it has to react to.
            long next = started.sleeps + 2;
            await(() -> started.sleeps >= next || started.hangs() || !running.contains(started));
        }
    }

    /** Waits until each thread that was started has ended. Scripted time does not pass. */
    void awaitEnd() {
        await(running::isEmpty);
    }

    @Override
    long nanos() {
        return nanos.get();
    }

    @Override
    Thread start(String name, Runnable body) {
        Started started = new Started();
        running.add(started);
        return super.start(name, () -> {
            started.thread = Thread.currentThread();
            try {
                body.run();
            } finally {
                running.remove(started);
            }
        });
    }

    /** Returns early, which every sleep may do. */
    @Override
    void sleep(long nanos) {
        Thread me = Thread.currentThread();
        if (me == sleeper) {
            awaitIdle();
            List<Long> now = nextSteps();
            if (now.equals(nextSteps)) {
                passToNextStep(nanos);
            }
            nextSteps = now;
        }
        for (Started started : running) {
            if (Objects.equals(started.thread, me)) {
                started.until = nanos() + nanos;
                started.sleeps++;
            }
        }
        super.sleep(Math.min(nanos, NAP_NANOS));
    }
}
