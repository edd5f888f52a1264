package io.github.snowflakeid.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock for tests whose time changes only when a test sets or advances it. Pass it to the code under test as a
 * {@link Clock}, and to {@link io.github.snowflakeid.SnowflakeIdGenerator.Builder#clock} to get IDs with its time. A
 * generator that has issued all IDs of a tick waits, for at most {@code max-wait}, until another thread advances the
 * clock.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class SettableClock extends Clock {

    private final AtomicReference<Instant> now;
    private final ZoneId zone;

    private SettableClock(AtomicReference<Instant> now, ZoneId zone) {
        this.now = now;
        this.zone = zone;
    }

    /**
     * Creates a clock in UTC.
     *
     * @param now the initial time
     * @return the clock
     */
    public static SettableClock at(Instant now) {
        return new SettableClock(new AtomicReference<>(Objects.requireNonNull(now, "now")), ZoneOffset.UTC);
    }

    /**
     * Sets the time.
     *
     * @param now the new time; it may be earlier than the current time
     */
    public void set(Instant now) {
        this.now.set(Objects.requireNonNull(now, "now"));
    }

    /**
     * Moves the time by a duration.
     *
     * @param by the duration; a negative duration moves the time back
     */
    public void advance(Duration by) {
        now.updateAndGet(before -> before.plus(by));
    }

    @Override
    public Instant instant() {
        return Objects.requireNonNull(now.get());
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /**
     * Returns this clock in another time zone. The two clocks share their time: setting one also sets the other.
     *
     * @param zone the time zone
     * @return a clock that shows the same instant
     */
    @Override
    public SettableClock withZone(ZoneId zone) {
        return new SettableClock(now, Objects.requireNonNull(zone, "zone"));
    }

    @Override
    public String toString() {
        return "SettableClock[" + instant() + ", " + zone + "]";
    }
}
