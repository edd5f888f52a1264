package io.github.snowflakeid.event;

import io.github.snowflakeid.worker.WorkerLease;
import java.time.Duration;
import java.util.Objects;

/**
 * Something has happened to the lease of an auto-configured generator. Published to the application context, for any
 * {@code @EventListener}:
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
 * <p>Events of a context come one after the other, in a thread of their own: a listener that is slow holds up other listeners,
 * but neither leases nor ids. The first comes when the context has started, the last before it is closed. Immutable.
 *
 * @param generator name of the generator, empty for the unnamed one
 * @param kind what has happened
 * @param lease how the lease stood then; with {@link Kind#EXPIRING} and {@link Kind#LOST} it has a reason
 * @param away how long no ids could be made, with {@link Kind#RECOVERED}; else, and if they could all the time, zero
 */
public record SnowflakeLeaseEvent(String generator, Kind kind, WorkerLease lease, Duration away) {

    /**
     * Makes an event.
     *
     * @param generator name of the generator
     * @param kind what has happened
     * @param lease how the lease stood then
     * @param away how long no ids could be made
     */
    public SnowflakeLeaseEvent {
        Objects.requireNonNull(generator, "generator");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(lease, "lease");
        Objects.requireNonNull(away, "away");
    }

    /** What has happened to a lease. */
    public enum Kind {
        /** A worker id was leased, the first one since the context was started. */
        HELD,
        /** The lease was not renewed in time. Ids are made up to {@link WorkerLease#fence()}, while it is tried again. */
        EXPIRING,
        /** No ids can be made: the lease has ended, or somebody else has the worker id. It is tried to lease again. */
        LOST,
        /** The lease is renewed after {@link #EXPIRING}, or ids can be made again after {@link #LOST}. */
        RECOVERED
    }
}
