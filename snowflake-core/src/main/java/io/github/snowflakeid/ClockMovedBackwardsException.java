package io.github.snowflakeid;

import java.time.Duration;

/**
 * The system clock is further behind the ids already made than {@code maxDrift} and {@code maxWait} together allow, by
 * a step back of the clock or because more ids were asked for than the layout holds. Also thrown if the clock has not reached
 * the {@linkplain SnowflakeIdGenerator#idsBeginAt() first tick} of a generator that was just opened. Nothing was issued; a later
 * call succeeds as soon as the clock has come near enough.
 *
 * @since 0.1.0
 */
public final class ClockMovedBackwardsException extends SnowflakeException {

    private static final long serialVersionUID = 1L;

    /** How far the clock is behind. */
    private final Duration behind;

    /** How far it may be. */
    private final Duration tolerated;

    ClockMovedBackwardsException(String message, Duration behind, Duration tolerated) {
        super(message);
        this.behind = behind;
        this.tolerated = tolerated;
    }

    /**
     * How far the clock is behind.
     *
     * @return the time from the clock to the tick of the last id; where that is not ahead, to the tick that has the ID or, for a
     *     batch, its last ID
     */
    public Duration behind() {
        return behind;
    }

    /**
     * How far the clock may be behind.
     *
     * @return the sum of {@code maxDrift} and {@code maxWait}; {@code maxWait} alone before the first tick of a generator
     */
    public Duration tolerated() {
        return tolerated;
    }
}
