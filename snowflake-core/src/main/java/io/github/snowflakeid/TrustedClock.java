package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the time on this machine's clock when ticks are reserved. The clock is trusted as long as it has advanced,
 * since it was last trusted, by no more than the monotonic time plus {@code maxClockSkew}. If it is farther ahead, the
 * registry is read, and the limit is the registry's clock plus {@code maxClockSkew}. So a clock that is years ahead for
 * a moment does not reserve years, and a machine that was suspended, during which the monotonic time stood still,
 * recovers. Not safe for use by several threads.
 */
final class TrustedClock {

    private final TimeSource time;

    /**
     * The time on this clock when it was last trusted, or on the registry's clock that was read instead; null before.
     */
    private @Nullable Instant known;

    /** {@link TimeSource#nanos} at that moment. */
    private long knownNanos;

    /** How far this clock was ahead of the registry's clock; zero if it was trusted. */
    private Duration ahead = Duration.ZERO;

    TrustedClock(TimeSource time) {
        this.time = time;
    }

    /**
     * Returns the trusted time.
     *
     * @param skew how far the clock may be ahead
     * @param registry reads the registry; called only if the clock is not trusted, or was never trusted before
     */
    Instant now(Duration skew, Supplier<ClockedSnapshot> registry) {
        // The clock is read first: if the thread pauses in between, a correct clock must not seem to have jumped ahead.
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

    /** Returns whether the clock was too far ahead to be trusted. */
    boolean isAhead() {
        return !ahead.isZero();
    }

    /**
     * Returns why a lease up to a fence is of no use to callers; null if the clock was trusted, or is before the fence.
     */
    @Nullable
    String warning(Instant fence) {
        return isAhead() && !time.timestamp().isBefore(fence)
                ? "this machine's clock is %s ms ahead of the registry's clock".formatted(ahead.toMillis())
                : null;
    }
}
