package io.github.snowflakeid.internal.log;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease;
import io.github.snowflakeid.event.SnowflakeLeaseEvent;
import io.github.snowflakeid.internal.DaemonThreads;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.commons.logging.LogFactory;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Publishes lease events while the context runs, and holds earlier events back until it does, since listener beans may
 * not exist before. Dedicated threads call the listeners, one event after another, so that a slow listener does not
 * delay a lease. A thread exists only while an event is published. In native images, the {@code condition} of an
 * {@code @EventListener} calls accessors of the event by reflection.
 */
@RegisterReflection(
        classes = {SnowflakeLeaseEvent.class, SnowflakeLeaseEvent.Kind.class, WorkerLease.class, WorkerLease.State.class
        },
        memberCategories = MemberCategory.INVOKE_PUBLIC_METHODS)
public final class LeaseEvents implements Consumer<SnowflakeLeaseEvent> {

    private final ConfigurableApplicationContext context;

    /** Completed while the context runs. */
    private CompletableFuture<Void> start = new CompletableFuture<>();

    /** Completed when the last event was published. */
    private CompletableFuture<Void> last = start;

    /**
     * Creates the publisher of a context.
     *
     * @param context the context, which is not running yet
     */
    public LeaseEvents(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public synchronized void accept(SnowflakeLeaseEvent event) {
        CompletableFuture<Void> current = start;
        last = last.whenCompleteAsync(
                (done, failure) -> publish(event, current),
                // Listeners need the application's class loader: the system class loader does not see the contents of
                // an executable jar.
                body -> DaemonThreads.start("snowflake-events", body, context.getClassLoader()));
    }

    @SuppressWarnings("ReferenceEquality") // A future is equal to itself only.
    private void publish(SnowflakeLeaseEvent event, CompletableFuture<Void> current) {
        synchronized (this) {
            if (current != start) {
                return;
            }
        }
        if (context.isActive()) {
            try {
                context.publishEvent(event);
            } catch (RuntimeException | Error e) {
                LogFactory.getLog(SnowflakeIdGenerator.class).warn("A listener for SnowflakeLeaseEvent failed", e);
            }
        }
    }

    /** Publishes the events so far, and the following ones. */
    public synchronized void start() {
        start.complete(null);
    }

    /** Drops the events that are not published yet. Does not interrupt a listener: it may be closing the context. */
    public synchronized void stop() {
        start = new CompletableFuture<>();
        last = start;
    }
}
