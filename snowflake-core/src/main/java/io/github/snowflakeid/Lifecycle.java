package io.github.snowflakeid;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread at a time open or close a generator. A listener that does so must not wait for the other thread, because that thread
 * may wait for the thread that calls the listener. Closing is left to the other thread then, and reopening is rejected.
 */
final class Lifecycle {

    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean closeAsked;

    /**
     * @param mayWait whether the caller may wait for another thread that opens or closes
     * @throws IllegalStateException if another thread opens or closes, and the caller may not wait for it
     */
    void lockToOpen(boolean mayWait) {
        if (mayWait) {
            lock.lock();
        } else if (!lock.tryLock()) {
            throw new IllegalStateException(
                    "Generator not reopened: another thread opens or closes it, and waits for the listener to return");
        }
    }

    /**
     * Makes a thread that opens the generator stop waiting.
     *
     * @return false if another thread opens or closes, which closes then; only if the caller may not wait for it
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

    /** Returns whether another thread waits for the generator to be closed. */
    boolean isCloseAsked() {
        return closeAsked;
    }

    /** Returns whether the caller has to close now, because a listener asked for that. */
    boolean unlock() {
        lock.unlock();
        return closeAsked && !lock.isHeldByCurrentThread();
    }
}
