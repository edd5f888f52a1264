package io.github.snowflakeid.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock for tests that stands still until it is set. Pass it to the code under test as a {@link Clock}, and to {@link
 * io.github.snowflakeid.SnowflakeIdGenerator.Builder#clock} for IDs with its time. A generator that has issued all IDs of a tick waits
 * until another thread advances the clock, at most {@code max-wait}.
 *
 * <p>Safe for use by any number of threads.
 *
 * @since 0.1.0
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
     * @param now the time that it shows until it is set
     * @return the clock
     */
    public static SettableClock at(Instant now) {
        return new SettableClock(new AtomicReference<>(Objects.requireNonNull(now, "now")), ZoneOffset.UTC);
    }

    /**
     * Sets the time.
     *
     * @param now an instant, which may be earlier than the present one
     */
    public void set(Instant now) {
        this.now.set(Objects.requireNonNull(now, "now"));
    }

    /**
     * Moves the time.
     *
     * @param by how far; a negative duration moves the time back
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
     * Returns this clock in another time zone. Setting one of the two clocks sets the other one, too.
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
