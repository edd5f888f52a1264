package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator's lease of a worker ID. A lease is the exclusive right to issue the IDs of one worker ID up
 * to a fence. The fence is compared with the timestamps in the IDs, so it does not depend on any clock. Immutable. All
 * instants except the fence are on this machine's clock.
 *
 * @since 1.0
 */
public sealed interface WorkerLease permits LeaseValues {

    /**
     * Returns a lease without a reason, whose clock skew was zero when it was acquired. Applications receive leases
     * from generators; this method is meant for tests of listeners.
     *
     * @param state the state
     * @param datacenterId the datacenter ID
     * @param workerId the worker ID
     * @param fence the first timestamp at which no ID may be issued
     * @param acquiredAt when the worker ID was leased
     * @param renewedAt when the registry last confirmed the lease
     * @return a lease
     */
    static WorkerLease of(
            State state, int datacenterId, int workerId, Instant fence, Instant acquiredAt, Instant renewedAt) {
        return LeaseValues.of(state, datacenterId, workerId, fence, acquiredAt, renewedAt, null);
    }

    /**
     * Returns the state.
     *
     * @return the state at the moment when the lease was reported or requested
     */
    State state();

    /**
     * Returns the datacenter ID.
     *
     * @return 0 if the layout has no bits for it
     */
    int datacenterId();

    /**
     * Returns the worker ID.
     *
     * @return the worker ID
     */
    int workerId();

    /**
     * Returns the end of the lease. No ID with this timestamp or a later one is issued.
     *
     * @return the fence
     */
    Instant fence();

    /**
     * Returns when the worker ID was leased.
     *
     * @return an instant on this machine's clock
     */
    Instant acquiredAt();

    /**
     * Returns when the registry last confirmed the lease.
     *
     * @return an instant on this machine's clock
     */
    Instant renewedAt();

    /**
     * Returns the least amount by which the registry's clock was ahead of this machine's clock at
     * {@link #clockReadAt()}. The time that the registry took to answer is not included.
     *
     * @return negative if the registry's clock was behind
     */
    Duration clockSkew();

    /**
     * Returns when the registry's clock was last read: before the worker ID was leased, and whenever the application
     * {@linkplain SnowflakeIdGenerator#readRegistry() reads the registry}. A renewal does not
     * read it.
     *
     * @return an instant on this machine's clock
     */
    Instant clockReadAt();

    /**
     * Returns why the lease is expiring, has ended, is lost, or was closed without being released.
     *
     * @return null for other states
     */
    @Nullable
    String reason();

    /**
     * Returns a copy with another reason, for tests of listeners.
     *
     * @param reason the reason, or null
     * @return the copy
     */
    WorkerLease withReason(@Nullable String reason);

    /** The state of a lease. Later versions may add constants. */
    enum State {
        /** The registry confirmed the lease, and no renewal is late. */
        HELD,
        /**
         * The last renewal failed or is late. IDs continue up to the fence while renewal is retried. Also the state if
         * the lease was renewed but callers get no IDs, because this machine's clock was set back so far that it will
         * still be behind the last ID when the next renewal is due.
         */
        EXPIRING,
        /**
         * This machine's clock has reached the fence, and no renewal was confirmed. No IDs are issued until the lease
         * is renewed or another worker ID is leased, which the generator keeps trying. Also the state if the lease was
         * renewed, but this machine's clock is so far ahead that renewals cannot reach it.
         */
        ENDED,
        /**
         * The registry no longer has the lease. No IDs are issued until another worker ID is leased, which the
         * generator keeps trying.
         */
        LOST,
        /**
         * The generator was closed and released the lease. If it could not release the lease,
         * {@link WorkerLease#reason()} says why.
         */
        CLOSED
    }
}
