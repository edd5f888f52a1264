package io.github.snowflakeid.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a generator's lease of a worker id stands: the exclusive right to the ids of one worker id up to a fence, which
 * lies in the ids themselves and so holds whatever clocks do. Immutable; times are of this machine's clock.
 *
 * @param state how it stands
 * @param datacenterId the datacenter id
 * @param workerId the worker id
 * @param fence no id with this timestamp or a later one is made
 * @param acquiredAt when the worker id was leased
 * @param renewedAt when the registry last confirmed it
 * @param clockSkew how far the registry's clock was ahead of this machine's when the registry was last read, negative if it
 *     was behind
 * @param reason why the lease is expiring, lost, or closed without being given back; null otherwise
 */
public record WorkerLease(
        State state,
        int datacenterId,
        int workerId,
        Instant fence,
        Instant acquiredAt,
        Instant renewedAt,
        Duration clockSkew,
        @Nullable String reason) {

    /**
     * Makes a lease.
     *
     * @param state how it stands
     * @param datacenterId the datacenter id
     * @param workerId the worker id
     * @param fence the end of its ids
     * @param acquiredAt when the worker id was leased
     * @param renewedAt when the registry last confirmed it
     * @param clockSkew how far the registry's clock was ahead
     * @param reason why it is expiring, lost or not given back, or null
     */
    public WorkerLease {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(fence, "fence");
        Objects.requireNonNull(acquiredAt, "acquiredAt");
        Objects.requireNonNull(renewedAt, "renewedAt");
        Objects.requireNonNull(clockSkew, "clockSkew");
    }

    /**
     * The same lease in another state.
     *
     * @param next how it stands
     * @param why why, or null
     * @return a lease that differs in this only
     */
    public WorkerLease with(State next, @Nullable String why) {
        return new WorkerLease(next, datacenterId, workerId, fence, acquiredAt, renewedAt, clockSkew, why);
    }

    /** How a lease stands. */
    public enum State {
        /** Confirmed and renewed in time. */
        HELD,
        /** The last renewal failed: ids go on up to the fence while it is tried again. */
        EXPIRING,
        /** The registry no longer has it; no id is made until another worker id is leased, which is being tried. */
        LOST,
        /** Over for this generator: given back, unless {@link WorkerLease#reason()} says otherwise. */
        CLOSED
    }
}
