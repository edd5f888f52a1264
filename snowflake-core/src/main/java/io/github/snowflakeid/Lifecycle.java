package io.github.snowflakeid;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ensures that only one thread at a time opens or closes a generator, and that closing does not wait for an opening
 * that waits for a lease.
 *
 * <p>A listener to the lease may open and close its generator, too. It is called by the lease's thread, for which
 * another thread that opens or closes the generator may be waiting, so it must not wait for that thread. If a listener
 * cannot lock, it cannot open the generator; to close the generator, it cancels the opening, or leaves the rest to the
 * thread that is already closing.
 */
final class Lifecycle {

    /** What the thread that holds the lock is doing. */
    private enum Phase {
        /** Nothing, or it has just locked, or it is about to unlock. */
        NONE,
        OPENING,
        /** It is opening the generator, and must close it again because a listener has closed it in between. */
        CANCELLED,
        CLOSING
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NONE);

    /** How many threads wait for the lock to close the generator. */
    private final AtomicInteger closers = new AtomicInteger();

    /**
     * Locks this lifecycle to open the generator.
     *
     * @param mayWait whether the caller may wait for another thread that opens or closes the generator
     * @throws IllegalStateException if another thread is doing so and the caller may not wait for it
     */
    void lockToOpen(boolean mayWait) {
        if (mayWait) {
            lock.lock();
        } else if (!lock.tryLock()) {
            throw new IllegalStateException(
                    "Generator not reopened: another thread is opening or closing it and waits for the listener to return");
        }
        phase.set(Phase.OPENING);
    }

    /** Returns whether the generator is to be closed, so that the thread that opens it should stop waiting. */
    boolean isCancelled() {
        return closers.get() > 0 || phase.get() == Phase.CANCELLED;
    }

    /**
     * Ends the opening. Returns false if a listener has closed the generator in between, so that the caller must close
     * it.
     */
    boolean opened() {
        return phase.getAndSet(Phase.NONE) != Phase.CANCELLED;
    }

    /**
     * Locks this lifecycle to close the generator.
     *
     * @param mayWait whether the caller may wait for another thread that opens or closes the generator
     * @return false if another thread is doing so and the caller may not wait for it; the other thread then closes the
     *     generator
     */
    boolean lockToClose(boolean mayWait) {
        if (mayWait) {
            closers.incrementAndGet();
            lock.lock();
            closers.decrementAndGet();
        }
        while (!mayWait && !lock.tryLock()) {
            if (phase.updateAndGet(now -> now == Phase.OPENING ? Phase.CANCELLED : now) != Phase.NONE) {
                return false;
            }
            Thread.onSpinWait();
        }
        phase.set(Phase.CLOSING);
        return true;
    }

    void unlock() {
        if (lock.getHoldCount() == 1) {
            phase.set(Phase.NONE);
        }
        lock.unlock();
    }
}
