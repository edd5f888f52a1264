package io.github.snowflakeid.segment;

import io.github.snowflakeid.internal.SafeCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Reports events to a listener, one after the other, in threads that are started for that. No thread of the generator
 * waits for them, so a listener may close the generator, ask it for numbers, or end the JVM. Safe for use by any number
 * of threads.
 */
final class Reports {

    private final SegmentListener listener;
    private final Executor threads;
    private final ReentrantLock lock = new ReentrantLock();

    /** Completed after the last report. Guarded by the lock. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    Reports(SegmentListener listener, Executor threads) {
        this.listener = listener;
        this.threads = threads;
    }

    /**
     * Adds a report. Call this while the lock is held that guards the reported state, so that reports have the order of
     * the changes.
     */
    void add(Consumer<SegmentListener> report) {
        lock.lock();
        try {
            // Also after a report for which no thread could be started.
            last = last.handleAsync(
                    (result, failure) -> {
                        SafeCall.run(() -> report.accept(listener));
                        return true;
                    },
                    threads);
        } finally {
            lock.unlock();
        }
    }
}
