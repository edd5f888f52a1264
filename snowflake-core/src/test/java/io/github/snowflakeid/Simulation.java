package io.github.snowflakeid;

import io.github.snowflakeid.internal.PaddedLong;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Runs many processes with many threads, one thread at a time, in an order that a seed determines. The threads are
 * real, but each one runs only while it has the baton. It may lose the baton wherever it sleeps, reads its clock, or
 * accesses shared memory (see {@link Interleaving}). The steps between two such places are atomic. Real time is
 * simulated, and passes when all threads sleep. In addition, each process has a clock, which may be wrong, step, or
 * stand still.
 */
public final class Simulation {

    /** Thrown in the threads of a killed process, wherever they are. Main code cannot catch it. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private static final long SECOND = 1_000_000_000;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    final SplittableRandom random;

    private int switchEvery;
    private double stalls;
    private long longestStall;

    private final List<Task> runnable = new ArrayList<>();
    private final List<Task> tasks = new ArrayList<>();
    private final Thread controller = Thread.currentThread();
    private BooleanSupplier enough = () -> true;
    private volatile boolean controllersTurn;
    private boolean calm;
    private boolean over;
    private boolean deciding;
    private long now;
    private long faults;
    private long steps;
    private long untilSwitch = Long.MAX_VALUE;
    private Throwable failure;

    Simulation(long seed) {
        random = new SplittableRandom(seed);
        switchOnceIn(oneOf(0, 1000, 100, 20, 5), 0.02, 5 * SECOND);
    }

    /**
     * Lets a thread lose the baton once in so many accesses to shared memory, 0 for never, and pauses it there with
     * some probability.
     */
    void switchOnceIn(int times, double probability, long longestNanos) {
        switchEvery = times;
        stalls = probability;
        longestStall = longestNanos;
        drawSwitch();
    }

    /** Returns the real time. */
    Instant now() {
        return BEGIN.plusNanos(now);
    }

    /** Returns the real time in nanoseconds since the start of the simulation. */
    long nanos() {
        return now;
    }

    long steps() {
        return steps;
    }

    long faults() {
        return faults;
    }

    /** Returns whether a mishap happens, and counts it. */
    boolean mishap(double probability) {
        boolean happens = !calm && random.nextDouble() < probability;
        if (happens) {
            faults++;
        }
        return happens;
    }

    /** Returns a random duration that is mostly short, and sometimes as long as allowed. */
    long anyNanos(long longest) {
        double drawn = random.nextDouble();
        return (long) (longest * drawn * drawn * drawn * drawn);
    }

    int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    /** Ends the run with a failure. */
    void fail(Throwable why) {
        if (failure == null) {
            failure = why;
        }
    }

    /**
     * Ends all mishaps: paused and delayed threads continue, and clocks are right. Optionally lets some time pass
     * immediately.
     */
    void calmDown(long jumpNanos) {
        calm = true;
        switchEvery = Math.max(switchEvery, 100);
        now += jumpNanos;
        for (Task task : tasks) {
            task.process.pausedUntil = now;
            task.process.offsetMillis = 0;
            if (task.stalled || "main".equals(task.getName())) {
                task.wakeAt = now;
            }
        }
    }

    /**
     * Lets all threads run until a condition is met.
     *
     * @throws Throwable the failure of a thread
     */
    void run(BooleanSupplier isEnough) throws Throwable {
        enough = isEnough;
        handOverTo(next());
        while (!controllersTurn) {
            LockSupport.park(this);
        }
        controllersTurn = false;
        if (failure != null) {
            throw failure;
        }
    }

    /** Kills all processes. */
    void end() {
        over = true;
        while (!tasks.isEmpty()) {
            Task task = tasks.get(tasks.size() - 1);
            task.process.alive = false;
            handOverTo(task);
            while (!controllersTurn) {
                LockSupport.park(this);
            }
            controllersTurn = false;
        }
    }

    /** The thread that continues; null for the thread that called {@link #run}. */
    private Task next() {
        while (true) {
            if (over || failure != null || isEnough()) {
                return null;
            }
            steps++;
            runnable.clear();
            long next = Long.MAX_VALUE;
            for (int i = 0; i < tasks.size(); i++) {
                Task task = tasks.get(i);
                long at = task.process.alive ? Math.max(task.wakeAt, task.process.pausedUntil) : now;
                if (at <= now) {
                    runnable.add(task);
                } else {
                    next = Math.min(next, at);
                }
            }
            if (!runnable.isEmpty()) {
                now += random.nextInt(2_000);
                return runnable.get(random.nextInt(runnable.size()));
            }
            now = next;
        }
    }

    private boolean isEnough() {
        deciding = true;
        try {
            return enough.getAsBoolean();
        } catch (RuntimeException | Error e) {
            fail(e);
            return true;
        } finally {
            deciding = false;
        }
    }

    private void handOverTo(Task task) {
        if (task == null) {
            controllersTurn = true;
            LockSupport.unpark(controller);
        } else {
            task.hasBaton = true;
            LockSupport.unpark(task);
        }
    }

    private void drawSwitch() {
        untilSwitch = switchEvery == 0 ? Long.MAX_VALUE : 1 + random.nextInt(2 * switchEvery);
    }

    // Calls that Interleaving inserts into main code of all packages

    /** Called before an access to shared memory. */
    public static void point() {
        if (Thread.currentThread() instanceof Task task) {
            task.point();
            task.mayRunOutOfMemory(false);
        }
    }

    /** Called when an object is created. */
    public static void allocation() {
        if (Thread.currentThread() instanceof Task task) {
            task.mayRunOutOfMemory(true);
        }
    }

    /** Called at the start of a catch block and of the exceptional path of a finally block. */
    public static void caught(Throwable any) {
        if (any instanceof Killed killed) {
            throw killed;
        }
    }

    /** Called instead of {@link ReentrantLock#lock()}: a thread that waits for a lock passes the baton. */
    public static void lock(ReentrantLock lock) {
        while (!lock.tryLock()) {
            if (Thread.currentThread() instanceof Task task) {
                task.rest(task.simulation().now + 1_000);
            }
        }
    }

    /** A machine with a process: threads that are paused and killed together, and a clock. */
    final class Process extends TimeSource {

        /** How often reading the clock ends a thread's turn, and for how long at most. */
        private static final double TURN_ENDS = 0.03;

        private static final long TURN_ENDS_FOR = 5 * SECOND;

        private final String name;
        private boolean alive = true;
        private long pausedUntil;
        private long offsetMillis;

        /** The probability that a thread cannot be started. */
        private double threadShortage;

        /** The probability that the lease's thread finds no memory. */
        private double memoryShortage;

        /** The number of allocations until one fails; 0 if none fails, or after it has failed. */
        private int placesUntilError;

        private final Map<String, Pauses> pauses = new HashMap<>();
        private final Map<String, Long> slow = new HashMap<>();

        Process(String name, long offsetMillis) {
            super(InstantSource.system());
            this.name = name;
            this.offsetMillis = calm ? 0 : offsetMillis;
        }

        void kill() {
            alive = false;
        }

        boolean isAlive() {
            return alive;
        }

        /** Pauses this process, like SIGSTOP followed by SIGCONT after that time. */
        void pause(long nanos) {
            pausedUntil = now + nanos;
        }

        void stepClock(long millis) {
            offsetMillis += millis;
        }

        void setClock(long newOffsetMillis) {
            offsetMillis = newOffsetMillis;
        }

        void runShortOfThreads(double probability) {
            threadShortage = probability;
        }

        void runShortOfMemory(double probability) {
            memoryShortage = probability;
        }

        /** Lets one allocation of the lease's thread fail, counted from 1 and from now on. */
        void runOutOfMemoryAt(int place) {
            placesUntilError = place;
        }

        /** Returns whether that allocation has failed. */
        boolean hasRunOutOfMemory() {
            return placesUntilError == 0;
        }

        /** Pauses each thread of that name before some accesses to shared memory, counted from 1, for so long. */
        void pauseAt(String thread, int[] points, long... nanos) {
            pauses.put(thread, new Pauses(points, nanos));
        }

        /** Lets each access to shared memory take so long, while other threads continue. */
        void slowDown(String thread, long nanos) {
            slow.put(thread, nanos);
        }

        /** Returns whether a thread of that name is running. */
        boolean runs(String thread) {
            return tasks.stream()
                    .anyMatch(task -> task.process == this && task.getName().equals(thread));
        }

        /** Occasionally pauses the current thread, unless the simulation itself reads the clock. */
        void stall(double probability, long longestNanos) {
            if (!deciding && mishap(probability)) {
                current().stall(anyNanos(longestNanos));
            }
        }

        @Override
        boolean isSystem() {
            return false;
        }

        /** Returns a low number, so that the ticker starts often. */
        @Override
        int manyInAMillisecond() {
            return 16;
        }

        @Override
        long millis() {
            stall(TURN_ENDS, TURN_ENDS_FOR);
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
            current.rest(current.woken ? now : now + Math.max(nanos, 1));
            current.woken = false;
        }

        @Override
        void wake(Thread thread) {
            // Waking a thread that has ended has no effect.
            if (thread instanceof Task task && !task.stalled) {
                task.woken = true;
                task.wakeAt = Math.min(task.wakeAt, now);
            }
        }

        @Override
        void spin() {
            sleep(1_000);
        }

        @Override
        Thread start(String thread, Runnable body) {
            if (mishap(threadShortage)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Task task = new Task(this, body, thread, pauses.getOrDefault(thread, Pauses.NONE));
            tasks.add(task);
            task.start();
            return task;
        }

        @Override
        int draw(int bound) {
            return bound <= 1 ? 0 : random.nextInt(bound);
        }

        @Override
        public String toString() {
            return name;
        }

        private Task current() {
            return (Task) Thread.currentThread();
        }
    }

    private record Pauses(int[] points, long[] nanos) {

        static final Pauses NONE = new Pauses(new int[0], new long[0]);
    }

    private final class Task extends Thread {

        private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

        /** Classes that only read and write existing objects, and so need no memory. */
        private static final Set<Class<?>> UNFAILING = Set.of(
                SlotIssuer.class, ClockFreeIssuer.class, StatisticsRecorder.class, Allocation.class, PaddedLong.class);

        private final Process process;
        private final Runnable body;
        private volatile boolean hasBaton;
        private long wakeAt = now;
        private boolean woken;
        private boolean stalled;
        private int points;
        private final Pauses pauses;

        Task(Process process, Runnable body, String name, Pauses pauses) {
            super(null, null, name, 256 << 10);
            this.process = process;
            this.body = body;
            this.pauses = pauses;
            setDaemon(true);
            // Gets the exceptions of listeners.
            setUncaughtExceptionHandler((thread, thrown) -> {});
        }

        @Override
        public void run() {
            awaitBaton();
            try {
                if (process.alive) {
                    body.run();
                }
            } catch (Killed e) {
                // Expected.
            } catch (Throwable e) {
                fail(
                        e instanceof Ledger.Violation
                                ? e
                                : new AssertionError("thread %s of %s died".formatted(getName(), process), e));
            } finally {
                tasks.remove(this);
                handOverTo(next());
            }
        }

        Simulation simulation() {
            return Simulation.this;
        }

        void point() {
            points++;
            for (int i = 0; i < pauses.points.length; i++) {
                if (pauses.points[i] == points) {
                    rest(now + pauses.nanos[i]);
                }
            }
            if (deciding) {
                return;
            }
            Long slowness = process.slow.get(getName());
            if (slowness != null) {
                rest(now + slowness);
                return;
            }
            if (--untilSwitch > 0) {
                return;
            }
            drawSwitch();
            if (mishap(stalls)) {
                stall(anyNanos(longestStall));
            } else {
                rest(now);
            }
        }

        /** Throws an error in the middle of a step of the lease. */
        void mayRunOutOfMemory(boolean allocates) {
            if (deciding || !"snowflake-lease".equals(getName())) {
                return;
            }
            boolean once = process.placesUntilError > 0;
            if ((once || (process.memoryShortage > 0 && mishap(process.memoryShortage)))
                    && STACK.walk(stack -> mayFail(stack, allocates))
                    && (!once || --process.placesUntilError == 0)) {
                throw new OutOfMemoryError("simulated");
            }
        }

        private static boolean mayFail(Stream<StackFrame> stack, boolean allocates) {
            List<StackFrame> main = stack.filter(
                            frame -> frame.getDeclaringClass().getNestHost() != Simulation.class)
                    .toList();
            return main.stream().anyMatch(frame -> frame.getDeclaringClass() == LeaseSteps.class)
                    && (allocates || !UNFAILING.contains(main.get(0).getDeclaringClass()));
        }

        void stall(long nanos) {
            stalled = true;
            rest(now + nanos);
            stalled = false;
        }

        void rest(long until) {
            wakeAt = until;
            Task next = process.alive ? next() : this;
            if (next != this) {
                handOverTo(next);
                awaitBaton();
            }
            if (!process.alive) {
                throw new Killed();
            }
        }

        private void awaitBaton() {
            while (!hasBaton) {
                LockSupport.park(Simulation.this);
            }
            hasBaton = false;
        }
    }
}
