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

    @Override
    public WorkerLease with(State next, @Nullable String why) {
        return new LeaseValues(next, datacenterId, workerId, fence, acquiredAt, renewedAt, clockSkew, clockReadAt, why);
    }

    @Override
    public WorkerLease withClock(Duration skew, Instant readAt) {
        return new LeaseValues(state, datacenterId, workerId, fence, acquiredAt, renewedAt, skew, readAt, reason);
    }
}
