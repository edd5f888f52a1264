package io.github.snowflakeid.event;

import io.github.snowflakeid.worker.WorkerLease;
import java.time.Duration;
import java.util.Objects;

/**
 * An event about the lease of an auto-configured generator. It is published to the application context, for
 * {@code @EventListener} methods:
 *
 * <pre>{@code
 * @EventListener
 * void on(SnowflakeLeaseEvent event) {
 *     if (event.kind() == SnowflakeLeaseEvent.Kind.LOST) {
 *         pager.call(event.toString());
 *     }
 * }
 * }</pre>
 *
 * <p>A dedicated thread publishes the events of a context one after the other. A slow listener delays other listeners,
 * but neither leases nor IDs. The first event is published after the context has started, and the last one before the
 * context is closed. Immutable.
 *
 * @since 0.1.0
 */
public final class SnowflakeLeaseEvent {

    private final String generator;
    private final Kind kind;
    private final WorkerLease lease;
    private final Duration outage;

    /**
     * Creates an event, for tests of listeners.
     *
     * @param generator the name of the generator, empty for the unnamed one
     * @param kind the kind of the event
     * @param lease the lease at that time
     * @param outage how long no IDs could be generated; zero unless the kind is {@link Kind#RECOVERED}
     */
    public SnowflakeLeaseEvent(String generator, Kind kind, WorkerLease lease, Duration outage) {
        this.generator = Objects.requireNonNull(generator, "generator");
        this.kind = Objects.requireNonNull(kind, "kind");
        this.lease = Objects.requireNonNull(lease, "lease");
        this.outage = Objects.requireNonNull(outage, "outage");
    }

    /**
     * Returns the name of the generator.
     *
     * @return the name; empty for the unnamed generator
     */
    public String generator() {
        return generator;
    }

    /**
     * Returns the kind of the event.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the lease at the time of the event.
     *
     * @return the lease; it has a reason if the kind is {@link Kind#EXPIRING} or {@link Kind#LOST}
     */
    public WorkerLease lease() {
        return lease;
    }

    /**
     * Returns how long no IDs could be generated, if the kind is {@link Kind#RECOVERED}.
     *
     * @return the duration; zero for other kinds, and if IDs never stopped
     */
    public Duration outage() {
        return outage;
    }

    @Override
    public String toString() {
        return "SnowflakeLeaseEvent[generator=%s, kind=%s, lease=%s, outage=%s]"
                .formatted(generator, kind, lease, outage);
    }

    /** The kinds of events. Later versions may add constants. */
    public enum Kind {
        /** A worker ID was leased for the first time since the context was started. */
        HELD,
        /**
         * The lease was not renewed in time. IDs continue up to {@link WorkerLease#fence()} while renewal is retried.
         */
        EXPIRING,
        /**
         * No IDs can be generated: the lease has expired, another process holds the worker ID, or the clock is far
         * behind the last ID. Leasing is retried.
         */
        LOST,
        /** The lease was renewed after {@link #EXPIRING}, or IDs can be generated again after {@link #LOST}. */
        RECOVERED
    }
}
