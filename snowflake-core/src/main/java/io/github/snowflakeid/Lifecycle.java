package io.github.snowflakeid;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Ensures that only one thread at a time opens or closes a generator. A listener to the lease may do so as well, but must not wait for
 * another thread, because that thread may be waiting for the lease's thread, which calls the listener. In this case, the other thread closes
 * the generator on behalf of the listener, and reopening is rejected.
 */
final class Lifecycle {

    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean closeAsked;

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
    }

    /**
     * Locks this lifecycle to close the generator. A thread that waits while it opens the generator stops waiting.
     *
     * @param mayWait whether the caller may wait for another thread that opens or closes the generator
     * @return false if another thread is doing so and the caller may not wait for it; the other thread then closes the generator
     */
    boolean lockToClose(boolean mayWait) {
        closeAsked = true;
        if (mayWait) {
            lock.lock();
        } else if (!lock.tryLock()) {
            return false;
        }
        closeAsked = false;
        return true;
    }

    /** Returns whether another thread has asked to close the generator, so that a thread that opens it should stop waiting. */
    boolean isCloseAsked() {
        return closeAsked;
    }

    /** Unlocks this lifecycle. Returns whether the caller must close the generator now, because a listener has asked for that. */
    boolean unlock() {
        lock.unlock();
        return closeAsked && !lock.isHeldByCurrentThread();
    }
}
