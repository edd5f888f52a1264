package io.github.snowflakeid;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread at a time open or close a generator. A listener that closes it must not wait for whoever is at it, who may wait
 * for the thread that the listener is called by. It leaves that to the other one.
 */
final class Lifecycle {

    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean closeAsked;

    void lock() {
        lock.lock();
    }

    /** False if somebody else opens or closes now, who will close then; only if this may not wait. */
    boolean lockToClose(boolean mayWait) {
        if (mayWait) {
            lock.lock();
        } else {
            closeAsked = true;
            if (!lock.tryLock()) {
                return false;
            }
        }
        closeAsked = false;
        return true;
    }

    /** Whether to close now, since that was asked for meanwhile. */
    boolean unlock() {
        lock.unlock();
        return closeAsked && !lock.isHeldByCurrentThread();
    }
}
