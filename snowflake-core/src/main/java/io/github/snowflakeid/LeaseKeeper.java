package io.github.snowflakeid;

import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerLease;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a generator supplied with a leased worker ID, from one opening of the generator to its next closing. Owns the thread that does
 * so, and decides when that thread takes the next of the {@link LeaseSteps}: when one is due, early if callers near the fence, and after
 * a growing pause if a step failed.
 *
 * <p><b>Who does what.</b> Only the lease's thread calls the registry to change anything, moves the fence and reports to the listener.
 * Other threads only change the {@link LeaseStatus}, ask for an early renewal, read the registry, and wait for the lease's thread. They
 * wait no longer than the acquire timeout; the lease's thread may hang in the registry for longer, and finds out afterwards that the
 * generator was closed. One thread at a time opens or closes the generator ({@link Lifecycle}).
 *
 * <p><b>Errors.</b> Whatever a step throws, because of the registry, the listener or the machine, the lease's thread continues: it reports the
 * error, if it can, and tries again after a pause.
 */
final class LeaseKeeper {

    /** After a failure the thread pauses for a time that doubles with each failure, from this ... */
    private static final long SHORTEST_BACKOFF_NANOS = 50_000_000;

    /** ... to this, or to a sixth of the ttl if that is shorter. */
    private static final long LONGEST_BACKOFF_NANOS = 5_000_000_000L;

    /** How long a thread that opens a generator may take to notice that the generator or the process is about to end. */
    private static final long LONGEST_UNNOTICED_NANOS = 500_000_000;

    private final LeaseTerms terms;
    private final TimeSource time;
    private final String threadName;
    private final StatisticsRecorder statistics;
    private final LeaseStatus status;
    private final LeaseSteps steps;

    private volatile @Nullable Thread thread;

    /** The thread that opens or closes the generator and waits for the lease's thread. */
    private volatile @Nullable Thread waiter;

    /** Whether a caller is near the fence, so that a renewal is to come before it is due. */
    private volatile boolean urgent;

    /** How many steps in a row have failed. Used by the lease's thread only. */
    private int failures;

    /** When the next step is due, as {@link TimeSource#nanos}. Used by the lease's thread only. */
    private long due;

    /**
     * Makes a lease that has not begun yet.
     *
     * @param issuer issues the generator's IDs
     * @param vacancy what the issuer has until a worker ID is granted
     * @throws IllegalArgumentException if the datacenter ID of the terms does not fit the layout
     */
    LeaseKeeper(SlotIssuer issuer, Allocation vacancy, LeaseTerms terms, String threadName) {
        this.terms = terms;
        this.threadName = threadName;
        time = issuer.time;
        statistics = issuer.statistics;
        status = new LeaseStatus(terms, issuer.layout, time);
        steps = new LeaseSteps(issuer, vacancy, terms, status);
    }

    // ---- for other threads

    /**
     * Starts the thread and waits for the first worker ID.
     *
     * @param isCancelled whether to stop waiting
     * @throws WorkerIdUnavailableException if there is no worker ID within the acquire timeout; the caller must still close
     *     the lease then
     */
    void open(BooleanSupplier isCancelled) {
        waiter = Thread.currentThread();
        try {
            time.start(threadName, this::run);
            awaitOpen(isCancelled);
        } finally {
            waiter = null;
        }
    }

    private void awaitOpen(BooleanSupplier isCancelled) {
        long timeout = terms.acquireTimeout().toNanos();
        LeaseFailures messages = new LeaseFailures(terms);
        while (status.isOpening()) {
            WorkerIdUnavailableException refusal = status.refusal();
            if (refusal != null && LeaseFailures.isFinal(refusal)) {
                throw refusal;
            }
            long left = timeout - (time.nanos() - status.awaitedSince());
            if (left <= 0) {
                throw refusal != null ? refusal : messages.unreachable("the registry has not answered yet", null);
            }
            if (isCancelled.getAsBoolean()) {
                throw messages.notAwaited("the generator was closed while it waited");
            }
            time.sleep(Math.min(left, LONGEST_UNNOTICED_NANOS));
            if (Thread.currentThread().isInterrupted()) {
                throw messages.notAwaited("interrupted while waiting for an answer");
            }
        }
    }

    /** Asks for a renewal now rather than when it is due. Cheap if that was asked before. */
    void hurry() {
        if (!urgent) {
            urgent = true;
            wake(thread);
        }
    }

    /**
     * Releases the worker ID, and waits for that as long as the acquire timeout says. If nothing was claimed yet, {@link LeaseStatus#close}
     * ends the lease at once, since a read of the registry may hang. The generator's allocation was replaced before by one that has no
     * slots, so the last ID is known.
     */
    void close() {
        waiter = Thread.currentThread();
        status.close();
        wake(thread);
        long end = time.nanos() + terms.acquireTimeout().toNanos();
        boolean interrupted = false;
        // A listener may close its generator; the step that calls the listener ends only after that.
        boolean waits = !isKeptByCurrentThread();
        while (waits && !status.hasEnded() && end - time.nanos() > 0) {
            time.sleep(end - time.nanos());
            interrupted |= Thread.interrupted();
        }
        TimeSource.keepInterrupt(interrupted);
    }

    /** Returns whether the lease's thread is the caller, as if a listener calls its generator. */
    boolean isKeptByCurrentThread() {
        return Thread.currentThread().equals(thread);
    }

    /** Returns how the lease stands. */
    WorkerLease view() {
        return status.view();
    }

    /** Returns what a caller gets who has waited for the fence to move. */
    WorkerLeaseExpiredException expired(long waitedMillis) {
        return status.expired(waitedMillis);
    }

    /** Reads the registry, and remembers how far its clock is ahead. */
    Snapshot read() {
        return status.readRegistry().seen();
    }

    private void wake(@Nullable Thread sleeper) {
        if (sleeper != null) {
            time.wake(sleeper);
        }
    }

    // ---- the lease's thread

    private void run() {
        thread = Thread.currentThread();
        // For classes that the registry loads, as the drivers of a database.
        Thread.currentThread().setContextClassLoader(terms.registry().getClass().getClassLoader());
        due = time.nanos();
        while (!status.isClosed()) {
            if (due - time.nanos() <= 0 || (urgent && failures == 0 && steps.canHurry())) {
                keep();
            } else {
                pause();
            }
        }
        failures = 0;
        due = time.nanos();
        for (long began = due; !status.hasEnded(); ) {
            if (due - time.nanos() <= 0) {
                release(time.nanos() - began >= terms.acquireTimeout().toNanos());
            } else {
                pause();
            }
        }
    }

    private void pause() {
        // An interrupt that a registry left behind must not keep this thread from sleeping.
        Thread.interrupted();
        time.sleep(due - time.nanos());
    }

    private void keep() {
        Thread.interrupted();
        urgent = false;
        try {
            // Reports that the fence has passed, if no renewal came before.
            status.show(status.view());
            due = steps.keep();
            failures = 0;
        } catch (Throwable e) {
            backOff();
            try {
                statistics.failed.increment();
                steps.failed(e);
                // The listener ought to know at once that no IDs are issued any more.
                due = status.fenceOr(due);
            } catch (Throwable again) {
                // The report failed, perhaps because there is no memory left. The next step tries again.
            }
        }
        wake(waiter);
    }

    /** @param giveUp whether not to try again */
    private void release(boolean giveUp) {
        Thread.interrupted();
        boolean ends = giveUp;
        try {
            steps.release(failures > 0);
            ends = true;
        } catch (Throwable e) {
            backOff();
            try {
                if (giveUp) {
                    steps.notReleased(e);
                }
            } catch (Throwable again) {
                // As above.
            }
        }
        if (ends) {
            status.end();
            wake(waiter);
        }
    }

    /** Allocates nothing, so that it succeeds where there is no memory left. */
    private void backOff() {
        long longest = Math.min(LONGEST_BACKOFF_NANOS, terms.ttl().toNanos() / 6);
        long nanos = Math.min(longest, SHORTEST_BACKOFF_NANOS << Math.min(failures++, 10));
        due = time.nanos() + nanos - time.draw((int) (nanos / 4));
    }
}
