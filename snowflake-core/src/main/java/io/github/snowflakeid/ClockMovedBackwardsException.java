package io.github.snowflakeid;

import java.time.Duration;

/**
 * Thrown if IDs are further ahead of the system clock than {@code maxDrift} and {@code maxWait} together allow, because
 * the clock stepped back or because callers need more IDs than the layout provides. Also thrown if the clock has not
 * reached the {@linkplain SnowflakeIdGenerator#idsBeginAt() first tick} of a generator that was just opened. No ID was
 * issued. A later call succeeds as soon as the clock has caught up.
 *
 * <p>A generator never goes back, because each of its IDs is greater than the one before. If the clock was hours ahead
 * and is corrected, a process that leases its worker ID gets IDs at once if it is restarted, because it then leases
 * another worker ID. Without a lease, a restart would repeat IDs.
 *
 * @since 1.0
 */
public final class ClockMovedBackwardsException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** The result of {@link #behind()}. */
    private final Duration behind;
    /** The result of {@link #tolerated()}. */
    private final Duration tolerated;

    ClockMovedBackwardsException(String message, Duration behind, Duration tolerated) {
        super(message);
        this.behind = behind;
        this.tolerated = tolerated;
    }

    /**
     * Returns how far the clock is behind.
     *
     * @return the time from the clock to the tick of the last issued ID. If that tick is not ahead of the clock, the
     *     time to the tick of the requested ID or, for a batch, of its last ID.
     */
    public Duration behind() {
        return behind;
    }

    /**
     * Returns how far the clock may be behind.
     *
     * @return the sum of {@code maxDrift} and {@code maxWait}; {@code maxWait} alone before the first tick of a
     *     generator
     */
    public Duration tolerated() {
        return tolerated;
    }
}
