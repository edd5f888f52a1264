package io.github.snowflakeid;

import io.github.snowflakeid.WorkerRegistry.Snapshot;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a generator supplied with a leased worker ID, from the opening of the generator until it is closed. Owns the
 * lease's thread, and decides when that thread performs the next of the {@link LeaseSteps}: when a step is due, earlier
 * if callers come near the fence, and after a growing pause if a step has failed.
 *
 * <p><b>Threads.</b> Only the lease's thread changes the registry and moves the fence. It also calls the listener,
 * except to report that a lease is closed whose thread hangs. Other threads only change the {@link LeasePhase}, ask for
 * an early renewal, read the registry, and wait for the lease's thread. They wait no longer than the acquire timeout.
 * The lease's thread may hang in a call to the registry for longer; it then finds that the generator was closed in
 * between. Only one thread at a time opens or closes the generator ({@link Lifecycle}).
 *
 * <p><b>Errors.</b> Whatever a step throws, because of the registry, the listener or the JVM, the lease's thread
 * continues: it reports the error if possible, and tries again after a pause.
 */
final class LeaseKeeper {

    /** The pause after the first failure. It doubles with each further failure. */
    private static final long SHORTEST_BACKOFF_NANOS = 50_000_000;

    /** The longest pause after failures; a sixth of the ttl if that is shorter. */
    private static final long LONGEST_BACKOFF_NANOS = 5_000_000_000L;

    /** How long a thread that opens a generator may take to notice that the generator is being closed. */
    private static final long LONGEST_UNNOTICED_NANOS = 500_000_000;

    private static final long NEVER_NANOS = Long.MAX_VALUE / 4;

    private static final long NOT_URGENT = Long.MIN_VALUE;

    private final LeaseTerms terms;
    private final TimeSource time;
    private final String threadName;
    private final StatisticsRecorder statistics;
    private final LeasePhase phase;
    private final LeaseStatus status;
    private final LeaseSteps steps;

    private volatile @Nullable Thread thread;

    /** When to give up releasing the worker ID, as {@link TimeSource#nanos}. Set before the phase is closing. */
    private volatile long releaseEnd;

    /** Why the last attempt to release the worker ID failed. */
    private volatile @Nullable Throwable notReleased;

    /**
     * The threads that wait for the lease's thread to acquire the first worker ID, or to release the last one. Waking
     * them allocates nothing, so that it succeeds even if memory is exhausted.
     */
    private final AtomicReference<Thread[]> waiters = new AtomicReference<>(new Thread[0]);

    /**
     * The {@linkplain Allocation#nearFence() tick near the fence} that callers have reached, so that the lease should be
     * renewed before the renewal is due. A caller may be late to ask: once the fence has moved, the tick is another one,
     * and nothing is urgent.
     */
    private volatile long urgent = NOT_URGENT;

    /** How many steps in a row have failed. Used only by the lease's thread. */
    private int failures;

    /** When the next step is due, as {@link TimeSource#nanos}. Used only by the lease's thread. */
    private long due;

    /**
     * Creates a keeper whose thread has not been started yet.
     *
     * @param issuer issues the generator's IDs
     * @param vacancy the issuer's empty allocation until a worker ID is granted
     * @throws IllegalArgumentException if the datacenter ID of the terms does not fit the layout
     */
    LeaseKeeper(SlotIssuer issuer, Allocation vacancy, LeaseTerms terms, String threadName) {
        this.terms = terms;
        this.threadName = threadName;
        time = issuer.time;
        statistics = issuer.statistics;
        phase = new LeasePhase(terms.registry(), time);
        status = new LeaseStatus(terms, issuer.layout, time, phase);
        steps = new LeaseSteps(issuer, vacancy, terms, phase, status);
    }

    // ---- for other threads

    /** Starts the thread, which acquires the first worker ID. */
    void start() {
        time.start(threadName, this::run);
    }

    /**
     * Waits for the first worker ID. Several threads may wait, but not the lease's thread.
     *
     * @param isCancelled whether to stop waiting; null if neither that nor an interrupt ends the wait
     * @return false if there was no need to wait
     * @throws WorkerIdUnavailableException if there is no worker ID within the acquire timeout; the lease must still be
     *     closed then
     */
    boolean awaitOpen(@Nullable BooleanSupplier isCancelled) {
        if (!phase.isOpening()) {
            return false;
        }
        setWaiting(true);
        boolean interrupted = false;
        try {
            while (phase.isOpening()) {
                awaitStep(isCancelled);
                interrupted |= isCancelled == null && Thread.interrupted();
            }
            return true;
        } finally {
            setWaiting(false);
            TimeSource.restoreInterrupt(interrupted);
        }
    }

    private void awaitStep(@Nullable BooleanSupplier isCancelled) {
        LeaseFailures messages = new LeaseFailures(terms);
        WorkerIdUnavailableException failure = phase.failure();
        if (failure != null && phase.hasFailed()) {
            throw failure;
        }
        long left = phase.isConnecting()
                ? LONGEST_UNNOTICED_NANOS
                : terms.acquireTimeout().toNanos() - (time.nanos() - phase.awaitedSince());
        if (left <= 0) {
            throw failure != null ? failure : messages.unreachable("the registry has not answered yet", null);
        }
        if (isCancelled != null && isCancelled.getAsBoolean()) {
            throw messages.cancelled("the generator was closed while it waited");
        }
        time.sleep(Math.min(left, LONGEST_UNNOTICED_NANOS));
        if (isCancelled != null && Thread.currentThread().isInterrupted()) {
            throw messages.cancelled("interrupted while waiting for an answer");
        }
    }

    /**
     * Asks for a renewal before it is due. Cheap if another caller has already asked.
     *
     * @param near the tick near the fence that the caller has reached
     */
    void hurry(long near) {
        if (urgent != near) {
            urgent = near;
            wake(thread);
        }
    }

    /**
     * Releases the worker ID, and waits for the release, at most for the acquire timeout, and only while the release
     * frees the worker ID earlier than the end of the lease does. If no worker ID was claimed yet,
     * {@link LeasePhase#close} ends the lease immediately, because a read of the registry may hang. The caller must
     * have replaced the generator's allocation by an empty one, so that the last ID is known.
     */
    void close() {
        long end = time.nanos() + Math.min(terms.acquireTimeout().toNanos(), status.nanosUntilFree());
        releaseEnd = end;
        phase.close();
        wake(thread);
        setWaiting(true);
        boolean interrupted = false;
        // A listener may close its generator; the step that calls the listener ends only after that.
        boolean waits = !isLeaseThread();
        while (waits && !phase.isDone() && end - time.nanos() > 0) {
            time.sleep(end - time.nanos());
            interrupted |= Thread.interrupted();
        }
        setWaiting(false);
        if (waits && !phase.isDone()) {
            // The lease's thread may hang in a call.
            reportUnreleased();
        }
        TimeSource.restoreInterrupt(interrupted);
    }

    /** Returns whether the current thread is the lease's thread, for example because a listener calls its generator. */
    boolean isLeaseThread() {
        return Thread.currentThread().equals(thread);
    }

    /** Returns the state of the lease. */
    WorkerLease view() {
        return status.view();
    }

    /** Returns the exception for a caller whose wait for the fence to move has timed out. */
    WorkerLeaseExpiredException expired(long waitedMillis) {
        return status.expired(waitedMillis);
    }

    /** Reads the registry, and records the skew of its clock. */
    Snapshot read() {
        return status.readRegistry().seen();
    }

    private void setWaiting(boolean waits) {
        Thread me = Thread.currentThread();
        waiters.updateAndGet(before -> {
            Stream<Thread> others = Stream.of(before).filter(other -> !other.equals(me));
            return (waits ? Stream.concat(others, Stream.of(me)) : others).toArray(Thread[]::new);
        });
    }

    private void wakeWaiters() {
        for (Thread waiter : Objects.requireNonNull(waiters.get())) {
            time.wake(waiter);
        }
    }

    private void wake(@Nullable Thread sleeper) {
        if (sleeper != null) {
            time.wake(sleeper);
        }
    }

    // ---- the lease's thread

    private void run() {
        thread = Thread.currentThread();
        // The registry may load classes through it, for example database drivers.
        Thread.currentThread().setContextClassLoader(terms.registry().getClass().getClassLoader());
        due = time.nanos();
        while (!phase.isClosed()) {
            if (due - time.nanos() <= 0 || (failures == 0 && steps.canHurry(urgent))) {
                keep();
            } else {
                pause();
            }
        }
        failures = 0;
        due = time.nanos();
        // A call that hung until now may have acquired a worker ID, so there is one attempt even after the end.
        for (boolean again = false; !phase.isDone(); ) {
            if (again && releaseEnd - time.nanos() <= 0) {
                reportUnreleased();
                end();
            } else if (due - time.nanos() <= 0) {
                again = true;
                release();
            } else {
                due = Math.min(due, releaseEnd);
                pause();
            }
        }
    }

    private void pause() {
        // An interrupt flag that a registry has left set would prevent this thread from sleeping.
        Thread.interrupted();
        time.sleep(due - time.nanos());
    }

    private void keep() {
        Thread.interrupted();
        try {
            // Reports that the clock has passed the fence, if no renewal came before.
            status.show(status.reported());
            due = steps.keep();
            failures = 0;
            // This also answered callers that asked meanwhile. One that is still near the fence asks again.
            urgent = NOT_URGENT;
        } catch (Throwable e) {
            backOff();
            try {
                statistics.failed.increment();
                steps.failed(e);
                // Without a pause beyond the fence, the listener learns immediately that ID generation has stopped.
                // A registry that rejects the opening is not asked again: the generator has to be closed.
                due = phase.hasFailed() ? due + NEVER_NANOS : status.fenceOr(due);
            } catch (Throwable again) {
                // The report failed, perhaps because memory is exhausted. The next step tries again.
            }
            phase.connectionFailed();
        }
        wakeWaiters();
    }

    /** Performs one attempt to release the worker ID. */
    private void release() {
        Thread.interrupted();
        try {
            report(steps.release(failures > 0));
            end();
        } catch (Throwable e) {
            notReleased = e;
            backOff();
        }
    }

    private void end() {
        phase.done();
        wakeWaiters();
    }

    private void reportUnreleased() {
        String reason = "it could not be released";
        try {
            Throwable why = notReleased;
            reason += " (%s). Another process can lease the worker ID from %s"
                    .formatted(
                            why == null ? "the registry has not answered" : LeaseFailures.messages(why),
                            status.freeAt());
        } catch (Throwable e) {
            // Perhaps memory is exhausted.
        }
        report(reason);
    }

    /** @param reason why the worker ID was not released; null if it was */
    private void report(@Nullable String reason) {
        try {
            steps.closed(reason);
        } catch (Throwable e) {
            // The report failed, perhaps because memory is exhausted.
        }
    }

    /**
     * Schedules the next attempt after a failure. Allocates nothing, so that it succeeds even if memory is exhausted.
     */
    private void backOff() {
        long longest = Math.min(LONGEST_BACKOFF_NANOS, terms.ttl().toNanos() / 6);
        long nanos = Math.min(longest, SHORTEST_BACKOFF_NANOS << Math.min(failures++, 10));
        due = time.nanos() + nanos - time.draw((int) (nanos / 4));
    }
}
