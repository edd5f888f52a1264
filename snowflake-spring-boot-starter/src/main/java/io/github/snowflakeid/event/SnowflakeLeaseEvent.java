package io.github.snowflakeid.event;

import io.github.snowflakeid.WorkerLease;
import java.time.Duration;

/**
 * An event about the lease of an auto-configured generator. It is published to the application context, for
 * {@code @EventListener} methods:
 *
 * <pre>{@code
 * @EventListener
 * void on(SnowflakeLeaseEvent event) {
 *     switch (event.kind()) {
 *         case ENDED, LOST -> pager.call(event.toString());
 *         default -> {}
 *     }
 * }
 * }</pre>
 *
 * <p>A dedicated thread publishes the events of a context one after the other. A slow listener delays other listeners,
 * but neither leases nor IDs. The first event is published after the context has started, and the last one before the
 * context is closed. Immutable.
 *
 * @param generator the name of the generator; empty for the unnamed generator
 * @param kind the kind of the event
 * @param lease the lease at the time of the event; it has a reason if the kind is {@link Kind#EXPIRING},
 *     {@link Kind#ENDED} or {@link Kind#LOST}
 * @param outage how long no IDs could be generated, if the kind is {@link Kind#RECOVERED}; zero for other kinds, and if
 *     IDs never stopped
 * @since 1.0
 */
public record SnowflakeLeaseEvent(String generator, Kind kind, WorkerLease lease, Duration outage) {

    /** The kinds of events. Later versions may add constants. */
    public enum Kind {
        /** A worker ID was leased for the first time since the context was started. */
        HELD,
        /**
         * The lease was not renewed in time. IDs continue up to {@link WorkerLease#fence()} while renewal is retried.
         */
        EXPIRING,
        /** No IDs can be generated: the lease has ended without a renewal. Renewal is retried. */
        ENDED,
        /**
         * No IDs can be generated: the store no longer has the lease, or the clock is far behind the last ID. Leasing
         * is retried.
         */
        LOST,
        /**
         * The lease was renewed after {@link #EXPIRING}, or IDs can be generated again after {@link #ENDED} or
         * {@link #LOST}.
         */
        RECOVERED
    }
}
