package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Publishes events of leases while the context runs: listeners may be beans that are not made before. In a thread that is there
 * only when there are events, so that no listener holds up a lease.
 */
final class LeaseEvents implements Consumer<SnowflakeLeaseEvent>, Runnable, ThreadFactory {

    private final ConfigurableApplicationContext context;
    private final ReentrantLock lock = new ReentrantLock();

    /** What is to be published; also what has happened before the context runs. */
    private final Queue<SnowflakeLeaseEvent> events = new ConcurrentLinkedQueue<>();

    /** Null while the context does not run. */
    private @Nullable ThreadPoolExecutor publisher;

    LeaseEvents(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public void accept(SnowflakeLeaseEvent event) {
        lock.lock();
        try {
            events.add(event);
            if (publisher != null) {
                publisher.execute(this);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Publishes the next one. */
    @Override
    public void run() {
        SnowflakeLeaseEvent next = events.poll();
        if (next != null) {
            publish(next);
        }
    }

    private void publish(SnowflakeLeaseEvent event) {
        if (context.isActive()) {
            try {
                context.publishEvent(event);
            } catch (RuntimeException ofListener) {
                LogFactory.getLog(SnowflakeIdGenerator.class)
                        .warn("A listener to SnowflakeLeaseEvent has failed", ofListener);
            }
        }
    }

    void start() {
        lock.lock();
        try {
            if (publisher == null) {
                ThreadPoolExecutor starting =
                        new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this);
                for (int early = events.size(); early > 0; early--) {
                    starting.execute(this);
                }
                publisher = starting;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Thread newThread(Runnable body) {
        Thread thread = new Thread(null, body, "snowflake-events", 0, false);
        thread.setDaemon(true);
        // For listeners: that of the system knows nothing of what an executable jar has in it.
        thread.setContextClassLoader(context.getClassLoader());
        return thread;
    }

    void stop() {
        lock.lock();
        try {
            ThreadPoolExecutor running = publisher;
            publisher = null;
            events.clear();
            if (running != null) {
                // Interrupts nobody: a listener may be what closes the context.
                running.getQueue().clear();
                running.shutdown();
            }
        } finally {
            lock.unlock();
        }
    }
}
