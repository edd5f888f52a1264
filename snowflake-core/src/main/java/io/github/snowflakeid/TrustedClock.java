package io.github.snowflakeid;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is trusted of the clock when time is reserved: no more than the real time that has passed since it was last trusted, and what
 * the clock may be off. If it is farther ahead, the registry is read, and its clock counts instead, and what the clock may be off. So
 * a clock that is years ahead for a moment reserves no years, and a machine that was suspended, where real time stood still,
 * recovers. For use by one thread.
 */
final class TrustedClock {

    private final Time time;

    /** What was last trusted; null before. */
    private @Nullable Instant trusted;

    /** {@link Time#nanos} at that moment. */
    private long trustedNanos;

    /** How far the clock was ahead of the registry's; zero if it was trusted. */
    private Duration ahead = Duration.ZERO;

    TrustedClock(Time time) {
        this.time = time;
    }

    /**
     * What is trusted now.
     *
     * @param skew how far the clock may be off
     * @param registry is asked only if need be
     */
    Instant now(Duration skew, Supplier<Reading> registry) {
        // In this order: a thread that pauses in between must not take a clock that is right for one that has jumped.
        Instant now = time.timestamp();
        long nanos = time.nanos();
        Instant before = trusted;
        Duration excess = Duration.ZERO;
        if (before == null || now.isAfter(before.plusNanos(nanos - trustedNanos).plus(skew))) {
            Instant limit = registry.get().latestAt(time.nanos()).plus(skew);
            excess = now.isAfter(limit) ? Duration.between(limit, now) : excess;
        }
        ahead = excess.isZero() ? excess : excess.plus(skew);
        trusted = now.minus(excess);
        trustedNanos = nanos;
        return trusted;
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
