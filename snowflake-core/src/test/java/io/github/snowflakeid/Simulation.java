package io.github.snowflakeid;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * Runs many processes of many threads, one step at a time, in an order that a seed decides. Each thread is a real one,
 * but runs only while it has the baton; it hands it back where it sleeps, and now and then where it looks at its clock.
 * What happens between two such places happens at once. Real time is simulated, and passes when nobody has anything to
 * do; each process has a clock of its own besides, which may be off, step, or stand still.
 */
final class Simulation {

    /** Thrown in the threads of a process that was killed, wherever they are. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private static final long SECOND = 1_000_000_000;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    final Random random;
    private final List<Task> runnable = new ArrayList<>();
    private final List<Task> tasks = new ArrayList<>();
    private final Semaphore scheduler = new Semaphore(0);
    private long now;
    private long faults;
    private long steps;
    private Throwable failure;

    Simulation(long seed) {
        random = new Random(seed);
    }

    /** Real time. */
    Instant now() {
        return BEGIN.plusNanos(now);
    }

    long steps() {
        return steps;
    }

    long faults() {
        return faults;
    }

    /** Whether to make a mishap happen, and if so, counts it. */
    boolean mishap(double probability) {
        boolean happens = random.nextDouble() < probability;
        if (happens) {
            faults++;
        }
        return happens;
    }

    /** A time that is mostly short, and sometimes as long as it may be. */
    long anyNanos(long longest) {
        return (long) (longest * Math.pow(random.nextDouble(), 4));
    }

    /** Lets every thread run until somebody says that it is enough, then kills them all. */
    void run(java.util.function.BooleanSupplier enough) {
        while (failure == null && !enough.getAsBoolean()) {
            step();
        }
        for (Task task : new ArrayList<>(tasks)) {
            task.process.alive = false;
            task.resume();
        }
        if (failure != null) {
            throw new AssertionError("A simulated thread failed", failure);
        }
    }

    private void step() {
        steps++;
        runnable.clear();
        long next = Long.MAX_VALUE;
        for (Task task : tasks) {
            long at = task.process.alive ? Math.max(task.wakeAt, task.process.pausedUntil) : now;
            if (at <= now) {
                runnable.add(task);
            } else {
                next = Math.min(next, at);
            }
        }
        if (runnable.isEmpty()) {
            now = next;
            return;
        }
        now += random.nextInt(2_000);
        runnable.get(random.nextInt(runnable.size())).resume();
    }

    /** A machine with a process: threads that are paused and killed together, and a clock. */
    final class Process extends Time {

        /** How often looking at the clock ends a thread's turn. */
        private static final double TURN_ENDS = 0.04;

        private boolean alive = true;
        private long pausedUntil;
        private long offsetMillis;

        Process(long offsetMillis) {
            super(InstantSource.system());
            this.offsetMillis = offsetMillis;
        }

        void kill() {
            alive = false;
        }

        boolean isAlive() {
            return alive;
        }

        /** As SIGSTOP, and SIGCONT after that time. */
        void pause(long nanos) {
            pausedUntil = now + nanos;
        }

        void stepClock(long millis) {
            offsetMillis += millis;
        }

        void setClock(long newOffsetMillis) {
            offsetMillis = newOffsetMillis;
        }

        /** A mishap at any point of a thread's work: it does nothing for a while. */
        void stall(double probability, long longestNanos) {
            if (mishap(probability)) {
                current().yield(now + anyNanos(longestNanos));
            }
        }

        @Override
        boolean isSystem() {
            return false;
        }

        /** Few, so that there is a ticker often. */
        @Override
        int manyInAMillisecond() {
            return 16;
        }

        @Override
        long millis() {
            stall(TURN_ENDS, 5 * SECOND);
            return instant().toEpochMilli();
        }

        @Override
        Instant instant() {
            return now().plusMillis(offsetMillis);
        }

        @Override
        long nanos() {
            return now;
        }

        @Override
        void sleep(long nanos) {
            Task current = current();
            current.yield(current.woken ? now : now + Math.max(nanos, 1));
            current.woken = false;
        }

        @Override
        void wake(Thread thread) {
            for (Task task : tasks) {
                if (task.thread == thread) {
                    task.woken = true;
                    task.wakeAt = Math.min(task.wakeAt, now);
                }
            }
        }

        @Override
        void spin() {
            sleep(1_000);
        }

        @Override
        Thread start(String name, Runnable body) {
            Task task = new Task(this, body, name);
            tasks.add(task);
            return task.thread;
        }

        @Override
        int draw(int bound) {
            return bound <= 1 ? 0 : random.nextInt(bound);
        }

        private Task current() {
            for (Task task : tasks) {
                if (task.thread == Thread.currentThread()) {
                    return task;
                }
            }
            throw new IllegalStateException("not a simulated thread: " + Thread.currentThread());
        }
    }

    private final class Task {
        private final Process process;
        private final Thread thread;
        private final Semaphore baton = new Semaphore(0);
        private long wakeAt = now;
        private boolean woken;

        Task(Process process, Runnable body, String name) {
            this.process = process;
            thread = new Thread(null, () -> run(body), name, 256 << 10);
            thread.setDaemon(true);
            thread.start();
        }

        private void run(Runnable body) {
            baton.acquireUninterruptibly();
            try {
                if (process.alive) {
                    body.run();
                }
            } catch (Killed end) {
                // As it should be.
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                tasks.remove(this);
                scheduler.release();
            }
        }

        /** Called by the scheduler: returns when the thread has yielded or ended. */
        void resume() {
            baton.release();
            scheduler.acquireUninterruptibly();
        }

        /** Called by the thread itself. */
        void yield(long until) {
            if (!process.alive) {
                throw new Killed();
            }
            wakeAt = until;
            scheduler.release();
            baton.acquireUninterruptibly();
            if (!process.alive) {
                throw new Killed();
            }
        }
    }
}
