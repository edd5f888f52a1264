package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of this machine as far as it is trusted when time is reserved: up to the monotonic time since it was last trusted, plus
 * {@code maxClockSkew}. If the clock is farther ahead, the registry is read, and the bound is the registry's clock plus {@code
 * maxClockSkew}. So a clock that is years ahead for a moment reserves no years, and a machine that was suspended, during which
 * monotonic time stood still, recovers. For use by one thread.
 */
final class TrustedClock {

    private final TimeSource time;

    /** The clock when it was last trusted, or the registry's, which was read instead; null before. */
    private @Nullable Instant known;

    /** {@link TimeSource#nanos} at that moment. */
    private long knownNanos;

    /** How far the clock was ahead of the registry's; zero if it was trusted. */
    private Duration ahead = Duration.ZERO;

    TrustedClock(TimeSource time) {
        this.time = time;
    }

    /**
     * What is trusted now.
     *
     * @param skew how far the clock may be off
     * @param registry is asked only if need be
     */
    Instant now(Duration skew, Supplier<ClockedSnapshot> registry) {
        // In this order: a thread that pauses in between must not take a clock that is right for one that has jumped.
        Instant now = time.timestamp();
        long nanos = time.nanos();
        Instant before = known;
        Instant base = before == null ? null : before.plusNanos(nanos - knownNanos);
        if (base == null || now.isAfter(base.plus(skew))) {
            base = registry.get().latestAt(nanos);
        }
        boolean trusts = !now.isAfter(base.plus(skew));
        ahead = trusts ? Duration.ZERO : Duration.between(base, now);
        known = trusts ? now : base;
        knownNanos = nanos;
        return trusts ? now : base.plus(skew);
    }

    /** Whether the clock was not trusted. */
    boolean isAhead() {
        return !ahead.isZero();
    }

    /** Why a lease does not help callers; null if the clock was trusted, or is before its end. */
    @Nullable
    String trouble(Instant fence) {
        return isAhead() && !time.timestamp().isBefore(fence)
                ? "the clock of this machine is %d ms ahead of the registry's".formatted(ahead.toMillis())
                : null;
    }
}
