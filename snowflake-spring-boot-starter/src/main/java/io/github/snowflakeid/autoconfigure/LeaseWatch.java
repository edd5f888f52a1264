package io.github.snowflakeid.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at leases from time to time, in a thread of its own, so that logs and events are in time also while a store does not
 * answer. While all is well, it wakes up as often as a lease is renewed.
 */
final class LeaseWatch implements Runnable {

    /** When it looks again where a look has failed, as for lack of memory, or of a disk for the log. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final List<LeaseLog> all = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread thread;

    void add(LeaseLog log) {
        all.add(log);
    }

    /** Begins, unless there is nothing to look at. */
    void start() {
        if (!all.isEmpty() && thread == null) {
            Thread watching = new Thread(null, this, "snowflake-watch", 0, false);
            watching.setDaemon(true);
            // Not that of the system, which knows nothing of what an executable jar has in it.
            watching.setContextClassLoader(LeaseWatch.class.getClassLoader());
            thread = watching;
            watching.start();
        }
    }

    void stop() {
        Thread watching = thread;
        thread = null;
        if (watching != null) {
            LockSupport.unpark(watching);
        }
    }

    @Override
    public void run() {
        while (Thread.currentThread().equals(thread)) {
            Duration pause = Duration.ofDays(1);
            for (LeaseLog each : all) {
                Duration wanted = look(each);
                pause = wanted.compareTo(pause) < 0 ? wanted : pause;
            }
            LockSupport.parkNanos(this, pause.toNanos());
            // Whoever it was meant for, it must not keep this thread from sleeping.
            Thread.interrupted();
        }
    }

    /** Whatever is thrown, by a log or the machine: it looks again. */
    private static Duration look(LeaseLog lease) {
        try {
            return lease.look();
        } catch (Throwable failed) {
            return AFTER_FAILURE;
        }
    }
}
