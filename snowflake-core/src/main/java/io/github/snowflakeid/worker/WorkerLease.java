package io.github.snowflakeid.worker;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a generator's lease of a worker ID. A lease is the exclusive right to the IDs of one worker ID up to a fence. The fence is a
 * timestamp of the IDs themselves, so it holds whatever clocks do. Immutable; instants are on this machine's clock.
 *
 * @since 0.1.0
 */
public final class WorkerLease {

    /** A renewal is due after this fraction of the ttl ... */
    private static final int DUE = 3;

    /** ... and late after this one. */
    private static final int LATE = 2;

    private final Values values;

    private WorkerLease(Values values) {
        this.values = values;
    }

    /**
     * Returns a lease without a reason, whose clock skew was zero when it was acquired. Generators report leases; tests of listeners may
     * need their own.
     *
     * @param state the state
     * @param datacenterId the datacenter ID
     * @param workerId the worker ID
     * @param fence the first timestamp that no ID has
     * @param acquiredAt when the worker ID was leased
     * @param renewedAt when the registry last confirmed the lease
     * @return a lease
     */
    public static WorkerLease of(
            State state, int datacenterId, int workerId, Instant fence, Instant acquiredAt, Instant renewedAt) {
        return new WorkerLease(new Values(
                state, datacenterId, workerId, fence, acquiredAt, renewedAt, Duration.ZERO, acquiredAt, null));
    }

    /**
     * Returns the state.
     *
     * @return the state when the generator reported it; {@link #at} takes time that has passed since then into account
     */
    public State state() {
        return values.state();
    }

    /**
     * Returns the datacenter ID.
     *
     * @return 0 if the layout has no bits for it
     */
    public int datacenterId() {
        return values.datacenterId();
    }

    /**
     * Returns the worker ID.
     *
     * @return the worker ID
     */
    public int workerId() {
        return values.workerId();
    }

    /**
     * Returns the end of the lease. No ID with this timestamp or a later one is issued.
     *
     * @return the fence
     */
    public Instant fence() {
        return values.fence();
    }

    /**
     * Returns when the worker ID was leased.
     *
     * @return an instant on this machine's clock
     */
    public Instant acquiredAt() {
        return values.acquiredAt();
    }

    /**
     * Returns when the registry last confirmed the lease.
     *
     * @return an instant on this machine's clock
     */
    public Instant renewedAt() {
        return values.renewedAt();
    }

    /**
     * Returns how far the registry's clock was ahead of this machine's at {@link #clockReadAt()}, at the least. The time that the registry
     * took to answer is not included.
     *
     * @return negative if the registry's clock was behind
     */
    public Duration clockSkew() {
        return values.clockSkew();
    }

    /**
     * Returns when the registry's clock was last read: before the worker ID was leased, and whenever the application
     * {@linkplain io.github.snowflakeid.SnowflakeIdGenerator#readRegistry() reads the registry}. A renewal does not read it.
     *
     * @return an instant on this machine's clock
     */
    public Instant clockReadAt() {
        return values.clockReadAt();
    }

    /**
     * Returns why the lease is expiring, is lost, or was closed without being released.
     *
     * @return null for other states
     */
    public @Nullable String reason() {
        return values.reason();
    }

    /**
     * Returns a lease that differs in its state and reason only.
     *
     * @param state the new state
     * @param reason the reason, or null
     * @return another lease
     */
    public WorkerLease with(State state, @Nullable String reason) {
        return new WorkerLease(new Values(
                state,
                datacenterId(),
                workerId(),
                fence(),
                acquiredAt(),
                renewedAt(),
                clockSkew(),
                clockReadAt(),
                reason));
    }

    /**
     * Returns a lease that differs in the registry's clock only.
     *
     * @param skew how far it was ahead
     * @param readAt when it was read
     * @return another lease
     */
    public WorkerLease withClock(Duration skew, Instant readAt) {
        return new WorkerLease(new Values(
                state(), datacenterId(), workerId(), fence(), acquiredAt(), renewedAt(), skew, readAt, reason()));
    }

    /**
     * Returns when the lease is late, if it is not renewed before: when half of its duration has passed since it was confirmed. A renewal is
     * tried after a third.
     *
     * @param ttl how long the lease lasts without renewal
     * @return an instant on this machine's clock
     */
    public Instant lateFrom(Duration ttl) {
        return renewedAt().plus(ttl.dividedBy(LATE));
    }

    /**
     * Returns the lease as of the given time. While a registry does not answer at all, the generator cannot report that a renewal failed;
     * the time that has passed tells.
     *
     * @param now the time
     * @param ttl how long the lease lasts without renewal
     * @return this lease, or one that is {@link State#EXPIRING} if this one is {@link State#HELD} and {@linkplain #lateFrom late}
     */
    public WorkerLease at(Instant now, Duration ttl) {
        return state() == State.HELD && !now.isBefore(lateFrom(ttl))
                ? with(State.EXPIRING, "no answer since " + renewedAt().plusMillis(ttl.toMillis() / DUE))
                : this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkerLease lease && lease.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "WorkerLease"
                + values.toString().substring(Values.class.getSimpleName().length());
    }

    /** The values, by the names of the accessors. */
    private record Values(
            State state,
            int datacenterId,
            int workerId,
            Instant fence,
            Instant acquiredAt,
            Instant renewedAt,
            Duration clockSkew,
            Instant clockReadAt,
            @Nullable String reason) {}

    /** The states of a lease. Later versions may add constants. */
    public enum State {
        /** Confirmed, and renewed in time. */
        HELD,
        /**
         * The last renewal failed or is late. IDs continue up to the fence while renewal is retried. Also the state if this machine's clock
         * is so far ahead that no renewal reaches it.
         */
        EXPIRING,
        /** The registry no longer has the lease. No ID is issued until another worker ID is leased, which is being tried. */
        LOST,
        /** The generator has released the lease, unless {@link WorkerLease#reason()} says otherwise. */
        CLOSED
    }
}
