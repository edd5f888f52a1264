package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A version of the application that saves in two threads until it is stopped. */
final class RunningVersion {

    private static final AtomicInteger THREADS = new AtomicInteger();

    private final Version version;
    private final DataSource database;
    private final Map<String, Object> saved;
    private final Semaphore saves = new Semaphore(0);
    private final List<Thread> threads;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    /**
     * Starts it.
     *
     * @param saved gets the ID of each purchase and line whose transaction was committed
     */
    RunningVersion(Version version, DataSource database, Map<String, Object> saved) {
        this.version = version;
        this.database = database;
        this.saved = saved;
        this.threads = Stream.generate(() -> new Thread(this::run)).limit(2).toList();
        threads.forEach(Thread::start);
    }

    private void run() {
        String name = version.name() + " " + THREADS.incrementAndGet();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; !stopped; i++) {
                try {
                    saved.putAll(version.save(connection, name + "-" + i));
                    saves.release();
                } catch (SQLTransactionRollbackException e) {
                    // MariaDB may require a retry.
                    connection.rollback();
                }
            }
        } catch (Throwable e) {
            failure = e;
            saves.release(1_000_000);
        }
    }

    /** Waits until it has saved more purchases. */
    void awaitSaves(int count) throws InterruptedException {
        saves.drainPermits();
        assertThat(failure).isNull();
        assertThat(saves.tryAcquire(count, 60, TimeUnit.SECONDS)).as("saves").isTrue();
        assertThat(failure).isNull();
    }

    /** Stops it after its current transactions. */
    void stop() {
        stopped = true;
        assertThat(threads).allSatisfy(thread -> {
            thread.join(60_000);
            assertThat(thread.isAlive()).isFalse();
        });
        assertThat(failure).isNull();
    }
}
