package io.github.snowflakeid.worker;

import java.time.Duration;
import java.time.Instant;
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
 * @param clockSkew how far the registry's clock was ahead of this machine's at {@code clockReadAt} at least, negative if it was behind;
 *     the time that the registry took to answer is not in it
 * @param clockReadAt when the registry was last read and its clock with it: before the worker id was leased, and whenever somebody
 *     {@linkplain io.github.snowflakeid.SnowflakeIdGenerator#readRegistry() reads} it. A renewal does not tell its clock.
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
        Instant clockReadAt,
        @Nullable String reason) {

    /** A renewal is due after so much of the ttl ... */
    private static final int DUE = 3;

    /** ... and late after that. */
    private static final int LATE = 2;

    /**
     * The same lease in another state.
     *
     * @param next how it stands
     * @param why why, or null
     * @return a lease that differs in this only
     */
    public WorkerLease with(State next, @Nullable String why) {
        return new WorkerLease(next, datacenterId, workerId, fence, acquiredAt, renewedAt, clockSkew, clockReadAt, why);
    }

    /**
     * The same lease after another look at the registry's clock.
     *
     * @param skew how far it was ahead
     * @param readAt when it was
     * @return a lease that differs in this only
     */
    public WorkerLease withClock(Duration skew, Instant readAt) {
        return new WorkerLease(state, datacenterId, workerId, fence, acquiredAt, renewedAt, skew, readAt, reason);
    }

    /**
     * From when on the lease is late, if it is not renewed before.
     *
     * @param ttl how long it lasts without renewal
     * @return half of that after it was confirmed; a renewal is tried after a third
     */
    public Instant lateFrom(Duration ttl) {
        return renewedAt.plus(ttl.dividedBy(LATE));
    }

    /**
     * The lease as it stands at a moment. A registry that does not answer at all, rather than refuse, holds up whoever would say
     * so; time says it then.
     *
     * @param now the time
     * @param ttl how long the lease lasts without renewal
     * @return {@link State#EXPIRING}, and since when there is no answer, where it is {@link State#HELD} and {@linkplain #lateFrom
     *     late}; else the same
     */
    public WorkerLease at(Instant now, Duration ttl) {
        return state == State.HELD && !now.isBefore(lateFrom(ttl))
                ? with(State.EXPIRING, "no answer since " + renewedAt.plusMillis(ttl.toMillis() / DUE))
                : this;
    }

    /** How a lease stands. */
    public enum State {
        /** Confirmed and renewed in time. */
        HELD,
        /**
         * The last renewal failed or is late, and IDs continue up to the fence while it is tried again; or this machine's clock is so
         * far ahead that no renewal reaches it.
         */
        EXPIRING,
        /** The registry no longer has it; no id is made until another worker id is leased, which is being tried. */
        LOST,
        /** Over for this generator: given back, unless {@link WorkerLease#reason()} says otherwise. */
        CLOSED
    }
}
