package io.github.snowflakeid;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time open or close a generator. A listener that does so must not wait for the other thread, which may wait for
 * the thread that the listener is called by. Closing is left to the other thread, reopening is refused.
 */
final class Lifecycle {

    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean closeAsked;

    void lock() {
        lock.lock();
    }

    /** @throws IllegalStateException if another thread opens or closes now, and this one may not wait for it */
    void lockToOpen(@Nullable Tenants keeper) {
        if (mayWait(keeper)) {
            lock.lock();
        } else if (!lock.tryLock()) {
            throw new IllegalStateException(
                    "Generator not reopened: another thread opens or closes it, and waits for the listener to return");
        }
    }

    /** False if another thread opens or closes now, which will close then; only if this one may not wait for it. */
    boolean lockToClose(@Nullable Tenants keeper) {
        if (mayWait(keeper)) {
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

    private static boolean mayWait(@Nullable Tenants keeper) {
        return keeper == null || !keeper.isKeeperAsking();
    }

    /** Whether to close now, since that was asked for meanwhile. */
    boolean unlock() {
        lock.unlock();
        return closeAsked && !lock.isHeldByCurrentThread();
    }
}
