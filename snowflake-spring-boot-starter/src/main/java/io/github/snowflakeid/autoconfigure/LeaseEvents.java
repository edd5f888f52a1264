package io.github.snowflakeid.autoconfigure;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Publishes lease events while the context runs, and holds earlier events back until it does, since listener beans may
 * not exist before. A dedicated thread calls the listeners, so that a slow listener does not delay a lease. The thread
 * exists only while there are events.
 */
final class LeaseEvents implements Consumer<SnowflakeLeaseEvent> {

    private final ConfigurableApplicationContext context;

    /** Events that are held back until the context runs. */
    private final List<SnowflakeLeaseEvent> early = new ArrayList<>();

    /** Null while the context does not run. */
    private @Nullable ThreadPoolExecutor publisher;

    LeaseEvents(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public synchronized void accept(SnowflakeLeaseEvent event) {
        if (publisher == null) {
            early.add(event);
        } else {
            publisher.execute(() -> publish(event));
        }
    }

    private void publish(SnowflakeLeaseEvent event) {
        if (context.isActive()) {
            try {
                context.publishEvent(event);
            } catch (RuntimeException e) {
                LogFactory.getLog(SnowflakeIdGenerator.class).warn("A listener for SnowflakeLeaseEvent failed", e);
            }
        }
    }

    synchronized void start() {
        if (publisher == null) {
            publisher = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::newThread);
            early.forEach(this);
            early.clear();
        }
    }

    Thread newThread(Runnable body) {
        Thread thread = new Thread(null, body, "snowflake-events", 0, false);
        thread.setDaemon(true);
        // Listeners need the application's class loader: the system class loader does not see the contents of an
        // executable jar.
        thread.setContextClassLoader(context.getClassLoader());
        return thread;
    }

    synchronized void stop() {
        early.clear();
        if (publisher != null) {
            // Interrupts no listener: the listener may be closing the context.
            publisher.getQueue().clear();
            publisher.shutdown();
            publisher = null;
        }
    }
}
