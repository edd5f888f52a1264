package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.worker.WorkerLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at leases from time to time, in a thread of its own, so that logs and events are in time also while a store does not
 * answer. While all is well, it wakes up as often as a lease is renewed.
 */
final class LeaseWatch implements Runnable {

    private final List<Watched> all = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread thread;

    private record Watched(SnowflakeIdGenerator generator, LeaseLog log) {}

    void add(SnowflakeIdGenerator generator, LeaseLog log) {
        all.add(new Watched(generator, log));
    }

    /** Begins, unless there is nothing to look at. */
    void start() {
        if (!all.isEmpty() && thread == null) {
            Thread watching = new Thread(null, this, "snowflake-watch", 0, false);
            watching.setDaemon(true);
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
            for (Watched each : all) {
                Optional<WorkerLease> lease = each.generator.lease();
                if (lease.isPresent()) {
                    Duration wanted = each.log.look(lease.get());
                    pause = wanted.compareTo(pause) < 0 ? wanted : pause;
                }
            }
            LockSupport.parkNanos(this, pause.toNanos());
            // Whoever it was meant for, it must not keep this thread from sleeping.
            Thread.interrupted();
        }
    }
}
