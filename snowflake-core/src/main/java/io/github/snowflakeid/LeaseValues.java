package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The values of a {@link WorkerLease}. */
record LeaseValues(
        State state,
        int datacenterId,
        int workerId,
        Instant fence,
        Instant acquiredAt,
        Instant renewedAt,
        Duration clockSkew,
        Instant clockReadAt,
        @Nullable String reason)
        implements WorkerLease {

    static LeaseValues of(
            State state,
            int datacenterId,
            int workerId,
            Instant fence,
            Instant acquiredAt,
            Instant renewedAt,
            @Nullable String reason) {
        return new LeaseValues(
                state, datacenterId, workerId, fence, acquiredAt, renewedAt, Duration.ZERO, acquiredAt, reason);
    }

    @Override
    public WorkerLease withReason(@Nullable String why) {
        return with(state, why);
    }

    /** Returns the lease in another state. */
    LeaseValues with(State next, @Nullable String why) {
        return new LeaseValues(next, datacenterId, workerId, fence, acquiredAt, renewedAt, clockSkew, clockReadAt, why);
    }

    /** Returns the lease with another measurement of the registry's clock. */
    LeaseValues withClock(Duration skew, Instant readAt) {
        return new LeaseValues(state, datacenterId, workerId, fence, acquiredAt, renewedAt, skew, readAt, reason);
    }
}
